"""Open loops of a life: a plan or a worry that is told becomes one, comes back when its time has come, and closes
when its outcome is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.language.pack import words_in
from clew.kernel.language.packs import writer
from clew.kernel.language.scripts import is_spaced
from clew.kernel.text.tokens import content_words
from clew.model.memory import SELF, Candidate, MemoryRecord
from clew.model.utterance import Utterance
from clew.policy import Policy
from clew.policy.weave import LifeWords
from clew.programs import program

_PLAN = "plan"
_PREFIX = 5
_PREFIX_SYLLABLES = 2


@dataclass(frozen=True, slots=True)
class LifeLoop:
    """An open loop as it stands: its words, and when it was opened."""

    id: str
    text: str
    opened: datetime


def arising(
    told: Sequence[Candidate], said: Utterance, open_texts: Sequence[str], at: datetime, policy: Policy
) -> tuple[str, ...]:
    """The words of new loops: what lies ahead of the user, and what they worry about."""
    words = words_of(said.language, policy)
    ahead = [
        c
        for c in told
        if c.attribute == _PLAN and c.subject == SELF and c.when_end is not None and c.when_end > at
    ]
    named = [subject_of(c.value, c.when_text, words, policy) for c in ahead]
    if not named:
        named = [subject_of(found.group("what"), None, words, policy) for found in _worries(said, words)]
    known = {_key(t) for t in open_texts}
    # What is asked for by name later must have one: 일본 여행 가기로 했어 예슬이랑 has none.
    return tuple(n for n in dict.fromkeys(named) if n and writer(n).noun_phrase(n) == n and _key(n) not in known)


def due(
    loops: Sequence[LifeLoop], plans: Sequence[MemoryRecord], language: str, at: datetime, policy: Policy
) -> LifeLoop | None:
    """The oldest loop whose day draws to its end; a worry without a day after a night's sleep."""
    limits = policy.weave
    named = _by_name(plans, (words_of(language, policy),), policy) if loops else {}
    for loop in sorted(loops, key=lambda x: (x.opened, x.id)):
        day = next((_evening(p, policy) for p in named.get(_key(loop.text), ()) if p.when_end), None)
        if day is None and any(_is_ahead(p, loop, at) for p in plans):
            continue
        ready = day if day is not None else loop.opened + timedelta(hours=limits.worry_hours)
        if ready <= at <= ready + timedelta(days=limits.asked_within_days):
            return loop
    return None


def begun(
    loops: Sequence[LifeLoop], plans: Sequence[MemoryRecord], language: str, at: datetime, policy: Policy
) -> LifeLoop | None:
    """The oldest loop whose day has come, so that an outcome may be told."""
    named = _by_name(plans, (words_of(language, policy),), policy) if loops else {}
    for loop in sorted(loops, key=lambda x: (x.opened, x.id)):
        if any(p.when_start is not None and p.when_start <= at for p in named.get(_key(loop.text), ())):
            return loop
    return None


def _evening(plan: MemoryRecord, policy: Policy) -> datetime | None:
    """What has a whole day is over by its evening; what has an hour, by the end of that."""
    start, end = plan.when_start, plan.when_end
    whole = start is not None and end is not None and end - start >= timedelta(days=1)
    return end - timedelta(hours=policy.weave.evening_hours) if end is not None and whole else end


def _is_ahead(plan: MemoryRecord, loop: LifeLoop, at: datetime) -> bool:
    """It was put off: another plan that shares a word with it is still to come."""
    later = plan.when_end is not None and plan.when_end > at
    return later and bool(_stems(plan.memory_value) & _stems(loop.text))


def told_over(
    loops: Sequence[LifeLoop], said: Utterance, policy: Policy, awaited: LifeLoop | None = None
) -> tuple[str, ...]:
    """Ids of the loops that the message tells the outcome of: it names them, and says that they are over.

    "It went great, I passed" names none and means the one whose day has come.
    """
    words, text = words_of(said.language, policy), said.text
    if not words.over or not re.search(words.over, text, re.I) or said.wording.asks:
        return ()
    if words.not_yet and re.search(words.not_yet, text, re.I):
        return ()
    named = _stems(text)
    over = tuple(x.id for x in loops if _stems(x.text) & named)
    unnamed = bool(words.unnamed) and re.search(words.unnamed, text.replace("’", "'"), re.I)
    return over or ((awaited.id,) if awaited is not None and unnamed else ())


@lru_cache(maxsize=1024)
def subject_of(value: str, when_text: str | None, words: LifeWords, policy: Policy) -> str:
    """What the plan is about, without when it is: "have a dentist appointment tomorrow" → dentist appointment."""
    said = value.replace("_", " ")
    if when_text:
        # What hangs on to the time goes with it: 수요일에.
        said = re.sub(rf"{re.escape(when_text)}(?:\S{{1,2}}(?=\s))?", " ", said)
    for shape in _no_part(words):
        said = shape.sub(" ", said)
    said = " ".join(said.split()).strip(" ,.!?~")
    return said if 0 < len(said.split()) <= policy.weave.loop_words and len(said) > 1 else ""


def words_of(language: str, policy: Policy) -> LifeWords:
    return words_in(language, policy.weave.languages)


@lru_cache(maxsize=8)
def _no_part(words: LifeWords) -> tuple[re.Pattern[str], ...]:
    return tuple(program(shape, re.I) for shape in words.no_part)


@lru_cache(maxsize=8)
def _shapes(words: LifeWords) -> tuple[re.Pattern[str], ...]:
    return tuple(program(s.pattern, re.I) for s in words.worries.values())


def _worries(said: Utterance, words: LifeWords) -> list[re.Match[str]]:
    found = (shape.search(said.text.replace("’", "'")) for shape in _shapes(words))
    return [m for m in found if m]


def plans_of(
    loops: Sequence[LifeLoop], plans: Sequence[MemoryRecord], policy: Policy
) -> dict[str, list[MemoryRecord]]:
    """By the id of each loop the plans that it is about, in whichever language they were told."""
    named = _by_name(plans, tuple(policy.weave.languages.values()), policy) if loops else {}
    return {loop.id: named.get(_key(loop.text), []) for loop in loops}


def _by_name(
    plans: Sequence[MemoryRecord], languages: Sequence[LifeWords], policy: Policy
) -> dict[str, list[MemoryRecord]]:
    """The plans by what they are about: a loop of the same words is about it too."""
    named: dict[str, list[MemoryRecord]] = {}
    for plan in plans:
        names = (_key(subject_of(plan.memory_value, plan.when_text, words, policy)) for words in languages)
        for name in dict.fromkeys(names):
            named.setdefault(name, []).append(plan)
    return named


def _key(loop: str) -> str:
    return " ".join(loop.lower().split())


@lru_cache(maxsize=1024)
def _stems(words: str) -> frozenset[str]:
    tokens = content_words(words)
    return frozenset(t[: _PREFIX if is_spaced(t) else _PREFIX_SYLLABLES] for t in tokens if len(t) > 1)
