"""Of what one has once, a sentence tells one value."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.model.memory import SELF
from clew.model.utterance import Statement, Status
from clew.policy import Policy
from clew.policy.checks import CheckWords


def one_of_each(told: Sequence[Statement], text: str, words: CheckWords, policy: Policy) -> list[Statement]:
    """Of what one has once, the value of a sentence that stands where such values stand, the surest of several."""
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


def _sureness(told: Statement) -> float:
    """How sure the tagger is of the words and of what they tell; what a shape read is certain."""
    return 1.0 if told.evidence is None else told.evidence.inside * told.evidence.named
