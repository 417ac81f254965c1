"""Several plans told in one breath, each as a sentence of its own.

"I've got the dentist on Monday at 9 and choir on Wednesday at 7" is read as two sentences, so that each plan has its
own day. "Tomorrow I have a haircut at 10 and lunch at 1": the second one is for the same day as the first. A day that
opens a plan is read behind it, where it stands in most: "I have a haircut at 10 tomorrow".
"""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.keep.times import clock_told, leaning, resolve
from clew.kernel.language.packs import writer
from clew.kernel.text.sentences import sentences
from clew.policy import Policy
from clew.policy.check_rows import PlanJoints
from clew.programs import program

_WORD = re.compile(r"\w+")
_EDGE = " ,;&"


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of a sentence. day, clock: the words of time in it; thing: something is told besides."""

    text: str
    day: str
    clock: str
    thing: bool

    @property
    def whole(self) -> bool:
        return self.thing and bool(self.day or self.clock)


def plans_apart(text: str, language: str, at: datetime, zone: ZoneInfo, policy: Policy) -> str:
    """The text, in which every plan of several has its own sentence; unchanged where it tells no more than one."""
    words = policy.checks.languages.get(language)
    if words is None:
        return text
    told = sentences(text, policy.text)
    said = [_apart(one, words.plans, at, zone, policy) if len(one) <= words.plans.characters else [one] for one in told]
    said = [[_day_last(part, words.plans) for part in parts] for parts in said]
    if all(parts == [one] for one, parts in zip(told, said, strict=True)):
        return text
    return " ".join(p for parts in said for p in _closed(parts))


def _day_last(sentence: str, rows: PlanJoints) -> str:
    found = re.search(rows.fronted, sentence, re.I)
    if found is None:
        return sentence
    lead, day = found["lead"] or "", found["day"] or ""
    return f"{found['said']} {lead.lower()}{day}{found['end']}"


def _closed(parts: list[str]) -> list[str]:
    """Each but the last with a stop behind it, so that it is a sentence."""
    return [*(f"{part}." for part in parts[:-1]), parts[-1]]


def _apart(sentence: str, rows: PlanJoints, at: datetime, zone: ZoneInfo, policy: Policy) -> list[str]:
    joints = [(j.start(), j.end()) for j in program(rows.joint, re.I).finditer(sentence)]
    again = re.search(rows.habit, sentence, re.I) or not re.search(rows.once, sentence, re.I)
    if not joints or again or "?" in sentence:
        return [sentence]
    if resolve(sentence, at, zone, policy, 1) is None:
        return [sentence]  # without a day there is no plan
    parts = _parts(sentence, joints, at, zone, rows, policy)
    if len(parts) < 2 or not all(p.whole for p in parts) or not parts[0].day:
        return [sentence]
    head = re.search(rows.head, parts[0].text, re.I)
    if not head and leaning(parts[-1].text, policy) < 0:
        return [sentence]
    parts = [_part(_day_last(p.text, rows), at, zone, rows, policy) for p in parts]
    tail = re.search(rows.tail, parts[-1].text, re.I)
    last, day, out = len(parts) - 1, "", []
    for place, part in enumerate(parts):
        said = part.text
        if place and head and not re.search(rows.own, said, re.I):
            said = f"{head['head']} {said}"
        elif place < last and tail and not re.search(rows.own, said, re.I):
            said = f"{said} {tail['tail']}"
        elif not re.search(rows.own, said, re.I) and not (place == last if rows.tail_tells else head):
            return [sentence]
        out.append(said if part.day else rows.with_day.format(day=day, said=said))
        day = part.day or day
    return [writer(said).closed(said) for said in out[:-1]] + out[-1:]


def _parts(
    sentence: str, joints: list[tuple[int, int]], at: datetime, zone: ZoneInfo, rows: PlanJoints, policy: Policy
) -> list[_Part]:
    """Pieces that tell no time or no thing belong to the one before them, the first ones to the one behind."""
    begins, ends = [0, *(end for _, end in joints)], [*(start for start, _ in joints), len(sentence)]
    parts: list[_Part] = []
    first = 0
    for begin, end in zip(begins, ends, strict=True):
        part = _part(sentence[begin:end].strip(_EDGE), at, zone, rows, policy)
        if parts and not (part.whole and parts[-1].whole):
            parts[-1] = _part(sentence[first:end].strip(_EDGE), at, zone, rows, policy)
        else:
            parts.append(part)
            first = begin
    return parts


def _part(piece: str, at: datetime, zone: ZoneInfo, rows: PlanJoints, policy: Policy) -> _Part:
    when, clock = resolve(piece, at, zone, policy, 1), clock_told(piece, policy)
    if when is not None and (when.start is None or when.end is None or (when.end - when.start).days > rows.longest):
        return _Part(piece, "", "", False)
    day, hour = when.text.strip() if when else "", clock[1].strip() if clock else ""
    rest = piece
    for words in filter(None, (day, hour)):
        rest = rest.replace(words, " ", 1)
    thing = any(not re.fullmatch(rows.empty, word, re.I) for word in _WORD.findall(rest))
    return _Part(piece, day, hour, thing)
