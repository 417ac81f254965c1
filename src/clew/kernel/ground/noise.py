"""Text that says nothing: emoji, stray keys, mashing. Unicode letters count, not only ASCII."""

from __future__ import annotations

from fractions import Fraction

from clew.kernel.ground.phrases import Tokens
from clew.policy.ground import GroundPolicy

_VOWELS = frozenset("aeiouy")


def is_noise(text: str, tokens: Tokens, policy: GroundPolicy) -> bool:
    shown = [c for c in text if not c.isspace()]
    letters = [c for c in shown if c.isalnum()]
    if not letters or Fraction(len(letters), len(shown)) < policy.noise_letters:
        return True
    if len(tokens) != 1:
        return False
    only = tokens[0]
    short = only.isascii() and len(only) < policy.noise_token_length
    return short or (only.isascii() and only.isalpha() and _VOWELS.isdisjoint(only))
