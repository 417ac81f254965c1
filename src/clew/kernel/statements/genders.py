"""Whom "he" and "she" cannot mean: a sister is no "he"."""

from __future__ import annotations

import re

from clew.policy import Policy

_WORD = re.compile(r"[a-z]+")
_HE, _SHE = "person:he", "person:she"


def disagrees(subject: str, said: str, policy: Policy) -> bool:
    """The words before speak of a "he" alone and this one is a woman, or the other way round."""
    kind, _, relation = subject.partition(":")
    if kind != "person":
        return False
    spoken = {policy.reader.pronouns.get(word) for word in _WORD.findall(said.lower())} & {_HE, _SHE}
    return (spoken == {_HE} and relation in policy.checks.women) or (spoken == {_SHE} and relation in policy.checks.men)
