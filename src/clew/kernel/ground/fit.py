"""Words of a follow-up that nothing on offer explains: they may be about something else."""

from __future__ import annotations

from functools import lru_cache

from clew.kernel.ground.options import stop_words
from clew.kernel.ground.phrases import Tokens
from clew.kernel.ground.turn import Turn
from clew.policy.ground import GroundPolicy


def foreign(tokens: Tokens, turn: Turn, position: int | None, policy: GroundPolicy) -> Tokens:
    """Content words that are neither of the candidate, nor of its kind, nor a number, day or party size."""
    known = _known(policy)
    own: frozenset[str] = frozenset()
    if position is not None:
        own = turn.options.extra_words[position] | frozenset(turn.options.words[position])
    return tuple(t for t in tokens if t not in known and t not in own and not t[0].isdigit())


@lru_cache(maxsize=8)
def _known(policy: GroundPolicy) -> frozenset[str]:
    lists = (policy.kind_nouns, policy.item_nouns, policy.grammar["occasion"], tuple(policy.ordinals))
    more = (policy.transaction_verbs, policy.deictic_words, policy.request_adverbs, policy.indefinite)
    return stop_words(policy) | frozenset(w for words in (*lists, *more) for w in words)
