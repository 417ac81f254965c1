"""Memories and turns of one user in one ranking: what a search at any door answers with.

Turns whose memory was corrected, forgotten or withdrawn do not come back, unless an older moment is asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Any

from clew.engine.parts import Parts
from clew.engine.recall import Recaller, load
from clew.engine.vectors import vectors_of
from clew.errors import InvalidInput
from clew.kernel.keep.lifecycle import as_of as held_at
from clew.kernel.keep.lifecycle import current
from clew.kernel.recall.memories import memory_text
from clew.model.account import Message
from clew.model.canonical import sha256
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.plan import Snippet
from clew.model.transcript import Line
from clew.ports.index import StoredTurn, TurnVectors

if TYPE_CHECKING:
    from clew.engine.service import Place

KINDS = ("memory", "said", "reply")
DEFAULT_KINDS = ("memory", "said")
_ALL = 1_000_000
_MOST_LOADED = 64


@dataclass(frozen=True, slots=True)
class Found:
    """`kind`: memory, said (by the user) or reply; `id` is the memory's or the message's."""

    kind: str
    id: str
    text: str
    score: float
    key: str | None = None
    value: str | None = None
    subject: str | None = None
    when: datetime | None = None
    why: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_memory(cls, record: MemoryRecord, score: float, why: Mapping[str, Any]) -> Found:
        return cls(
            kind="memory",
            id=record.memory_id,
            text=sentence(record),
            score=score,
            key=record.memory_key,
            value=record.memory_value,
            subject=subject(record),
            when=getattr(record, "when", None) or record.created_at,
            why=why,
        )


def sentence(record: MemoryRecord) -> str:
    """The user's own words where they are kept, else key and value as a phrase."""
    told = getattr(record, "statement", None)
    if told:
        return str(told)
    snippet = Snippet.of(record)
    name = record.memory_key.split(":")[1 if record.memory_key.count(":") < 2 else 2]
    if snippet.stance:
        return f"{snippet.stance}s {snippet.words}"
    return f"{name.replace('_', ' ')}: {snippet.words}"


def subject(record: MemoryRecord) -> str:
    return str(getattr(record, "subject", None) or "user")


def find(
    parts: Parts,
    place: Place,
    query: str,
    *,
    k: int = 8,
    as_of: datetime | None = None,
    kinds: Sequence[str] = DEFAULT_KINDS,
    conversation: str | None = None,
) -> list[Found]:
    """`conversation`: only turns said there (its id); memories belong to all of them."""
    for kind in kinds:
        if kind not in KINDS:
            raise InvalidInput(f"no kind {kind!r}; known: {', '.join(KINDS)}", pointer="/kinds")
    if not query.strip():
        raise InvalidInput("query is empty", pointer="/query")
    with parts.store.read() as session:
        scope = (place.user.user_id, place.friend.friend_id)
        everything = session.memories(*scope)
        controls = session.controls(place.user.user_id)
        said: list[Message] = []
        if set(kinds) & {"said", "reply"}:
            for c in session.conversations_of(place.user.user_id):
                if c.friend_id == place.friend.friend_id and conversation in (None, c.conversation_id):
                    said += session.recent(c.conversation_id, _ALL)
    records = tuple(held_at(everything, as_of)) if as_of else current(everything, controls)
    records = records if "memory" in kinds else ()
    turns = _turns(said, everything, kinds, as_of)
    lines = [
        Line(n, "memory", f"{memory_text(m)}. {sentence(m)}", m.created_at, m.memory_id)
        for n, m in enumerate(records)
    ]
    lines += [
        Line(len(records) + n, "user" if m.role == "user" else "friend", m.text, m.at, m.message_id)
        for n, m in enumerate(turns)
    ]
    if not lines:
        return []
    recaller = _loaded(parts, scope, lines)
    most = min(max(k * 3, 1), parts.policy.recall.k_max)
    hits = recaller.recall(query, most, at=as_of or parts.clock.now())
    held = {m.memory_id: m for m in records}
    spoken = {m.message_id: m for m in turns}
    return _told(hits, held, spoken, k)


def _turns(
    said: Sequence[Message], records: Sequence[MemoryRecord], kinds: Sequence[str], as_of: datetime | None
) -> list[Message]:
    stale = {
        i for m in records if m.status is not MemoryStatus.ACTIVE or m.paused for i in m.source_message_ids
    }
    wanted = {role for kind, role in (("said", "user"), ("reply", "assistant")) if kind in kinds}
    return [
        m
        for m in said
        if m.role in wanted
        and m.text.strip()
        and (as_of is None or m.at <= as_of)
        and (as_of is not None or (m.message_id not in stale and m.reply_to not in stale))
    ]


def _told(
    hits: Sequence[Any], held: Mapping[str, MemoryRecord], spoken: Mapping[str, Message], k: int
) -> list[Found]:
    out: list[Found] = []
    covered: set[str] = set()  # a turn that a better memory already tells
    for hit in hits:
        if record := held.get(hit.line.id or ""):
            out.append(Found.of_memory(record, hit.score, hit.why))
            covered.update(record.source_message_ids)
        elif (turn := spoken.get(hit.line.id or "")) and turn.message_id not in covered:
            kind = "said" if turn.role == "user" else "reply"
            speaker = "user" if turn.role == "user" else "friend"
            out.append(
                Found(kind, turn.message_id, turn.text, hit.score, subject=speaker, when=turn.at, why=hit.why)
            )
    return out[:k]


_LOADED: OrderedDict[tuple[str, ...], Recaller] = OrderedDict()
_LOADING = Lock()


def _loaded(parts: Parts, scope: tuple[str, str], lines: Sequence[Line]) -> Recaller:
    """The index of the same lines is built once."""
    space = parts.embedder.space if parts.embedder else ""
    mark = sha256([[x.id, x.text] for x in lines])
    key = (*scope, space, parts.policy.fingerprint, mark)
    with _LOADING:
        if key in _LOADED:
            _LOADED.move_to_end(key)
            return _LOADED[key]
    embedder = _Remembering(parts) if parts.embedder else None
    made = load(_Lines(tuple(lines)), "here", parts.policy, embedder)
    with _LOADING:
        for old in [x for x in _LOADED if x[:2] == scope and x != key and len(_LOADED) > 8]:
            del _LOADED[old]
        _LOADED[key] = made
        while len(_LOADED) > _MOST_LOADED:
            _LOADED.popitem(last=False)
    return made


@dataclass(frozen=True)
class _Remembering:
    """The engine's embedder, through the vectors it keeps: a turn is embedded once, not at every search."""

    parts: Parts

    @property
    def space(self) -> str:
        assert self.parts.embedder is not None
        return self.parts.embedder.space

    @property
    def dimensions(self) -> int:
        assert self.parts.embedder is not None
        return self.parts.embedder.dimensions

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        made = vectors_of(self.parts, texts)
        none = [0.0] * self.dimensions
        return [list(made.get(t, none)) for t in texts]


@dataclass(frozen=True)
class _Lines:
    """Lines that stand elsewhere already, in the shape the recall walk asks for."""

    lines: tuple[Line, ...]

    def turns(self, conversation: str) -> list[StoredTurn]:
        return [StoredTurn(n, line) for n, line in enumerate(self.lines)]

    def vectors(self, conversation: str, space: str, dimensions: int) -> dict[int, TurnVectors]:
        return {}

    def words(self, conversation: str, space: str, dimensions: int) -> dict[str, Any]:
        return {}

    def save(self, conversation: str, **more: Any) -> None:
        """Nothing here is kept: it can be made again."""

    def erase(self, conversation: str) -> dict[str, int]:
        return {}
