"""From a re-sent history to one turn of the engine: judged, set right, answered, and noted for the next time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

from clew.engine import service
from clew.engine.bootstrap import Node
from clew.engine.service import Place
from clew.errors import InvalidInput, MessageReused
from clew.faces.http.access import Caller, Desk
from clew.faces.openai.history import Kind, ShownTurn, Verdict, judge
from clew.model.canonical import derived_id
from clew.model.exchange import Outcome

# A history of years is not learned in one request.
_MOST_IMPORTED = 200
_MOST_COMPARED = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, as far as it concerns who says what where."""

    caller: Caller
    user: str
    friend: str | None
    persona: str | None
    said: tuple[ShownTurn, ...]
    conversation: str | None = None
    # An idempotency key, or the client's own id of the message.
    token: str | None = None
    # The client's library sends the same request again after a failure.
    retried: bool = False
    continues: bool = False
    # The conversation is known already: the client named a reply in it, and goes on from there.
    base: str | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """Everything before the answer is done; `replay` holds one that was given already."""

    asked: Asked
    base: str
    place: Place
    verdict: Verdict
    message_id: str
    generation: int = 0
    replay: Outcome | None = None

    @property
    def text(self) -> str:
        return self.asked.said[-1].text

    @property
    def again(self) -> bool:
        return self.verdict.known is not None


class _Lock:
    """A lock that can be forgotten when nobody holds it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


_LOCKS: WeakValueDictionary[str, _Lock] = WeakValueDictionary()
_MAKING = threading.Lock()


@contextmanager
def held(base: str) -> Iterator[None]:
    """One request of a conversation at a time, within this process; the lease sees to the others."""
    with _MAKING:
        mine = _LOCKS.setdefault(base, _Lock())
    with mine.lock:
        yield


def base_of(desk: Desk, asked: Asked) -> tuple[str, bool]:
    """The conversation's name among names, and whether it was made from the first message."""
    if asked.base:
        return asked.base, False
    who = (asked.caller.tenant, asked.user, asked.friend or "")
    if asked.conversation:
        return desk.tables.keyed("conversation", *who, asked.conversation), False
    return desk.tables.keyed("first", *who, " ".join(asked.said[0].text.split())), True


def prepare(desk: Desk, asked: Asked) -> Ready:
    """Judge the history, withdraw what was dropped, take in what is new before the last message."""
    base, derived = base_of(desk, asked)
    nodes = desk.tables.nodes(base)
    verdict = judge(
        base,
        asked.said,
        nodes,
        desk.tables.keyed,
        derived=derived,
        continues=asked.continues,
        forks=asked.base is not None,
    )
    place = _place(desk, asked, base, verdict.branch)
    if replay := _replayed(desk, asked, nodes, verdict, place):
        return replace(replay, base=base)
    if verdict.withdrawn:
        service.withdraw(desk.parts, place.scope, [n.message_id for n in _standing(desk, verdict.withdrawn)])
        desk.tables.put_nodes(replace(n, live=False) for n in verdict.withdrawn)
    if verdict.import_from is not None:
        _import(desk, asked, base, place, verdict)
    else:
        _as_shown(desk, asked, nodes, verdict)
    known = verdict.known
    if known is not None:
        return Ready(asked, base, place, verdict, known.message_id, known.generation + 1)
    return Ready(asked, base, place, verdict, _message_id(desk, asked, base, verdict.branch, verdict.nodes[-1]))


def answer(desk: Desk, ready: Ready) -> Outcome:
    """The engine's own reply: a turn, or another reply to a turn that was taken."""
    if ready.replay is not None:
        return ready.replay
    if ready.again:
        return service.regenerate(desk.parts, ready.message_id, ready.generation)
    return service.say(desk.parts, ready.place, ready.text, ready.message_id)


def learn(desk: Desk, ready: Ready, reply: str) -> Outcome | None:
    """Somebody else answered: keep what was said, and what was answered."""
    if ready.again:
        if reply:
            service.show_reply(desk.parts, ready.message_id, reply)
        return None
    return service.learn(desk.parts, ready.place, ready.text, reply=reply, message_id=ready.message_id)


def note(desk: Desk, ready: Ready) -> None:
    """The last message is now a node that stands."""
    names = ready.verdict.nodes
    desk.tables.put_nodes(
        [
            Node(
                base=ready.base,
                branch=ready.verdict.branch,
                node=names[-1],
                parent=names[-2] if len(names) > 1 else ready.base,
                user_id=ready.place.user.user_id,
                message_id=ready.message_id,
                depth=len(names),
                generation=ready.generation,
                token=ready.asked.token,
            )
        ]
    )


def _place(desk: Desk, asked: Asked, base: str, branch: int) -> Place:
    name = base if branch == 0 else f"{base}#{branch}"
    return desk.place(
        asked.caller, asked.user, conversation=name, create=True, friend=asked.friend, persona=asked.persona
    )


def _message_id(desk: Desk, asked: Asked, base: str, branch: int, node: str) -> str:
    if asked.token:
        return derived_id("openai.token", asked.caller.tenant, asked.user, asked.token)
    return derived_id("openai", base, branch, node)


def _replayed(
    desk: Desk, asked: Asked, nodes: list[Node], verdict: Verdict, place: Place
) -> Ready | None:
    """The same key again, or the same request sent again by the client's library: the stored reply."""
    known = verdict.known
    if asked.token:
        used = [n for n in nodes if n.token == asked.token]
        if used and used[0].node != verdict.nodes[-1]:
            raise MessageReused("this Idempotency-Key came with another request", pointer="/messages")
        known = used[0] if used else None
    elif not asked.retried or verdict.withdrawn:
        return None
    if known is None:
        return None
    with desk.parts.store.read() as session:
        said = session.message(known.message_id)
    if said is None:
        return None
    held_at = service.place_of(desk.parts, said.conversation_id)
    outcome = service.say(desk.parts, held_at, said.text, known.message_id)
    return Ready(asked, "", held_at, verdict, known.message_id, known.generation, outcome)


def _standing(desk: Desk, nodes: tuple[Node, ...]) -> list[Node]:
    with desk.parts.store.read() as session:
        return [n for n in nodes if session.message(n.message_id) is not None]


def _import(desk: Desk, asked: Asked, base: str, place: Place, verdict: Verdict) -> None:
    first = max(verdict.import_from or 0, len(asked.said) - 1 - _MOST_IMPORTED)
    made: list[Node] = []
    for n in range(first, len(asked.said) - 1):
        message_id = derived_id("openai", base, verdict.branch, verdict.nodes[n])
        said = asked.said[n]
        try:
            service.learn(desk.parts, place, said.text, reply=said.reply or "", message_id=message_id)
        except InvalidInput:
            continue  # too long or unreadable: it is not learned, and the talk goes on
        made.append(
            Node(
                base=base,
                branch=verdict.branch,
                node=verdict.nodes[n],
                parent=verdict.nodes[n - 1] if n else base,
                user_id=place.user.user_id,
                message_id=message_id,
                depth=n + 1,
            )
        )
    desk.tables.put_nodes(made)


def _as_shown(desk: Desk, asked: Asked, nodes: list[Node], verdict: Verdict) -> None:
    """A reply that was edited, or swiped back to, is the one that counts."""
    standing = {n.node: n for n in nodes if n.branch == verdict.branch and n.live}
    pairs = list(zip(verdict.nodes[:-1], asked.said[:-1], strict=True))[-_MOST_COMPARED:]
    for name, said in pairs:
        if name in standing and said.reply:
            service.show_reply(desk.parts, standing[name].message_id, said.reply)



__all__ = ["Asked", "Kind", "Ready", "answer", "held", "learn", "note", "prepare"]
