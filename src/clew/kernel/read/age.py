"""An age told in the chat (ruling S4): it sets an unknown band, and moves a known one only downward."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.model.memory import SELF
from clew.model.profile import AgeBand
from clew.model.utterance import Statement
from clew.policy import Policy
from clew.policy.listen import NeedWords
from clew.programs import program

_BANDS = tuple(AgeBand)
# The first age of each band; what is younger than the first counts as the first: rules for minors hold.
_FROM = {band: int(re.split(r"\D", band.value)[0]) for band in _BANDS}


def band_told(
    text: str, language: str, known: AgeBand | None, policy: Policy, statements: Sequence[Statement] = ()
) -> AgeBand | None:
    """The band that holds after this message; `known` where nothing younger was told. A daughter's age is hers."""
    theirs = {n for s in statements if s.subject != SELF for n in re.findall(r"\d+", s.value)}
    words = policy.listen.languages.get(language)
    years = [int(m.group("age")) for s in _shapes(words) for m in s.finditer(text)] if words else []
    for age in years:
        if str(age) in theirs:
            continue
        told = next((b for b in reversed(_BANDS) if age >= _FROM[b]), _BANDS[0])
        if known is None or _BANDS.index(told) < _BANDS.index(known):
            known = told
    return known


@lru_cache(maxsize=8)
def _shapes(words: NeedWords) -> tuple[re.Pattern[str], ...]:
    return tuple(program(row.pattern, re.I) for row in words.age.values())
