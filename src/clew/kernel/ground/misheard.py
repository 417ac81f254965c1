"""A name as it was heard or slipped while typing, when it is all that is said: "norvick" is Norrvik, 베낭 is 배낭형."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from clew.kernel.ground.cards import Card, forms
from clew.kernel.ground.options import Positions
from clew.kernel.ground.signs import letters_of
from clew.kernel.language.scripts import has_syllables
from clew.policy.ground import GroundPolicy

# So much of the letters is the same, and so much less of any other's.
_ALIKE, _LEAD = 0.7, 0.2
# Shorter words are too near to each other.
_LETTERS = 5
# What stands beside the name needs more of them.
_TOLD = 0.8


def misheard(words: Sequence[str], cards: Sequence[Card], policy: GroundPolicy) -> Positions:
    """The one whose name is nearest in letters, and much nearer than the others'; `words` are what fits nothing."""
    if len(words) != 1 or len(cards) < 2:
        return ()
    said = forms(words[0], policy.pointing)
    near = [max((_alike(form, own.name) for form in said), default=0.0) for own in cards]
    if max(near) < _ALIKE:
        # "prias" is Priya, 민쥐 민지.
        near = [max((_alike(form, own.told) for form in said), default=0.0) for own in cards]
        near = [n if n >= _TOLD else 0.0 for n in near]
    best, second = sorted(near)[-1], sorted(near)[-2]
    return (near.index(best),) if best >= _ALIKE and best - second >= _LEAD else ()


def _alike(word: str, known: frozenset[str]) -> float:
    """With a word of the name, or with the beginning of a longer one."""
    said = letters_of(word)
    if len(said) < _LETTERS or not word.isalpha():
        return 0.0
    best = 0.0
    for name in known:
        if has_syllables(name) is not has_syllables(word) or len(name) < 2:
            continue
        letters = letters_of(name)
        start = letters_of(name[: len(word)]) if has_syllables(word) else letters
        best = max(best, *(OSA.normalized_similarity(said, other) for other in (letters, start)))
    return best
