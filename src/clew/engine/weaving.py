"""Open loops of a conversation: into the prompt, settled by a turn, proposed by anyone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from clew.engine.parts import Parts, user_lock
from clew.kernel.link.extract import extract
from clew.kernel.link.loose_ends import candidates
from clew.kernel.read.topics import topics
from clew.kernel.weave.arising import LifeLoop, arising, due, told_over
from clew.kernel.weave.converse import Answered, InPrompt, answered, for_prompt
from clew.kernel.weave.propose import from_intent
from clew.kernel.weave.reconcile import reconcile
from clew.model.account import Conversation
from clew.model.canonical import canonical_json, iso
from clew.model.event import Event, Put
from clew.model.thread import Thread, ThreadAdd, ThreadType, ThreadVerdict, Urgency
from clew.model.topic import TopicId
from clew.model.transcript import Line
from clew.model.turn import WritePolicy
from clew.policy import Policy
from clew.ports.store import Session

if TYPE_CHECKING:
    from clew.engine.turn_state import Turn

Origin = Literal["user", "model", "system"]
_TALK: Origin = "system"
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Loops:
    """The open threads as they stand at one turn, oldest first."""

    threads: tuple[Thread, ...] = ()
    rows: tuple[Row, ...] = ()

    def shown(self, policy: Policy, closed: Collection[TopicId] = ()) -> InPrompt:
        """A loop about a topic the user closed stays open, but is not brought up."""
        told = [
            t
            for t in self.threads
            if not closed or not any(m.topic in closed for m in topics(t.text, policy))
        ]
        return for_prompt(told, policy)

    def settled(self, user_text: str, reply: str, policy: Policy) -> tuple[Answered, ...]:
        return answered(self.threads, user_text, reply, policy) if self.threads else ()


def loops_of(rows: Sequence[Row], turn: int) -> Loops:
    """`turn` counts the user's messages; a thread's age is the turns since it was opened."""
    return Loops(tuple(_thread(r, turn) for r in rows), tuple(rows))


def settle_puts(loops: Loops, settled: Sequence[Answered], at: datetime) -> list[Put]:
    rows = {r["id"]: r for r in loops.rows}
    return [
        Put("threads", {**rows[a.thread_id], "status": "resolved", "reason": a.reason.detail, "at": iso(at)})
        for a in settled
    ]


def close_puts(loops: Loops, thread_ids: Sequence[str], at: datetime) -> list[Put]:
    """Threads that the user closed by pointing at them."""
    return [
        Put("threads", {**row, "status": "resolved", "reason": "resolved by user", "at": iso(at)})
        for row in loops.rows
        if row["id"] in thread_ids
    ]


def life_loops(loops: Loops) -> tuple[LifeLoop, ...]:
    """Loops that arose in talk, with the moment they were opened."""
    mine = (r for r in loops.rows if r["origin"] == _TALK)
    return tuple(LifeLoop(r["id"], r["text"], datetime.fromisoformat(r["at"])) for r in mine)


def due_loop(parts: Parts, turn: Turn) -> str | None:
    """What to ask about now: its day has passed, and nothing of it was told yet."""
    found = due(life_loops(turn.loops), turn.plans, turn.read.language, turn.at, parts.policy)
    return found.text if found else None


def woven(
    parts: Parts, turn: Turn, session: Session, loops: Loops, reply: str
) -> tuple[list[Put], list[str], list[str]]:
    """Loops that this turn closes, because their outcome was told or asked for, and those that it opens."""
    assert turn.conversation is not None
    mine, language = life_loops(loops), turn.read.language
    over = told_over(mine, turn.text, language, parts.policy)
    asked = tuple(x.id for x in mine if "?" in reply and x.text.lower() in reply.lower())
    rows = {r["id"]: r for r in loops.rows}
    reasons = {**dict.fromkeys(asked, "asked about"), **dict.fromkeys(over, "told by user")}
    gone = [
        Put("threads", {**rows[i], "status": "resolved", "reason": why, "at": iso(turn.at)})
        for i, why in reasons.items()
    ]
    stays = [r["text"] for i, r in rows.items() if i not in reasons]
    new = () if over else arising(turn.found.candidates, turn.text, language, stays, turn.at, parts.policy)
    if turn.route.memory_write_policy is WritePolicy.NONE or turn.route.crisis:
        new = ()
    talk = turn.conversation.conversation_id
    highest = max((int(r["id"].rpartition("-")[2]) for r in session.threads(talk, None)), default=0) if new else 0
    number = turn_number(session, talk)
    opened = [
        Put(
            "threads",
            {
                "conversation_id": talk,
                "id": f"td-{highest + place}",
                "user_id": turn.user.user_id,
                "type": ThreadType.QUEST.value,
                "text": text,
                "urgency": Urgency.MEDIUM.value,
                "status": "open",
                "opened_turn": number,
                "supersedes": canonical_json([]),
                "origin": _TALK,
                "reason": None,
                "at": iso(turn.at),
            },
        )
        for place, text in enumerate(new, 1)
    ]
    return [*gone, *opened], [rows[i]["text"] for i in over], list(new)


def propose(
    parts: Parts,
    conversation: Conversation,
    adds: Sequence[ThreadAdd] = (),
    resolve: Sequence[str] = (),
    *,
    origin: Origin = "user",
    mode: Literal["strict", "repair"] = "repair",
) -> ThreadVerdict:
    """Reconcile a proposal with what is open and keep the result; a rejected one changes nothing."""
    at = parts.clock.now()
    with parts.store.write(user_lock(conversation.user_id)) as session:
        everything = session.threads(conversation.conversation_id, None)
        turn = turn_number(session, conversation.conversation_id)
        loops = loops_of([r for r in everything if r["status"] == "open"], turn)
        highest = max((int(r["id"].rpartition("-")[2]) for r in everything), default=0)
        verdict = reconcile(
            loops.threads, list(enumerate(adds)), resolve, policy=parts.policy, mode=mode, next_id=highest + 1
        )
        changes = _changes(conversation, loops, verdict, turn, at, origin) if verdict.accepted else []
        if changes:
            session.append(
                [
                    Event(
                        kind="threads.changed",
                        at=at,
                        user_id=conversation.user_id,
                        policy=parts.policy.fingerprint,
                        changes=tuple(changes),
                        note={"diagnostics": [d.as_dict() for d in verdict.diagnostics]},
                    )
                ]
            )
    return verdict


def suggest(parts: Parts, conversation: Conversation, last: int = 200) -> tuple[ThreadAdd, ...]:
    """What the user set out to do lately and nothing took up, as loops they may open."""
    with parts.store.read() as session:
        said = session.recent(conversation.conversation_id, last)
    lines = [Line(index=m.position, speaker=m.role, text=m.text) for m in said]
    if not lines:
        return ()
    found = extract(conversation.conversation_id, lines, parts.policy.link, dm=["assistant"])
    adds = (from_intent(c.text, parts.policy) for c in candidates(found.links))
    return tuple(dict.fromkeys(a for a in adds if a is not None))


def turn_number(session: Session, conversation_id: str) -> int:
    return session.next_position(conversation_id) // 2


def _changes(
    conversation: Conversation, loops: Loops, verdict: ThreadVerdict, turn: int, at: datetime, origin: Origin
) -> list[Put]:
    rows = {r["id"]: r for r in loops.rows}
    successor = {old: t.id for t in verdict.added for old in t.supersedes}
    gone = [
        Put(
            "threads",
            {
                **rows[i],
                "status": "resolved",
                "reason": f"replaced by {successor[i]}" if i in successor else f"resolved by {origin}",
                "at": iso(at),
            },
        )
        for i in verdict.resolved
        if i in rows
    ]
    new = [
        Put(
            "threads",
            {
                "conversation_id": conversation.conversation_id,
                "id": t.id,
                "user_id": conversation.user_id,
                "type": t.type.value,
                "text": t.text,
                "urgency": t.urgency.value,
                "status": "open",
                "opened_turn": turn,
                "supersedes": canonical_json(list(t.supersedes)),
                "origin": origin,
                "reason": None,
                "at": iso(at),
            },
        )
        for t in verdict.added
    ]
    return gone + new


def _thread(row: Row, turn: int) -> Thread:
    return Thread(
        id=row["id"],
        type=ThreadType(row["type"]),
        text=row["text"],
        urgency=Urgency(row["urgency"]),
        age=max(0, turn - row["opened_turn"]),
    )
