"""What a turn is made with. Only `bootstrap` knows which concrete parts these are."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field

from clew.frozen import dataclass
from clew.policy import Policy
from clew.ports.clock import Clock
from clew.ports.delivery import Sender
from clew.ports.embeddings import Embedder, OneThread
from clew.ports.index import TurnIndex
from clew.ports.llm import Writer
from clew.ports.process import Process
from clew.ports.reranker import Reranker
from clew.ports.store import Store


@dataclass(frozen=True)
class Parts:
    store: Store
    writer: Writer
    clock: Clock
    process: Process
    policy: Policy
    embedder: Embedder | None = None
    # Asked, behind its gate, what a message says of its author; None where no model understands enough.
    extractor: Writer | None = None
    # Finds turns again; derived from what the store holds. None: only memories come to mind.
    index: TurnIndex | None = None
    # Puts what was found in a better order; None: the ranking stands.
    reranker: Reranker | None = None
    # How proactive messages leave the house, by kind of channel; the inbox needs none.
    senders: Mapping[str, Sender] = field(default_factory=dict)


def user_lock(user_id: str) -> str:
    """Everything that changes one user's state waits for one lock."""
    return f"user:{user_id}"


def one_thread(parts: Parts) -> AbstractContextManager[object]:
    """Small sums by one thread, where the embedder offers it."""
    return parts.embedder.one_thread() if isinstance(parts.embedder, OneThread) else nullcontext()
