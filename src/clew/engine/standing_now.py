"""A quotation or a guess gives way to what is held: the plan that stands now, what was asked for by its plain name.

"Tomorrow at three" said last week answers no "when"; "not Tuesday, Thursday" is no answer without the thing itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from clew.engine.overtaken import bears_as_heir
from clew.engine.parts import Parts
from clew.engine.remembered import all_memories
from clew.engine.turn_state import Turn
from clew.kernel.correct.telling_words import told_words
from clew.kernel.keep.ended import ENDED
from clew.kernel.keep.keys import attribute_for, bare_value
from clew.kernel.recall.answers import HISTORY, Moment, finding_of
from clew.kernel.recall.kinds_asked import holds_kind, kinds_asked, loses_kind
from clew.kernel.recall.named import names_it
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.plan import MAYBE, Finding
from clew.model.utterance import Ask
from clew.policy import Policy

_PLAN = "plan"
# What is told of a plan itself, and of who has part in it.
_OF_PLANS = (_PLAN, "event", "name", "called", "note")
_QUOTED = "turn"
# A question for more attributes than this needs all that bears on it.
_FEW = 2
_A_DAY = timedelta(days=1)
_NUMBER = re.compile(r"\d+")


def as_it_stands(
    parts: Parts, turn: Turn, found: Sequence[Finding], question: str, chances: Mapping[str, float]
) -> tuple[Finding, ...]:
    """The findings, each quotation of a plan as the plan stands; what is told twice then is told once.

    chances: how likely each thing answers. Of all that a message told, a plan stands for its words only where nothing
    else that was read from them answers more. What took the place of the answer, and hardly bears on the question, took
    the place of something else that was told.
    """
    if not any((f.source == _QUOTED) != f.past for f in found):
        return tuple(found)
    history = any(a.attribute == HISTORY for a in turn.read.asks)
    policy = parts.policy
    records = list(all_memories(parts, turn))
    by_id = {m.memory_id: m for m in records}
    when = _asks_when(question, turn.read.language, policy)
    moment = Moment(turn.read.language, turn.at, turn.zone)
    out: dict[str, Finding] = {}
    for f in found:
        held = None
        if f.source != _QUOTED and f.past and (old := by_id.get(f.id)) is not None and not history:
            held = _heir(old, by_id)
            held = held if held is not None and bears_as_heir(held, old.memory_id, chances, policy) else None
        elif f.source == _QUOTED and not f.past:
            told = [m for m in records if f.id in m.source_message_ids and attribute_for(m, policy) == _PLAN]
            told = _of_the_question(told, question, policy)
            # Where the boat lay is no answer to whether it is for sale, wherever it lies now.
            held = _standing(told, by_id, when) if when or not _tells_more(f.id, records, policy) else None
            if held is not None and _answers_less(held, f.id, records, chances):
                held = None
            held = None if held is not None and held in told and _closer(f.told, held) else held
            held = held or _put_right_since(f, records, by_id, chances)
            f = _ending(f, records, question, policy)
        if held is not None and not held.paused:
            now = finding_of(held, f.named, policy, moment)
            f = f if loses_kind(question, f.told, now.told, turn.read.language, policy) else now
        out.setdefault(f.id, f)
    return tuple(out.values())


def in_full(parts: Parts, turn: Turn, found: Sequence[Finding], question: str) -> tuple[Finding, ...]:
    """What is told of a memory, or in the words it was told in where these alone hold what is asked for.

    "Why don't I eat pork?": that the user eats none was read, the reason stands beside it in their own words.
    """
    language, policy = turn.read.language, parts.policy
    kinds = kinds_asked(question, language, policy)
    if not kinds or all(f.source == _QUOTED for f in found):
        return tuple(found)
    said = {m.memory_id: m for m in all_memories(parts, turn) if m.statement and m.source_message_ids}

    def whole(f: Finding) -> Finding:
        held = said.get(f.id) if f.source != _QUOTED and not f.past else None
        words = (held.statement or "") if held is not None else ""
        lacks = any(not holds_kind(k, f.told, language, policy) for k in kinds)
        if held is None or not lacks or not loses_kind(question, words, f.told, language, policy):
            return f
        return replace(f, told=words, source="turn", id=held.source_message_ids[-1])

    return tuple(map(whole, found))


def held_behind(parts: Parts, turn: Turn, found: Sequence[Finding]) -> list[MemoryRecord]:
    """What holds and may be told of the messages that are to be quoted."""
    quoted = {f.id for f in found if f.source == _QUOTED}
    if not quoted:
        return []
    with parts.store.read() as session:
        held = turn.gone.memories(session.memories(*turn.scope, [MemoryStatus.ACTIVE]))
    return [m for m in held if quoted & set(m.source_message_ids) and not m.paused]


def _ending(found: Finding, records: Sequence[MemoryRecord], question: str, policy: Policy) -> Finding:
    """The words that ended the very thing which the question names are told as of what is over."""
    at = found.at
    over = (m for m in records if m.invalid_reason == ENDED and m.ended_at == at and at is not None)
    old = next((m for m in over if names_it(question, m.subject, m.memory_value, policy)), None)
    if old is None:
        return found
    return replace(found, subject=old.subject, value=old.memory_value, past=True)


def with_plain(
    best: Sequence[Finding],
    held: Sequence[MemoryRecord],
    asks: Sequence[Ask],
    moment: Moment,
    policy: Policy,
) -> tuple[Finding, ...]:
    """The likeliest, unless what is held under the very name that was asked for is passed over by them.

    held: what plain words ask for and the table holds; it is no guess.
    """
    ids = {m.memory_id for m in held}
    if not ids or ids <= {f.id for f in best}:
        return tuple(replace(f, named=1.0) if f.id in ids else f for f in best)
    plain = tuple(finding_of(m, 1.0, policy, moment) for m in held[: policy.recall.answers_each])
    # What to beware of is many things; one that is held does not stand for the others.
    wide = len({a.attribute for a in asks}) > _FEW
    return (*plain, *(f for f in best if f.id not in ids and f.named != MAYBE)) if wide else plain


def _put_right_since(
    quoted: Finding, records: Sequence[MemoryRecord], by_id: Mapping[str, MemoryRecord], chances: Mapping[str, float]
) -> MemoryRecord | None:
    """What took the place of a word of the quotation, where of all that was read from it that answers most.

    "I use Postgres", "it's MySQL, not Postgres": the words that told it tell what is no more.
    """
    told = [m for m in records if quoted.id in m.source_message_ids and not m.paused]
    gone = [m for m in told if m.status is MemoryStatus.SUPERSEDED and _says_value(quoted.told, m)]
    heirs = {m.memory_id: heir for m in gone if (heir := _heir(m, by_id)) is not None}
    if not heirs:
        return None
    stands = [m for m in told if m.status is MemoryStatus.ACTIVE and m not in heirs.values()]
    most = max((chances.get(m.memory_id, 0.0) for m in stands), default=0.0)

    def likely(old: str) -> float:
        return max(chances.get(old, 0.0), chances.get(heirs[old].memory_id, 0.0))

    best = max(heirs, key=likely)
    return heirs[best] if likely(best) > most else None


def _says_value(words: str, record: MemoryRecord) -> bool:
    return bare_value(record.memory_value).replace("_", " ").lower() in words.lower()


def _of_the_question(
    plans: Sequence[MemoryRecord], question: str, policy: Policy
) -> list[MemoryRecord]:
    """Of several plans told in one message those that the question names: the dentist moved, and choir did not."""
    asked = told_words(question, policy)
    shared = {m.memory_id: len(asked & told_words(bare_value(m.memory_value), policy)) for m in plans}
    most = max(shared.values(), default=0)
    return [m for m in plans if shared[m.memory_id] == most]


def _standing(told: Sequence[MemoryRecord], by_id: Mapping[str, MemoryRecord], when: bool) -> MemoryRecord | None:
    """The one plan that a message's words led to: whatever took its place, or itself where a day is asked for."""
    active = [m for m in told if m.status is MemoryStatus.ACTIVE]
    heirs = {m.memory_id: m for old in told if (m := _heir(old, by_id)) is not None}
    if heirs and not [m for m in active if m.memory_id not in heirs]:
        heir = next(iter(heirs.values()))
        return heir if len(heirs) == 1 and (heir.when_start is not None or not when) else None
    dated = [m for m in active if m.when_start is not None]
    return dated[0] if when and len(dated) == 1 else None


def _answers_less(
    plan: MemoryRecord, message_id: str, records: Sequence[MemoryRecord], chances: Mapping[str, float]
) -> bool:
    """ "How long was Josh a soldier?", told with when his placement starts."""
    beside = (m for m in records if message_id in m.source_message_ids and m.attribute != _PLAN)
    most = max((chances.get(m.memory_id, 0.0) for m in beside), default=0.0)
    return chances.get(plan.memory_id, 0.0) < most


def _closer(words: str, plan: MemoryRecord) -> bool:
    """ "The reading is next week, on the 28th at 7": the words tell the time more closely than was read from them."""
    if plan.when_start is None or (plan.when_end is not None and plan.when_end - plan.when_start <= _A_DAY):
        return False
    return not set(_NUMBER.findall(words)) <= set(_NUMBER.findall(f"{plan.when_text} {plan.memory_value}"))


def _tells_more(message_id: str, records: Sequence[MemoryRecord], policy: Policy) -> bool:
    """Something else that stands was told with the plan."""
    beside = (m for m in records if m.status is MemoryStatus.ACTIVE and message_id in m.source_message_ids)
    return any(attribute_for(m, policy) not in _OF_PLANS for m in beside)


def _heir(old: MemoryRecord, by_id: Mapping[str, MemoryRecord]) -> MemoryRecord | None:
    """What stands in the place of what was superseded, over however many changes."""
    seen: set[str] = set()
    last = old
    while last.status is MemoryStatus.SUPERSEDED and last.superseded_by and last.memory_id not in seen:
        seen.add(last.memory_id)
        if (new := by_id.get(last.superseded_by)) is None:
            return None
        last = new
    return last if last is not old and last.status is MemoryStatus.ACTIVE else None


def _asks_when(question: str, language: str, policy: Policy) -> bool:
    words = policy.checks.languages.get(language)
    shape = words.question_kinds.get("when") if words else None
    return shape is not None and re.search(shape.pattern, question, re.I) is not None
