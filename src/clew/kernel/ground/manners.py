"""Thanks and goodbyes with nothing else in them: they take nothing, whatever is on offer (ruling G24)."""

from __future__ import annotations

from functools import lru_cache

from clew.kernel.ground.lexicon import words
from clew.kernel.ground.phrases import Tokens
from clew.policy.ground import GroundPolicy


def only_manners(tokens: Tokens, policy: GroundPolicy) -> bool:
    """ "thank you so much", "ok thanks, that's all", 감사합니다; but "ok thanks" and 네 감사합니다 may well agree."""
    lists = words(policy)
    rest, ended = _without_endings(tokens, policy)
    farewell, agreeing = lists.grammar["farewell"], _agreeing(policy)
    parts = ended or not farewell.isdisjoint(rest)
    thanked = any(_thanks(t, policy) for t in rest)
    asks = not lists.grammar["asked_politely"].isdisjoint(rest)
    if not (parts or thanked) or (not parts and (asks or not agreeing.isdisjoint(rest))):
        return False
    around = lists.grammar["around_thanks"] | lists.grammar["parting"] | farewell | agreeing
    return all(t in around or _thanks(t, policy) for t in rest)


def _without_endings(tokens: Tokens, policy: GroundPolicy) -> tuple[Tokens, bool]:
    """The words outside phrases that end a talk, and whether there was one."""
    closing, out, i, ended = words(policy).closing, [], 0, False
    while i < len(tokens):
        if head := closing.head(tokens[i:]):
            i, ended = i + head, True
        else:
            out.append(tokens[i])
            i += 1
    return tuple(out), ended


def _thanks(token: str, policy: GroundPolicy) -> bool:
    """A Korean word of thanks goes on in many endings."""
    if token.isascii():
        return token in policy.thanks
    return token.startswith(policy.grammar["thanking_ko"])


@lru_cache(maxsize=8)
def _agreeing(policy: GroundPolicy) -> frozenset[str]:
    return frozenset(policy.weak_openers) - frozenset(policy.thanks)
