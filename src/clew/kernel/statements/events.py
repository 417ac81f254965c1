"""Events of the user's life, by domain and month (ruling P80)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.kernel.language.ko.statements import is_mine
from clew.kernel.language.scripts import mostly_syllables
from clew.kernel.statements.own_words import is_own
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import normal
from clew.policy import Policy
from clew.policy.remember import SayPolicy
from clew.programs import program

_PAUSE = re.compile(r"[,;:!?()\[\]…—–\"。]|\.(?=\s|$)|\s-\s")
_MONTH_KO = re.compile(r"(?:(?P<year>\d{4})년\s?)?(?P<month>1[0-2]|[1-9])월")


@lru_cache(maxsize=8)
def _opens(say: SayPolicy) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    def verbs(phrases: Sequence[str]) -> str:
        ordered = sorted(phrases, key=lambda p: (-len(p), p))
        return "|".join(re.sub(r"^am\\ ", r"(?:am|'m|m)\\s", re.escape(p)) for p in ordered)

    soft = r"(?:\s(?:just|finally|recently|also|actually|even|officially|really|have|had|ever|once|already))*"
    times = "|".join(re.escape(t) for t in sorted(say.event_times, key=lambda t: (-len(t), t)))
    strong = program(
        rf"(?P<lead>\bi(?:'ve)?{soft}\s?)(?P<what>(?:{verbs(say.event_strong)})(?![\w']).*)", re.I
    )
    other = program(
        rf"(?P<lead>(?:\b(?:{times})\s)?\bi(?:'ve|'ll)?{soft}\s?)"
        rf"(?P<what>(?:{verbs((*say.event_past, *say.event_weak))})(?![\w']).*)",
        re.I,
    )
    nouns = "|".join(map(re.escape, say.event_noun))
    mine = program(rf"\b(?P<what>my\s(?:\w+\s){{0,2}}?(?:{nouns})\b.*)", re.I)
    return strong, other, mine


@lru_cache(maxsize=8)
def _domains(policy: Policy) -> Lexicon:
    return Lexicon(policy.remember.say.domains, policy.text)


def domain_of(text: str, policy: Policy) -> str:
    """The domain named first in the table among those hit; none hit is `other`."""
    hits = {h.label for h in _domains(policy).hits(text)}
    return next((d for d in policy.remember.say.domains if d in hits), "other")


def events(sentence: str, at: datetime, zone: ZoneInfo, policy: Policy) -> Iterator[tuple[str, str, str]]:
    """(domain, yyyy_mm, what) for each event told."""
    if mostly_syllables(sentence, policy.text):
        yield from _korean(sentence, at, zone, policy)
        return
    say = policy.remember.say
    strong, other, mine = _opens(say)
    for form in (strong, other, mine):
        match = form.search(sentence)
        if not match or not is_own(sentence, match.start(), policy):
            continue
        told = match["what"]
        ends = (_PAUSE.search(told), pattern("happened_next_clause", policy).search(told))
        words = told[: min((e.start() for e in ends if e), default=len(told))].split()[: say.event_words]
        what = " ".join(words)
        low = normal(what).no_punct
        domain = domain_of(what, policy)
        if form is other and not _weighty(low, domain, sentence, say):
            continue
        if len(words) < 2 and form is not strong:
            continue
        yield domain, month_of(sentence, at, zone, policy), _bare(what)
        return


def _weighty(low: str, domain: str, sentence: str, say: SayPolicy) -> bool:
    """Small talk opens the same way; an event has a place, a person or a day."""
    if any(
        f" {low} ".startswith(f" {n} ") or f" {n} " in f" {' '.join(low.split()[:4])} " for n in say.event_not
    ):
        return False
    if low.startswith(say.event_past):
        return True
    timed = any(t in normal(sentence).no_punct for t in say.event_times)
    named = any(f" {n} " in f" {low} " for n in say.event_noun)
    return timed if domain == "other" else timed or named


def _bare(what: str) -> str:
    return re.sub(r"^(?:am|'m|m|will|my)\s", "", what, flags=re.I).strip(" .")


def _korean(sentence: str, at: datetime, zone: ZoneInfo, policy: Policy) -> Iterator[tuple[str, str, str]]:
    say = policy.remember.say
    hit = next((e for e in say.events_ko if e in sentence), None)
    if hit is None or not is_mine(sentence, policy):
        return
    words = normal(sentence).no_punct.split()
    own = [w for w in words if w not in say.korean["mine"]]
    yield domain_of(sentence, policy), month_of(sentence, at, zone, policy), " ".join(own[: say.event_words])


def month_of(sentence: str, at: datetime, zone: ZoneInfo, policy: Policy) -> str:
    """The month named, else the month of the message where the user is."""
    here = at.astimezone(zone)
    year, month = here.year, here.month
    low = normal(sentence).norm
    named = _named_month(low, policy)
    if named:
        month, given = named
        if given:
            return f"{given:04d}_{month:02d}"
        ahead = bool(pattern("happened_upcoming", policy).search(low))
        if ahead and month < here.month:
            year += 1
        elif not ahead and month > here.month:
            year -= 1
    elif re.search(r"\blast month\b|지난\s?달|저번\s?달", low):
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    elif re.search(r"\bnext month\b|다음\s?달|담달", low):
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    elif re.search(r"\blast year\b|작년", low):
        year -= 1
    elif re.search(r"\bnext year\b|내년", low):
        year += 1
    return f"{year:04d}_{month:02d}"


def _named_month(low: str, policy: Policy) -> tuple[int, int | None] | None:
    months = policy.text.months
    names = "|".join(months)
    english = re.search(
        rf"\b(?:in|last|next|this|since|on|early|late|of)\s(?P<month>{names})\b(?:\s\d{{1,2}}(?:st|nd|rd|th)?\b)?(?:,?\s(?P<year>(?:19|20)\d\d))?",
        low,
    )
    if english:
        return months.index(english["month"]) + 1, int(english["year"]) if english["year"] else None
    korean = _MONTH_KO.search(low)
    if korean:
        return int(korean["month"]), int(korean["year"]) if korean["year"] else None
    return None
