"""Which of what is known answers a question: rules find by place, the search by words, a learned chooser weighs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import pairwise

from clew.engine.meanings import lend
from clew.engine.parts import Parts
from clew.engine.recall import SearchHit
from clew.engine.turn_state import Turn
from clew.engine.vectors import heads_fit, vector_of, vectors_of
from clew.frozen import dataclass
from clew.kernel.keep.keys import attribute_for
from clew.kernel.read.utterance import read, stated_in
from clew.kernel.recall.answers import Moment, finding_of, tellable
from clew.kernel.recall.chooser import likely
from clew.kernel.recall.choosing import chosen
from clew.kernel.recall.known import MEMORY, TURN, Known, Question
from clew.kernel.recall.narrowing import Wanted, wanted
from clew.model.key import Key
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.notes import WeighNote
from clew.model.plan import Finding
from clew.model.utterance import Act, Ask
from clew.policy import Policy

Telling = Callable[[], Finding]
# What is less likely is not worth a line of the trace.
_SHOWN = 0.05


def may_weigh(parts: Parts, turn: Turn) -> bool:
    """There are weights for this reading, and something may be asked."""
    limits = parts.policy.recall
    if not parts.policy.reader.answers or not heads_fit(parts) or turn.read.vector is None:
        return False
    asks = turn.heard.flags.is_question or any(s.act is Act.QUESTION for s in turn.read.sentences)
    return asks or dict(turn.read.asked_for).get("", 0.0) >= limits.answers_look


@dataclass(frozen=True, slots=True)
class Before:
    """What lies before us when a question is weighed.

    by_place: what the rules found.   records: what may be told.   said: what the search by words found.
    asking: what of the message asks.
    """

    asks: tuple[Ask, ...]
    by_place: Sequence[Finding]
    records: Sequence[MemoryRecord]
    wanted: Wanted
    said: Sequence[SearchHit]
    asking: str


def weighed(parts: Parts, turn: Turn, before: Before, at: float) -> tuple[tuple[Finding, ...], dict[str, float]]:
    """The findings that answer, the best first, and the chance of everything that was weighed.

    There are none where nothing known answers, from the chance `at` on.
    """
    question, known, findings = put_side_by_side(parts, turn, before)
    chances = likely(question, known, parts.policy, lend(parts.embedder))
    turn.notes.add(WeighNote(tuple((k.id, c) for k, c in zip(known, chances, strict=True) if c >= _SHOWN)))
    picked = chosen(question, known, chances, at, parts.policy)
    weights = {k.id: c for k, c in zip(known, chances, strict=True)}
    return tuple(replace(findings[i](), named=sure) for i, sure in picked), weights


def put_side_by_side(
    parts: Parts, turn: Turn, before: Before
) -> tuple[Question, list[Known], list[Telling]]:
    """The question, and everything that might answer it, each with how it would be told."""
    known, findings = at_hand(parts, Moment(turn.read.language, turn.at, turn.zone), before)
    chances = dict(turn.read.asked_for)
    asked = chances.pop("", 0.0)
    marked = turn.heard.flags.is_question or "?" in turn.text or any(s.act is Act.QUESTION for s in turn.read.sentences)
    text, vector = turn.read.asked_as or turn.text, turn.read.vector
    if len(turn.read.sentences) > 1 and (alone := before.asking) != text:
        text, vector = alone, vector_of(parts, alone) or vector
    question = Question(
        text, turn.read.language, before.asks, asked, chances, before.wanted, vector or (), marked
    )
    return question, known, findings


def meant_by_words(
    parts: Parts, turn: Turn, named: str, records: Sequence[MemoryRecord], said: Sequence[SearchHit]
) -> dict[str, float]:
    """How likely each memory and each message is what some words name, weighed as if they were asked for."""
    policy, language = parts.policy, turn.read.language
    text = f"{named}?"
    vector = vector_of(parts, text)
    if not policy.reader.answers or not heads_fit(parts) or vector is None:
        return {}
    heard = read(text, policy, vector=vector)
    chances = dict(heard.asked_for)
    chances.pop("", None)
    words = wanted(text, heard.asks, language, policy)
    moment = Moment(language, turn.at, turn.zone)
    known, _ = at_hand(parts, moment, Before(heard.asks, (), records, words, said, text))
    question = Question(text, language, heard.asks, 1.0, chances, words, vector)
    return {k.id: c for k, c in zip(known, likely(question, known, policy, lend(parts.embedder)), strict=True)}


def at_hand(parts: Parts, moment: Moment, before: Before) -> tuple[list[Known], list[Telling]]:
    """Everything that might answer, each with how it would be told: few of them are."""
    policy, language = parts.policy, moment.language
    grade = {f.id: f.named for f in before.by_place}
    held = [m for m in before.records if tellable(m, False) or tellable(m, True)]
    held.sort(key=lambda m: (m.last_confirmed_at, m.memory_id), reverse=True)
    held.sort(key=lambda m: (-grade.get(m.memory_id, 0.0), m.status is not MemoryStatus.ACTIVE))
    held = held[: policy.recall.answers_weighed]
    newest: dict[tuple[str, str, str], str] = {}
    for m in sorted(held, key=lambda m: (m.last_confirmed_at, m.memory_id)):
        newest[m.subject, _called(m), attribute_for(m, policy)] = m.memory_id
    known: list[Known] = []
    findings: list[Telling] = []
    found_by = {hit.id: _parts(hit) for hit in before.said}
    for m in held:
        attribute = attribute_for(m, policy)
        found = partial(finding_of, m, grade.get(m.memory_id, 0.0), policy, moment)
        words = m.statement or found().told
        past = m.status is not MemoryStatus.ACTIVE
        known.append(
            Known(
                m.memory_id,
                MEMORY,
                words,
                m.memory_value.replace("|", " ").replace("_", " "),
                m.subject,
                attribute,
                _called(m),
                grade.get(m.memory_id, 0.0),
                newest[m.subject, _called(m), attribute] == m.memory_id,
                past,
                sources=m.source_message_ids,
                search=next((found_by[i] for i in reversed(m.source_message_ids) if i in found_by), {}),
            )
        )
        findings.append(found)
    earlier = said_just_before(before.said, policy)
    for hit in before.said:
        if stated := stated_in(hit.text, language, policy):
            known.append(Known(hit.id, TURN, stated, before=earlier[hit.id], search=found_by[hit.id]))
            findings.append(partial(Finding, stated, "turn", hit.id, at=hit.at, named=0.4))
    made = vectors_of(parts, [*(k.words for k in known), *(k.before for k in known if k.before)])
    return [replace(k, vector=made.get(k.words), vector_before=made.get(k.before)) for k in known], findings


def _called(record: MemoryRecord) -> str:
    """The name of whom it is about, where one is held: two children are two."""
    key = Key.parse(record.memory_key)
    return (key.name or "") if key else ""


def _parts(hit: SearchHit) -> dict[str, float]:
    """What spoke for a message in the search."""
    return {"score": hit.score, **{name: value for name, value in hit.why.items() if isinstance(value, float)}}


def said_just_before(said: Sequence[SearchHit], policy: Policy) -> dict[str, str]:
    """What the user said shortly before each of their messages; empty where a pause or nothing came before it."""
    out: dict[str, str] = dict.fromkeys((hit.id for hit in said), "")
    ordered = sorted((hit for hit in said if hit.at is not None), key=lambda hit: (hit.at, hit.id))
    for one, two in pairwise(ordered):
        assert one.at is not None and two.at is not None
        if two.at - one.at <= timedelta(minutes=policy.recall.answers_goes_on_minutes):
            out[two.id] = one.text
    return out
