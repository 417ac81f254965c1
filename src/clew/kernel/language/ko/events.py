"""Events of a life as somebody tells them in Korean (ruling P80)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.kernel.language.ko.statements import is_mine
from clew.kernel.language.ko.values import first_breath
from clew.kernel.statements.events import domain_of
from clew.kernel.text.normalize import normal
from clew.policy import Policy

_MONTH = re.compile(r"(?:(?P<year>\d{4})년\s?)?(?P<month>1[0-2]|[1-9])월")


def events(sentence: str, policy: Policy) -> Iterator[tuple[str, str]]:
    """(domain, what) for each event told."""
    own = policy.remember.languages["ko"]
    hit = next((e for e in own.events if e in sentence), None)
    if hit is None or not is_mine(sentence, policy):
        return
    words = normal(sentence).no_punct.split()
    told = [w for w in words if w not in own.said["mine"]]
    yield domain_of(sentence, policy), first_breath(" ".join(told[: policy.remember.say.event_words]))


def month(low: str, policy: Policy) -> tuple[int, int | None] | None:
    """The month that a text in lower case names, and its year if that is said."""
    found = _MONTH.search(low)
    return (int(found["month"]), int(found["year"]) if found["year"] else None) if found else None
