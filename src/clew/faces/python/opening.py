"""From what a caller has at hand (a path, a callable, a port) to the parts of an engine."""

from __future__ import annotations

import shutil
import tempfile
import uuid
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from clew.engine import bootstrap, prepared
from clew.engine.parts import Parts
from clew.errors import InvalidInput
from clew.model.canonical import derived_id
from clew.policy import Policy
from clew.ports.clock import Clock
from clew.ports.embeddings import Embedder
from clew.ports.llm import Writer
from clew.ports.store import Store

AnyWriter = Writer | Callable[[list[dict[str, str]]], Any] | str | None
AnyEmbedder = Embedder | Callable[[list[str]], Any] | bool | None
AnyStore = Store | str | Path | None


def url_of(db: str | Path) -> str:
    text = str(db)
    return text if "://" in text else f"sqlite:///{Path(text).expanduser()}"


class Opened:
    """Parts, and who has to close them. Only what was opened here is closed here."""

    def __init__(
        self,
        db: AnyStore = None,
        *,
        writer: AnyWriter = None,
        model: str | None = None,
        embedder: AnyEmbedder = None,
        store: Store | None = None,
        clock: Clock | None = None,
        extractor: AnyWriter = None,
        extract: str | None = None,
        policy: Policy | str | Path | None = None,
    ) -> None:
        """`extract`: how often a model is asked what to remember (every, chosen, never); None: as the policy says."""
        rules = policy if isinstance(policy, Policy) else prepared.policy(policy)
        rules = bootstrap.asking(rules, extract)
        voice, reads = _writer(writer, model)
        kept, close = _store(store if store is not None else db, rules)
        self.parts = Parts(
            store=kept,
            writer=voice,
            clock=clock or bootstrap.system_clock(),
            process=bootstrap.system_process(),
            policy=rules,
            embedder=_embedder(embedder),
            extractor=_writer(extractor, model)[0] if extractor is not None else reads,
            index=bootstrap.make_index(kept) if hasattr(kept, "engine") else None,
            senders=bootstrap.make_senders(),
        )
        self._finalizer = weakref.finalize(self, close)

    def close(self) -> None:
        self._finalizer()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _store(db: AnyStore, policy: Policy) -> tuple[Store, Callable[[], None]]:
    if db is not None and not isinstance(db, (str, Path)):
        return db, lambda: None
    folder: str | None = None
    if str(db) in (":memory:", "sqlite://", "sqlite:///:memory:"):
        # A database in memory belongs to one thread; a file that goes with its owner serves them all.
        folder = tempfile.mkdtemp(prefix="clew-")
        db = Path(folder) / "talk.db"
    opened = bootstrap.bare_store(None if db is None else url_of(db), policy=policy)

    def close() -> None:
        opened.close()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    return opened, close


def _writer(writer: AnyWriter, model: str | None) -> tuple[Writer, Writer | None]:
    if writer is None or isinstance(writer, str):
        return bootstrap.make_writer(writer or "composer", model)
    if hasattr(writer, "write"):
        return cast(Writer, writer), None
    if callable(writer):
        return bootstrap.called_writer(writer), None
    raise InvalidInput(f"a writer is a callable, a name or a URL; got {type(writer).__name__}", pointer="/writer")


def _embedder(embedder: AnyEmbedder) -> Embedder | None:
    if embedder is None or embedder is True:
        return bootstrap.make_embedder()
    if embedder is False:
        return None
    if hasattr(embedder, "embed"):
        return cast(Embedder, embedder)
    return bootstrap.called_embedder(embedder)


def message_uuid(given: str | uuid.UUID | None, *scope: str) -> str:
    """Any name of a message will do: one that is no UUID becomes one, within its conversation."""
    if given is None:
        return str(uuid.uuid4())
    try:
        return str(uuid.UUID(str(given)))
    except ValueError:
        return derived_id("message", *scope, str(given))
