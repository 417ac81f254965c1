"""What the user has said since: their own words, undone by later ones, are not told as if they still held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.engine.changing import read_news
from clew.engine.parts import Parts
from clew.engine.turn_state import Turn
from clew.engine.vectors import heads_fit, token_vectors_of, vector_of, vectors_of
from clew.frozen import dataclass
from clew.kernel.keep.change_reader import Verdict, judge
from clew.kernel.keep.change_signs import Held, cosine
from clew.kernel.keep.ended import ENDED
from clew.kernel.keep.keys import attribute_for, row_of
from clew.kernel.read.utterance import read
from clew.kernel.recall.answers import HISTORY
from clew.model.account import Message
from clew.model.memory import SELF, MemoryRecord, MemoryStatus
from clew.model.plan import Finding
from clew.model.utterance import Act
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Undone:
    """Messages of which something holds no more, with those that undid it; `hidden` ones are never quoted.

    What was undone may be a part of what was told, or misread: whether the words still hold is judged when they are
    to be quoted.
    """

    by: Mapping[str, frozenset[str]]
    hidden: frozenset[str]


def undone_messages(parts: Parts, turn: Turn) -> Undone:
    if any(a.attribute == HISTORY for a in turn.read.asks):
        return Undone({}, frozenset())
    with parts.store.read() as session:
        records = session.memories(*turn.scope)
    by_id = {m.memory_id: m for m in records}
    said = {m.at: m.message_id for m in turn.history if m.role == "user"}
    near = set(said.values())
    # Told again since, it stands by the later words.
    live = {(m.memory_key, m.memory_value, m.statement) for m in records if m.status is MemoryStatus.ACTIVE}
    same = {(m.memory_key, m.memory_value) for m in records if m.status is MemoryStatus.ACTIVE}
    by: dict[str, frozenset[str]] = {}
    hidden: set[str] = set()
    for m in records:
        place = m.memory_key, m.memory_value
        if m.status is MemoryStatus.ACTIVE or (*place, m.statement) in live:
            continue
        if place in same and m.superseded_by is None:
            continue
        new = by_id.get(m.superseded_by or "")
        later = set(new.source_message_ids) if new is not None else {said.get(m.ended_at, "")} if m.ended_at else set()
        gone = m.invalid_reason not in (None, ENDED) or not later & near
        for source in m.source_message_ids:
            if gone or (new is not None and _asked_for(turn, m, parts.policy)):
                hidden.add(source)
            elif source not in later:
                by[source] = by.get(source, frozenset()) | (later & near)
    return Undone(by, frozenset(hidden))


def _messages(parts: Parts, turn: Turn, found: Sequence[Finding]) -> frozenset[str]:
    """The messages that what is to be told came from."""
    ids = {f.id for f in found}
    with parts.store.read() as session:
        held = [m for m in session.memories(*turn.scope, [MemoryStatus.ACTIVE]) if m.memory_id in ids]
    return frozenset(ids | {source for m in held for source in m.source_message_ids})


def _asked_for(turn: Turn, old: MemoryRecord, policy: Policy) -> bool:
    """What one has once is asked for by its name, and another stands in its place; or it is asked of somebody else, of
    whom the words told what holds no more.
    """
    attribute = attribute_for(old, policy)
    once = [a for a in turn.read.asks if a.attribute in policy.attributes.rows and not row_of(a.attribute, policy).many]
    asked = any(a.attribute == attribute or a.subject != SELF for a in once)
    likely = dict(turn.read.asked_for).get(attribute, 0.0) >= policy.changes.asked_at
    return (asked or likely) and not row_of(attribute, policy).many


def without_overtaken(
    parts: Parts, turn: Turn, found: Sequence[Finding], chances: Mapping[str, float] | None = None
) -> tuple[Finding, ...]:
    """A quotation that a later message undoes gives way to that message; one that was denied falls silent.

    chances: how likely each message answers what was asked. What does not bear on the question undoes nothing of its
    answer, whatever it ends: "we broke up" is no news of the English course.
    """
    if not heads_fit(parts) or not any(f.source == "turn" and not f.past for f in found):
        return tuple(found)
    said = [m for m in turn.history if m.role == "user" and "?" not in m.text]
    undone = undone_messages(parts, turn).by
    out: dict[str, Finding] = {}
    told = _messages(parts, turn, found)
    for f in found:
        at = f.at
        if f.source == "turn" and undone.get(f.id, frozenset()) & told:
            continue  # what took its place is told too
        linked = undone.get(f.id, frozenset())
        whole = (chances or {}).get(f.id, 0.0)
        bears = {m.message_id: (chances or {}).get(m.message_id, 0.0) / whole if whole else 1.0 for m in said}
        later = [
            m
            for m in said
            if at is not None
            and m.at > at
            and m.message_id != f.id
            and bears[m.message_id] >= parts.policy.changes.bears_a_little
        ]
        if f.source == "turn" and not f.past and later:
            f = _newest(parts, f, later, bears, linked)
        out.setdefault(f.id, f)
    return tuple(f for f in out.values() if f.told)


def _newest(
    parts: Parts, found: Finding, later: Sequence[Message], bears: Mapping[str, float], linked: frozenset[str]
) -> Finding:
    """The last message that undoes it: one that bears on the question, or is known to have undone something of it, or
    undoes it beyond doubt.
    """
    table = parts.policy.changes
    made = vectors_of(parts, [found.told, *(m.text for m in later)])
    mine = made.get(found.told)
    near = sorted(later, key=lambda m: (m.message_id in linked, cosine(mine, made.get(m.text))), reverse=True)
    near = near[: table.overtaken + len(linked)]
    tokens = token_vectors_of(parts, found.told)
    held = Held(found.told, SELF, "note", found.told, mine, mine, tokens)
    for message in sorted(near, key=lambda m: m.at, reverse=True):
        text = message.text
        heard = read(text, parts.policy, vector=vector_of(parts, text), tokens=token_vectors_of(parts, text))
        if all(s.act is not Act.STATEMENT for s in heard.sentences):
            continue
        judged = judge(message.message_id, held, read_news(parts, heard)[0], parts.policy)
        near_by = message.message_id in linked or bears[message.message_id] >= table.bears_on
        least = table.undone_at if near_by else table.undone_surely
        if judged is None or judged.undone < least:
            continue
        told = "" if judged.undoing is Verdict.DENIES else text
        past = judged.undoing is Verdict.ENDS
        return replace(found, told=told, id=message.message_id, at=message.at, past=past)
    return found
