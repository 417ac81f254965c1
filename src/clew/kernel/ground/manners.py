"""Thanks and goodbyes with nothing else in them: they take nothing, whatever is on offer (ruling G24)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from clew.kernel.ground.clause import Clause
from clew.kernel.ground.lexicon import laughter, words
from clew.kernel.ground.phrases import Tokens
from clew.policy.ground import GroundPolicy

# "thank you so very much for …".
_NEAR = 5


def only_manners(clauses: Iterable[Clause], policy: GroundPolicy) -> bool:
    """ "thank you so much", "ok thanks, that's all", 오케이 잘자; but "ok thanks" and 네 감사합니다 may well agree."""
    lists = words(policy)
    said, for_something = _without_objects(clauses, policy)
    rest, ended = _without_endings(said, policy)
    farewell, agreeing = lists.grammar["farewell"], _agreeing(policy)
    parts = ended or not farewell.isdisjoint(rest)
    thanked = any(_thanks(t, policy) for t in rest)
    asks = not lists.grammar["asked_politely"].isdisjoint(rest)
    if asks or not (parts or thanked) or (not parts and not agreeing.isdisjoint(rest)):
        return False
    around = lists.grammar["around_thanks"] | lists.grammar["parting"] | farewell | agreeing
    # "great, thanks for the advice", 오케이 잘자: the praise goes with the thanks, the yes with the goodbye.
    around = around | lists.acceptance_words if for_something or parts else around
    return all(t in around or laughter(t, policy) or _thanks(t, policy) for t in rest)


def _without_objects(clauses: Iterable[Clause], policy: GroundPolicy) -> tuple[Tokens, bool]:
    """What is thanked for tells nothing of the list; whether there was such a thing."""
    out: list[str] = []
    found = False
    for clause in clauses:
        for token in clause.tokens:
            if token in policy.grammar["thanked_for"] and any(_thanks(t, policy) for t in out[-_NEAR:]):
                found = True
                break
            out.append(token)
    return tuple(out), found


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
    """Where words are inflected, a word of thanks is known by its stem."""
    return token in policy.thanks or any(token.startswith(e.thanking) for e in words(policy).endings.values())


@lru_cache(maxsize=8)
def _agreeing(policy: GroundPolicy) -> frozenset[str]:
    return frozenset(policy.weak_openers) - frozenset(policy.thanks)
