"""The one place that knows the concrete parts."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from clew import policy as policies
from clew.adapters.delivery.webhook import WebhookSender
from clew.adapters.index.sql import SqlTurnIndex
from clew.adapters.llm.called import LOOP as LOOP
from clew.adapters.llm.called import CallableWriter, Called
from clew.adapters.search.sql import SqlSearch
from clew.adapters.store.doors import DoorTables as DoorTables
from clew.adapters.store.doors import Node as Node
from clew.adapters.store.schema import HEAD, current_version
from clew.adapters.store.sql import SqlStore, open_store
from clew.adapters.store.tenancy import enforced
from clew.adapters.system import SeededProcess, SystemClock, SystemProcess
from clew.engine import prepared
from clew.engine.composing import BuiltIn
from clew.engine.parts import Parts
from clew.errors import InvalidInput
from clew.frozen import dataclass
from clew.kernel.keep.keys import bare_value
from clew.kernel.recall.memories.ranking import index_terms
from clew.kernel.text.terms import terms
from clew.model.key import last_words
from clew.policy import Policy
from clew.policy.extractor import AskModel
from clew.ports.clock import Clock
from clew.ports.delivery import Sender
from clew.ports.embeddings import Embedder
from clew.ports.index import TurnIndex
from clew.ports.llm import Writer
from clew.ports.process import Process
from clew.ports.reranker import Reranker
from clew.ports.search import Point, SearchIndex
from clew.ports.store import Store


def data_folder() -> Path:
    """Where this system keeps a user's data."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "clew"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "clew"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "clew"


def default_db() -> str:
    return os.environ.get("CLEW_DB") or f"sqlite:///{_private(data_folder()) / 'clew.db'}"


def _private(folder: Path) -> Path:
    """Ours alone, also where an earlier version left it to the umask."""
    with contextlib.suppress(OSError):
        if folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    return folder


def build(
    db: str | None = None,
    *,
    policy_file: str | Path | None = None,
    writer: str = "composer",
    model: str | None = None,
    embed: bool = True,
    extract: str | None = None,
) -> Parts:
    """Open everything a turn needs. `writer`: composer, local, a GGUF file, or an http(s) URL.

    `extract`: how often the model is asked what to remember, instead of what the policy says.
    """
    for name, given in (("db", db), ("writer", writer), ("model", model), ("extract", extract)):
        if given is not None and not isinstance(given, str):
            raise InvalidInput(f"{name} must be a string, got {type(given).__name__}", pointer=name)
    if policy_file is not None and not isinstance(policy_file, (str, Path)):
        raise InvalidInput(f"policy_file must be a path, got {type(policy_file).__name__}", pointer="policy_file")
    policy = asking(prepared.policy(policy_file or os.environ.get("CLEW_POLICY") or None), extract)
    voice, extractor = make_writer(writer, model, policy)
    store = bare_store(db, policy=policy)
    return Parts(
        store=store,
        index=make_index(store),
        writer=voice,
        clock=SystemClock(),
        process=SystemProcess(),
        policy=policy,
        embedder=make_embedder() if embed else None,
        extractor=extractor,
        senders=make_senders(),
        reranker=make_reranker(voice),
    )


def asking(policy: Policy, extract: str | None) -> Policy:
    """The policy with another answer to how often a model is asked what to remember; None leaves it."""
    if extract is None:
        return policy
    try:
        ask = AskModel(extract)
    except ValueError:
        known = ", ".join(AskModel)
        raise InvalidInput(f"extract must be one of {known}; got {extract!r}", pointer="--extract") from None
    extractor = replace(policy.remember.extractor, ask=ask)
    return replace(policy, remember=replace(policy.remember, extractor=extractor))


def simulated(db: str, policy: Policy, clock: Clock, seed: int) -> Parts:
    """Real parts on a clock that somebody else turns, without an embedder, with chance that comes again.

    A few hundred users are one slice: more would only be more jobs.
    """
    policy = replace(policy, jobs=replace(policy.jobs, slices=1))
    store = bare_store(db, durable=False, policy=policy)
    return Parts(store=store, writer=BuiltIn(policy), clock=clock, process=SeededProcess(seed), policy=policy)


def make_senders() -> dict[str, Sender]:
    """Webhooks always; Web Push where the operator gave a VAPID key and clew[push] is installed."""
    private = os.environ.get("CLEW_PRIVATE_WEBHOOKS") == "1"
    senders: dict[str, Sender] = {"webhook": WebhookSender(private)}
    if key := os.environ.get("CLEW_VAPID_KEY"):
        from clew.adapters.delivery.push import PushSender

        senders["webpush"] = PushSender(key, os.environ.get("CLEW_VAPID_SUBJECT", "mailto:nobody@localhost"), private)
    return senders


def bare_store(db: str | None, *, durable: bool = True, policy: Policy | None = None) -> SqlStore:
    """A store; without a policy it does not know the words of memories: for transcripts, and a state that is rebuilt.

    A URL that cannot be read is the caller's; a port like "abc" is told without its password.
    """
    terms = MemoryTerms(policy) if policy else None
    wait = {"wait_seconds": policy.engine.store_wait_seconds} if policy else {}
    try:
        return open_store(db or default_db(), durable=durable, terms=terms, **wait)
    except ValueError as why:
        raise InvalidInput(f"not a database URL: {why}", pointer="--db") from None


def system_clock() -> Clock:
    return SystemClock()


def system_process() -> Process:
    return SystemProcess()


def make_index(store: Store) -> TurnIndex:
    """The turns of a store, made searchable."""
    assert isinstance(store, SqlStore)
    return SqlTurnIndex(store, make_search(store))


def make_search(store: SqlStore, kind: str | None = None) -> SearchIndex | None:
    """What long conversations are searched with: CLEW_INDEX is `pgvector`, `qdrant:PLACE`, `database`, or not set.

    PLACE is a URL or a folder; a folder serves one process at a time.
    """
    kind = os.environ.get("CLEW_INDEX", "") if kind is None else kind
    name, _, place = kind.strip().partition(":")
    match name:
        case "" | "memory":
            return None
        case "database":
            return SqlSearch(store)
        case "pgvector":
            from clew.adapters.search.pgvector import PgvectorSearch

            return PgvectorSearch(store)
        case "qdrant" if place:
            from clew.adapters.search.qdrant import QdrantSearch

            return QdrantSearch.at(place, store.identity, os.environ.get("CLEW_QDRANT_KEY"))
    raise InvalidInput(
        f"CLEW_INDEX must be pgvector, qdrant:URL, qdrant:FOLDER or database; got {kind!r}", pointer="CLEW_INDEX"
    )


def try_search(store: Store, embedder: Embedder | None) -> tuple[str, bool]:
    """(what searches long conversations, whether it finds what is put there).

    Whoever owns the tables makes them here, and the index over vectors of this size.
    """
    index = make_index(store)
    if index.search is None:
        raise InvalidInput("CLEW_INDEX names nothing that searches", pointer="CLEW_INDEX")
    vector = embedder.embed(["a turn"])[0] if embedder is not None else [1.0]
    probe = "clew doctor"
    index.search.put(probe, probe, [Point(0, 0, None, [vector], {1: 1.0})])
    near = index.search.nearest(probe, vector, 1), index.search.holding(probe, {1: 1.0}, 1)
    index.erase(probe)
    return index.search.name, all(found and found[0].position == 0 for found in near)


def open_doors(store: Store) -> DoorTables:
    """What the doors keep beside the history."""
    if not isinstance(store, SqlStore):
        raise InvalidInput("this door needs a store on SQLite or PostgreSQL", pointer="--db")
    return DoorTables(store)


def schema_of(store: Store) -> tuple[str, str | None, str]:
    """(kind of database, the version it stands at, the version this package writes)."""
    assert isinstance(store, SqlStore)
    return store.engine.dialect.name, current_version(store.engine), HEAD


def tenants_kept_apart(store: Store) -> bool:
    """Whether the database itself keeps tenants apart for the role we came as."""
    assert isinstance(store, SqlStore)
    if store.is_sqlite:
        return False
    with store.read() as session:
        return enforced(session.connection)


def called_writer(function: Called, name: str | None = None) -> Writer:
    return CallableWriter(function, name)


def called_embedder(function: Callable[..., Any], name: str | None = None) -> Embedder:
    from clew.adapters.embeddings.called import CallableEmbedder

    return CallableEmbedder(function, name)


@dataclass(frozen=True)
class MemoryTerms:
    """Stems by which memories are found: of a fact's name, its kind, an item, a value; never of a stance."""

    policy: Policy

    def of_text(self, text: str) -> list[str]:
        return [term for term, _ in terms(text, self.policy)]

    def of_memory(self, key: str, value: str) -> list[str]:
        named = bare_value(value)
        # The words of the kind too: "what should I eat" asks for food without naming any.
        return sorted({*self.of_text(f"{last_words(key)} {named}"), *index_terms(key, named, self.policy)})


def make_writer(
    name: str, model: str | None = None, policy: Policy | None = None
) -> tuple[Writer, Writer | None]:
    """The writer, and the same one as extractor where it is able."""
    if name == "composer":
        return BuiltIn(policy or policies.default()), None
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


def make_reranker(writer: Writer) -> Reranker | None:
    """What puts the first found in a better order: CLEW_RERANKER is `near`, `model`, or not set."""
    kind = os.environ.get("CLEW_RERANKER", "").strip()
    if not kind:
        return None
    if kind == "near":
        from clew.adapters.embeddings import minilm
        from clew.adapters.reranker.near import NearReranker

        if not minilm.installed():
            raise InvalidInput(
                f"CLEW_RERANKER is near, and {minilm.PACKAGE} is not installed", pointer="CLEW_RERANKER"
            )
        return NearReranker(minilm.MiniLM())
    if kind == "model" and not isinstance(writer, BuiltIn):
        from clew.adapters.reranker.model import ModelReranker

        return ModelReranker(writer)
    raise InvalidInput(
        f"CLEW_RERANKER must be near, or model with a writer that is one; got {kind!r}", pointer="CLEW_RERANKER"
    )
