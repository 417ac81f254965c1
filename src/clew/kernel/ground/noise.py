"""Text that says nothing: emoji, stray keys, mashing. Unicode letters count, not only ASCII."""

from __future__ import annotations

from fractions import Fraction

from clew.kernel.ground.phrases import Tokens
from clew.kernel.language.scripts import is_spaced
from clew.policy.ground import GroundPolicy

_CONSONANTS = frozenset("bcdfghjklmnpqrstvwxz")


def is_noise(text: str, tokens: Tokens, policy: GroundPolicy) -> bool:
    shown = [c for c in text if not c.isspace()]
    letters = [c for c in shown if c.isalnum()]
    if not letters or Fraction(len(letters), len(shown)) < policy.noise_letters:
        return True
    if len(tokens) != 1:
        return False
    only = tokens[0]
    short = is_spaced(only) and len(only) < policy.noise_token_length
    return short or frozenset(only) <= _CONSONANTS
