"""Which of what is known answers a question: rules find by place, the search by words, a learned chooser weighs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.engine.parts import Parts
from clew.engine.recall import Found
from clew.engine.turn_state import Turn
from clew.engine.vectors import heads_fit, vectors_of
from clew.kernel.keep.changed import says
from clew.kernel.keep.keys import row_of
from clew.kernel.keep.telling import attribute_for
from clew.kernel.read.utterance import stated_in
from clew.kernel.recall.answers import Moment, finding_of, tellable
from clew.kernel.recall.chooser import MEMORY, TURN, Known, Question, likely
from clew.kernel.recall.narrowing import Wanted
from clew.kernel.recall.narrowing import held as words_held
from clew.model.key import Key
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.plan import MAYBE, Finding
from clew.model.utterance import Ask
from clew.policy import Policy

# Shapes of words that put right what was told before.
_PUTS_RIGHT = ("instead", "corrected", "opener")
# What is less likely is not worth a line of the trace.
_SHOWN = 0.05


def may_weigh(parts: Parts, turn: Turn) -> bool:
    """There are weights for this reading, and something may be asked."""
    limits = parts.policy.recall
    if not parts.policy.reader.answers or not heads_fit(parts) or turn.read.vector is None:
        return False
    return dict(turn.read.asked_for).get("", 0.0) >= limits.answers_look or turn.heard.flags.is_question


def weighed(
    parts: Parts,
    turn: Turn,
    asks: tuple[Ask, ...],
    by_place: Sequence[Finding],
    records: Sequence[MemoryRecord],
    wanted: Wanted,
    said: Sequence[Found],
    at: float,
) -> tuple[Finding, ...]:
    """The findings that answer, the best first; none where nothing known does, from the chance `at` on."""
    question, known, findings = put_side_by_side(parts, turn, asks, by_place, records, wanted, said)
    chances = likely(question, known, parts.policy)
    turn.notes.room("weigh", chances=[[k.id, c] for k, c in zip(known, chances, strict=True) if c >= _SHOWN])
    return chosen(question, known, findings, chances, records, at, parts.policy)


def chosen(
    question: Question,
    known: Sequence[Known],
    findings: Sequence[Finding],
    chances: Sequence[float],
    records: Sequence[MemoryRecord],
    at: float,
    policy: Policy,
) -> tuple[Finding, ...]:
    """What stands near the best; a quotation gives way to what was read from it. What is not sure stands alone."""
    limits = policy.recall
    order = sorted(range(len(known)), key=lambda i: (-chances[i], i))
    best = chances[order[0]] if order else 0.0
    if best < at:
        return ()
    if best < limits.answers_sure:
        return (replace(findings[order[0]], named=MAYBE),) if _touches(question, known[order[0]], policy) else ()
    near = [i for i in order if chances[i] >= max(limits.answers_sure, best - limits.answers_near)]
    held = [i for i in near if known[i].kind == MEMORY]
    source = {m.memory_id: m.source_message_ids for m in records}
    if known[order[0]].kind == TURN:
        # The same told as a memory is told better, and so is what stands under the very name that was asked for.
        exact = [i for i in order if known[i].kind == MEMORY and known[i].named == 1]
        told = [i for i in order if known[order[0]].id in source.get(known[i].id, ())]
        likely_too = [i for i in (*exact[:1], *told[:1]) if chances[i] >= best * limits.answers_retold]
        held = list(dict.fromkeys((*held, *likely_too[:1])))
    whole = _whole(known, held, chances, best, policy)
    read_from = {s for i in (*held, *whole) for s in source.get(known[i].id, ())}
    held = whole
    quoted = [i for i in near if known[i].kind == TURN and known[i].id not in read_from]
    if held and quoted[:1] != order[:1]:
        quoted = []
    kept = sorted((*held[: limits.answers_each], *quoted[: limits.answers_quoted]), key=lambda i: (-chances[i], i))
    return tuple(replace(findings[i], named=1.0) for i in kept)


def _touches(question: Question, known: Known, policy: Policy) -> bool:
    """A guess has a word in common with the question, or stands beside what is asked for."""
    if question.wanted.all & words_held(f"{known.words} {known.value}", policy):
        return True
    return known.named > 0 or question.chances.get(known.attribute, 0.0) >= policy.recall.answers_touch


def _whole(
    known: Sequence[Known], held: list[int], chances: Sequence[float], best: float, policy: Policy
) -> list[int]:
    """Of what one has many, the others too; of what one has once, what put it right."""
    out: dict[int, None] = {}
    for i in held:
        place = known[i].subject, known[i].attribute
        same = [
            j
            for j, k in enumerate(known)
            if k.kind == MEMORY and not k.past and not known[i].past and (k.subject, k.attribute) == place
        ]
        if not same or not known[i].attribute:
            out[i] = None
        elif row_of(known[i].attribute, policy).many:
            out |= dict.fromkeys([i, *(j for j in same if chances[j] >= best * policy.recall.answers_beside)])
        else:
            last = next((j for j in same if known[j].newest), i)
            out[last if any(says(known[last].words, kind, policy) for kind in _PUTS_RIGHT) else i] = None
    return list(out)


def put_side_by_side(
    parts: Parts,
    turn: Turn,
    asks: tuple[Ask, ...],
    by_place: Sequence[Finding],
    records: Sequence[MemoryRecord],
    wanted: Wanted,
    said: Sequence[Found],
) -> tuple[Question, list[Known], list[Finding]]:
    policy, language = parts.policy, turn.read.language
    moment = Moment(language, turn.at, turn.zone)
    grade = {f.id: f.named for f in by_place}
    held = [m for m in records if tellable(m, False) or tellable(m, True)]
    held.sort(key=lambda m: (m.last_confirmed_at, m.memory_id), reverse=True)
    held.sort(key=lambda m: (-grade.get(m.memory_id, 0.0), m.status is not MemoryStatus.ACTIVE))
    held = held[: policy.recall.answers_weighed]
    newest: dict[tuple[str, str], str] = {}
    for m in sorted(held, key=lambda m: (m.last_confirmed_at, m.memory_id)):
        newest[m.subject, attribute_for(m, policy)] = m.memory_id
    known, findings = [], []
    for m in held:
        key = Key.parse(m.memory_key)
        attribute = attribute_for(m, policy)
        found = finding_of(m, grade.get(m.memory_id, 0.0), policy, moment)
        words = m.statement or found.told
        past = m.status is not MemoryStatus.ACTIVE
        known.append(
            Known(
                m.memory_id,
                MEMORY,
                words,
                m.memory_value.replace("|", " ").replace("_", " "),
                m.subject,
                attribute,
                (key.name or "") if key else "",
                grade.get(m.memory_id, 0.0),
                newest[m.subject, attribute] == m.memory_id,
                past,
            )
        )
        findings.append(found)
    for hit in said:
        if stated := stated_in(hit.text, language, policy):
            known.append(Known(hit.id, TURN, stated, score=hit.score))
            findings.append(Finding(stated, "turn", hit.id, at=hit.at, named=0.4))
    made = vectors_of(parts, [k.words for k in known])
    chances = dict(turn.read.asked_for)
    asked = chances.pop("", 0.0)
    marked = turn.heard.flags.is_question or "?" in turn.text
    question = Question(turn.text, language, asks, asked, chances, wanted, turn.read.vector or (), marked)
    return question, [replace(k, vector=made.get(k.words)) for k in known], findings
