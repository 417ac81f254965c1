"""Keeps one value per sentence of what a person has only one of: a name, an age, a home."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.statements.patterns import one
from clew.model.memory import SELF
from clew.model.utterance import Statement, Status
from clew.policy import Policy
from clew.policy.checks import CheckWords

_NUMBER = re.compile(r"\d{1,2}")


def one_of_each(told: Sequence[Statement], text: str, words: CheckWords, policy: Policy) -> list[Statement]:
    """Of what one has once, the value of a sentence that stands where such values stand, the surest of several."""
    told = [one for s in told for one in _each_its_own(s, told, words)]
    groups: dict[tuple[str, str | None, str, str], list[Statement]] = {}
    for s in told:
        if s.attribute in policy.checks.single and s.status is Status.IS:
            # Two dogs have two names.
            whose = s.value if s.attribute == "name" and s.subject != SELF else s.name
            groups.setdefault((s.subject, whose, s.attribute, s.sentence), []).append(s)
    dropped: list[Statement] = []
    for (_, _, attribute, _), several in groups.items():
        lead = words.leads.get(attribute)
        fits = [s for s in several if lead and re.search(lead.pattern, text[: s.start], re.I)]
        best = max(fits or several, key=_sureness)
        dropped += [s for s in several if s is not best]
    return [s for s in told if not any(s is d for d in dropped)]


def _each_its_own(told: Statement, others: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """ "Anya and Priya, 12 and 8": as many ages as names, each of its own."""
    several = told.attribute == "age" and one(words.ages).fullmatch(told.value)
    ages = _NUMBER.findall(told.value) if several else []
    alike = [s for s in others if s.attribute == "name" and s.subject == told.subject and s.sentence == told.sentence]
    names = sorted((s for s in alike if s.end <= told.start), key=lambda s: s.start)[-len(ages) :]
    if len(ages) < 2 or len(names) < len(ages):
        return [told]
    return [replace(told, value=age, name=name.value) for age, name in zip(ages, names, strict=True)]


def _sureness(told: Statement) -> float:
    """How sure the tagger is of the words and of what they tell; what a shape read is certain."""
    return 1.0 if told.evidence is None else told.evidence.inside * told.evidence.named
