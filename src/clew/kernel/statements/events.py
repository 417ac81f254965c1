"""The domain and the month of an event in somebody's life (ruling P80)."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.kernel.language.packs import packs
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import normal
from clew.policy import Policy


@lru_cache(maxsize=8)
def _domains(policy: Policy) -> Lexicon:
    return Lexicon(policy.remember.say.domains, policy.text)


def domain_of(text: str, policy: Policy) -> str:
    """The domain named first in the table among those hit; none hit is `other`."""
    hits = {h.label for h in _domains(policy).hits(text)}
    return next((d for d in policy.remember.say.domains if d in hits), "other")


def month_of(sentence: str, at: datetime, zone: ZoneInfo, policy: Policy) -> str:
    """The month named, else the month of the message where the user is."""
    here = at.astimezone(zone)
    year, month = here.year, here.month
    low = normal(sentence).norm
    named = _named(low, policy)
    if named:
        month, given = named
        if given:
            return f"{given:04d}_{month:02d}"
        ahead = bool(pattern("happened_upcoming", policy).search(low))
        if ahead and month < here.month:
            year += 1
        elif not ahead and month > here.month:
            year -= 1
    elif pattern("happened_last_month", policy).search(low):
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    elif pattern("happened_next_month", policy).search(low):
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    elif pattern("happened_last_year", policy).search(low):
        year -= 1
    elif pattern("happened_next_year", policy).search(low):
        year += 1
    return f"{year:04d}_{month:02d}"


def _named(low: str, policy: Policy) -> tuple[int, int | None] | None:
    """The month that is named in any language: what English names first is taken first."""
    return next((found for p in reversed(packs()) if (found := p.rules.month(low, policy))), None)
