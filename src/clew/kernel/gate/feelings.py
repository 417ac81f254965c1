"""How a draft and the message it answers feel, by the same readers that hear messages (kernel/read).

Joy that is met with scorn and pain that is met with cheer show in the two side by side, whatever their words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.read.hashed import odds, words_of
from clew.kernel.read.heads import checked, score
from clew.policy import Policy

_VALENCE, _OFFENCE = "valence", "offensive"
# Read by words alone.
_WORDS_ONLY = ("danger_words",)
_NEEDS = ("care", "crisis")
# Log-odds are cut off here and brought near one.
_MOST, _HEADS = 6.0, 3.0
_LEAST, _NEED = -8.0, 4.0


def feelings(
    text: str, vector: Sequence[float] | None, user: str, asked: Sequence[float] | None, policy: Policy
) -> tuple[float, ...]:
    """Of the draft, of the message, and of both together; nothing without vectors of the fitted size."""
    heads = policy.listen.heads
    if vector is None or asked is None or len(vector) != len(asked) or not policy.listen.need_scores:
        return ()
    own, other = _felt(tuple(vector), policy), _felt(tuple(asked), policy)
    names = [name for name in heads if name not in _WORDS_ONLY]
    lean, scorn = own[names.index(_VALENCE)], own[names.index(_OFFENCE)]
    mood = other[names.index(_VALENCE)]
    needs = _needs(user, tuple(asked), policy)
    together = (lean * mood, scorn * mood, *(lean * one for one in other))
    return (*own, *other, *together, *needs, lean * needs[0], *_needs(text, tuple(vector), policy))


@lru_cache(maxsize=256)
def _felt(vector: tuple[float, ...], policy: Policy) -> tuple[float, ...]:
    heads = policy.listen.heads
    if checked(vector, heads) is None:
        return tuple(0.0 for name in heads if name not in _WORDS_ONLY)
    scores = (score(head, vector) for name, head in heads.items() if name not in _WORDS_ONLY)
    return tuple(max(-_MOST, min(_MOST, found)) / _HEADS for found in scores)


@lru_cache(maxsize=256)
def _needs(text: str, vector: tuple[float, ...], policy: Policy) -> tuple[float, ...]:
    scores, said = policy.listen.need_scores, words_of(text)
    return tuple(max(_LEAST, min(_MOST, odds(scores[name], said, vector))) / _NEED for name in _NEEDS)
