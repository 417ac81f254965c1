"""Events of a life as somebody tells them in English (ruling P80)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from clew.kernel.statements.events import domain_of
from clew.kernel.statements.own_words import is_own
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.policy import Policy
from clew.policy.remember import SayPolicy
from clew.programs import program

_PAUSE = re.compile(r"[,;!?()\[\]…—–\"。]|:(?!\d)|\.(?=\s|$)|\s-\s")
_JOINT = re.compile(r"\s(?:and|but|because|so|which|that|who|when|while|since|though)\s.*$", re.I)


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


def events(sentence: str, policy: Policy) -> Iterator[tuple[str, str]]:
    """(domain, what) for each event told."""
    say = policy.remember.say
    strong, other, mine = _opens(say)
    for form in (strong, other, mine):
        match = form.search(sentence)
        if not match or not is_own(sentence, match.start(), policy):
            continue
        told = match["what"]
        ends = (_PAUSE.search(told), pattern("happened_next_clause", policy).search(told))
        spoken = told[: min((e.start() for e in ends if e), default=len(told))].split()
        # What is too long ends where a clause ends.
        what = " ".join(spoken[: say.event_words])
        what = _JOINT.sub("", what) if len(spoken) > say.event_words else what
        words = what.split()
        low = normal(what).no_punct
        domain = domain_of(what, policy)
        if form is other and not _weighty(low, domain, sentence, say):
            continue
        if len(words) < 2 and form is not strong:
            continue
        yield domain, _bare(what)
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


def month(low: str, policy: Policy) -> tuple[int, int | None] | None:
    """The month that a text in lower case names, and its year if that is said."""
    months = policy.text.months
    names = "|".join(months)
    found = re.search(
        rf"\b(?:in|last|next|this|since|on|early|late|of)\s(?P<month>{names})\b(?:\s\d{{1,2}}(?:st|nd|rd|th)?\b)?(?:,?\s(?P<year>(?:19|20)\d\d))?",
        low,
    )
    return (months.index(found["month"]) + 1, int(found["year"]) if found["year"] else None) if found else None
