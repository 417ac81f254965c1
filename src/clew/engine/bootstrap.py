"""The one place that knows the concrete parts."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from clew import policy as policies
from clew.adapters.store.sql import SqlStore, open_store
from clew.adapters.system import SystemClock, SystemProcess
from clew.engine.parts import Parts
from clew.errors import InvalidInput
from clew.kernel.recall.memories import index_terms
from clew.kernel.recall.terms import terms
from clew.kernel.remember.keys import bare_value
from clew.policy import Policy
from clew.ports.embeddings import Embedder
from clew.ports.llm import Writer


def data_folder() -> Path:
    """Where this system keeps a user's data."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "clew"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "clew"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "clew"


def default_db() -> str:
    return os.environ.get("CLEW_DB") or f"sqlite:///{data_folder() / 'clew.db'}"


def build(
    db: str | None = None,
    *,
    policy_file: str | Path | None = None,
    writer: str = "composer",
    model: str | None = None,
    embed: bool = True,
) -> Parts:
    """Open everything a turn needs. `writer`: composer, local, a GGUF file, or an http(s) URL."""
    for name, given in (("db", db), ("writer", writer), ("model", model)):
        if given is not None and not isinstance(given, str):
            raise InvalidInput(f"{name} must be a string, got {type(given).__name__}", pointer=name)
    if policy_file is not None and not isinstance(policy_file, (str, Path)):
        raise InvalidInput(f"policy_file must be a path, got {type(policy_file).__name__}", pointer="policy_file")
    policy = policies.load(policy_file or os.environ.get("CLEW_POLICY") or None)
    voice, extractor = make_writer(writer, model)
    return Parts(
        store=open_database(db, MemoryTerms(policy)),
        writer=voice,
        clock=SystemClock(),
        process=SystemProcess(),
        policy=policy,
        embedder=make_embedder() if embed else None,
        extractor=extractor,
    )


def open_database(db: str | None, terms: MemoryTerms | None = None) -> SqlStore:
    """A URL that cannot be read is the caller's; a port like "abc" is told without its password."""
    try:
        return open_store(db or default_db(), terms=terms) if terms else open_store(db or default_db())
    except ValueError as why:
        raise InvalidInput(f"not a database URL: {why}", pointer="--db") from None


@dataclass(frozen=True)
class MemoryTerms:
    """Stems by which memories are found: of a fact's name, its kind, an item, a value; never of a stance."""

    policy: Policy

    def of_text(self, text: str) -> list[str]:
        return [term for term, _ in terms(text, self.policy)]

    def of_memory(self, key: str, value: str) -> list[str]:
        name = key.rpartition(":")[2].replace("_", " ")
        named = bare_value(value)
        # The words of the kind too: "what should I eat" asks for food without naming any.
        return sorted({*self.of_text(f"{name} {named}"), *index_terms(key, named, self.policy)})


def make_writer(name: str, model: str | None = None) -> tuple[Writer, Writer | None]:
    """The writer, and the same one as extractor where it is able."""
    if name == "composer":
        from clew.adapters.llm.composer import Composer

        return Composer(), None
    if name.startswith(("http://", "https://")):
        from clew.adapters.llm.endpoint import EndpointWriter

        endpoint = EndpointWriter(
            name, model or os.environ.get("CLEW_MODEL", ""), os.environ.get("CLEW_API_KEY", "")
        )
        return endpoint, endpoint
    if name == "local" or name.endswith(".gguf"):
        from clew.adapters.llm.local import LocalWriter

        return LocalWriter(None if name == "local" else name), None
    raise InvalidInput(
        f"writer must be composer, local, a .gguf file or an http(s) URL; got {name!r}", pointer="--writer"
    )


def make_embedder() -> Embedder | None:
    from clew.adapters.embeddings import use

    return use.default() if use.installed() else None
