"""Open loops of a conversation: into the prompt, settled by a turn, proposed by anyone."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from clew.engine.parts import Parts, user_lock
from clew.frozen import dataclass
from clew.kernel.link.extract import extract
from clew.kernel.link.loose_ends import candidates
from clew.kernel.read.topics import topics
from clew.kernel.weave.arising import LifeLoop, arising, begun, due, plans_of, told_over
from clew.kernel.weave.converse import Answered, InPrompt, answered, for_prompt
from clew.kernel.weave.propose import from_intent
from clew.kernel.weave.reconcile import reconcile
from clew.model.account import Conversation
from clew.model.event import Event
from clew.model.rows import put_thread
from clew.model.thread import KeptThread, Thread, ThreadAdd, ThreadStatus, ThreadType, ThreadVerdict
from clew.model.topic import TopicId
from clew.model.transcript import Line
from clew.model.turn import WritePolicy
from clew.policy import Policy
from clew.ports.store import Session

if TYPE_CHECKING:
    from clew.engine.turn_state import Turn

Origin = Literal["user", "model", "system"]
_TALK: Origin = "system"
# A list that holds the exam and ends with “what else?” asks nothing about the exam.
_QUESTION = re.compile(r"[^.!?\n]*\?")


@dataclass(frozen=True, slots=True)
class Loops:
    """The open threads as they stand at one turn, oldest first."""

    threads: tuple[Thread, ...] = ()
    kept: tuple[KeptThread, ...] = ()

    def shown(self, policy: Policy, closed: Collection[TopicId] = ()) -> InPrompt:
        """A loop about a topic the user closed stays open, but is not brought up."""
        told = [
            t
            for t in self.threads
            if not closed or not any(m.topic in closed for m in topics(t.text, policy))
        ]
        return for_prompt(told, policy)

    def settled(self, user_text: str, reply: str, policy: Policy) -> tuple[Answered, ...]:
        """A plan or a worry is settled by the user's words alone: telling when the exam is does not end it."""
        own = {k.id for k in self.kept if k.origin == _TALK}
        found = answered(self.threads, user_text, reply, policy) if self.threads else ()
        return tuple(a for a in found if a.thread_id not in own or a.by == "user")


def loops_of(kept: Sequence[KeptThread], turn: int) -> Loops:
    """`turn` counts the user's messages; a thread's age is the turns since it was opened."""
    return Loops(tuple(k.at_turn(turn) for k in kept), tuple(kept))


def settled_threads(loops: Loops, settled: Sequence[Answered], at: datetime) -> list[KeptThread]:
    """Threads that the turn answered."""
    by_id = {k.id: k for k in loops.kept}
    return [by_id[a.thread_id].resolved(a.reason.detail, at) for a in settled]


def closed_threads(loops: Loops, thread_ids: Sequence[str], at: datetime) -> list[KeptThread]:
    """Threads that the user closed by pointing at them."""
    return [k.resolved("resolved by user", at) for k in loops.kept if k.id in thread_ids]


def life_loops(loops: Loops) -> tuple[LifeLoop, ...]:
    """Loops that arose in talk, with the moment they were opened."""
    return tuple(LifeLoop(k.id, k.text, k.at) for k in loops.kept if k.origin == _TALK)


def due_loop(parts: Parts, turn: Turn) -> str | None:
    """What to ask about now: its day has passed, and nothing of it was told yet."""
    found = due_of(parts, turn, life_loops(turn.loops))
    return found.text if found else None


def due_of(parts: Parts, turn: Turn, loops: Sequence[LifeLoop]) -> LifeLoop | None:
    """A plan that was changed since is not asked for as if its day had passed."""
    policy = parts.policy
    over = plans_of(loops, turn.plans_over, policy)
    moved = [x for x in loops if over[x.id]]
    stands = plans_of(moved, turn.plans, policy)
    changed = [x for x in moved if not stands[x.id]]
    return due([x for x in loops if x not in changed], turn.plans, turn.read.language, turn.at, policy)


def woven(
    parts: Parts, turn: Turn, session: Session, loops: Loops, reply: str
) -> tuple[list[KeptThread], list[str], list[str]]:
    """Loops that this turn closes, because their outcome was told or asked for, and those that it opens."""
    assert turn.conversation is not None
    mine = life_loops(loops)
    awaited = due_of(parts, turn, mine) or begun(mine, turn.plans, turn.read.language, turn.at, parts.policy)
    over = told_over(mine, turn.read, parts.policy, awaited)
    questions = [one.lower() for one in _QUESTION.findall(reply)]
    asked = tuple(x.id for x in mine if any(x.text.lower() in one for one in questions))
    by_id = {k.id: k for k in loops.kept}
    reasons = {**dict.fromkeys(asked, "asked about"), **dict.fromkeys(over, "told by user")}
    gone = [by_id[i].resolved(why, turn.at) for i, why in reasons.items()]
    stays = [k.text for i, k in by_id.items() if i not in reasons]
    new = () if over else arising(turn.found.candidates, turn.read, stays, turn.at, parts.policy)
    if turn.route.memory_write_policy is WritePolicy.NONE or turn.route.crisis:
        new = ()
    talk = turn.conversation
    highest = _highest(session.threads(talk.conversation_id, None)) if new else 0
    number = turn_number(session, talk.conversation_id) if new else 0
    opened = [
        _opened(talk, Thread(f"td-{highest + place}", ThreadType.QUEST, text), number, turn.at, _TALK)
        for place, text in enumerate(new, 1)
    ]
    return [*gone, *opened], [by_id[i].text for i in over], list(new)


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
        loops = loops_of([k for k in everything if k.status is ThreadStatus.OPEN], turn)
        free = _highest(everything) + 1
        verdict = reconcile(
            loops.threads, list(enumerate(adds)), resolve, policy=parts.policy, mode=mode, next_id=free
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
                        changes=tuple(put_thread(k) for k in changes),
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
    return turn_at(session.next_position(conversation_id))


def turn_at(position: int) -> int:
    """Messages stand in pairs, the user's and the reply."""
    return position // 2


def _changes(
    conversation: Conversation, loops: Loops, verdict: ThreadVerdict, turn: int, at: datetime, origin: Origin
) -> list[KeptThread]:
    by_id = {k.id: k for k in loops.kept}
    successor = {old: t.id for t in verdict.added for old in t.supersedes}
    gone = [
        by_id[i].resolved(f"replaced by {successor[i]}" if i in successor else f"resolved by {origin}", at)
        for i in verdict.resolved
        if i in by_id
    ]
    return gone + [_opened(conversation, t, turn, at, origin) for t in verdict.added]


def _opened(conversation: Conversation, thread: Thread, turn: int, at: datetime, origin: Origin) -> KeptThread:
    return KeptThread(
        conversation_id=conversation.conversation_id,
        id=thread.id,
        user_id=conversation.user_id,
        type=thread.type,
        text=thread.text,
        urgency=thread.urgency,
        status=ThreadStatus.OPEN,
        opened_turn=turn,
        supersedes=thread.supersedes,
        origin=origin,
        reason=None,
        at=at,
    )


def _highest(kept: Sequence[KeptThread]) -> int:
    return max((k.number for k in kept), default=0)
