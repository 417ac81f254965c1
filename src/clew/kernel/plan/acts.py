"""What a message does: a wish, a farewell, a fact told, a plan, a complaint (rules in policy/data/plan.acts.toml)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from clew.policy import Policy
from clew.policy.plan import Act

_SPACE = re.compile(r"\s+")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PLACE = "fact_home"


@dataclass(frozen=True, slots=True)
class Done:
    """The act, what was told in it and when; all empty if no rule fits."""

    name: str = ""
    value: str = ""
    when: str = ""


@lru_cache(maxsize=8)
def _rules(language: str, policy: Policy) -> tuple[tuple[Act, re.Pattern[str]], ...]:
    acts = policy.plan.acts
    rows = acts.get(language) or acts.get("en") or ()
    return tuple((row, re.compile(row.pattern, re.IGNORECASE)) for row in rows)


def act_of(text: str, language: str, asks: bool, policy: Policy) -> Done:
    """The first rule that fits."""
    read = _SPACE.sub(" ", text.replace("’", "'")).strip()
    for row, pattern in _rules(language, policy):
        if row.asks != "any" and (row.asks == "yes") is not asks:
            continue
        found = pattern.search(read)
        if found:
            told = found.groupdict()
            return Done(row.name, _value(row.name, told.get("value") or ""), _when(told.get("when") or ""))
    return Done()


def _when(told: str) -> str:
    """Weekdays keep their capital."""
    return re.sub(
        r"\b[a-z]+day\b",
        lambda m: m.group(0).capitalize() if m.group(0) in _DAYS else m.group(0),
        told.lower(),
    )


def _value(name: str, told: str) -> str:
    """Turned towards the speaker; a place typed in small letters gets its capital."""
    value = re.sub(r"(?i)\b(?:my|our) ", "your ", told)
    if name == _PLACE and value.isascii() and value.islower():
        return value.title()
    return value if value[:1].isupper() and name in (_PLACE, "fact_name") else value.lower()
