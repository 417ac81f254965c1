"""Pointing without naming: ordinals, "that one", "the other one"."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from clew.kernel.ground.canonical import Plain
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.phrases import Tokens
from clew.kernel.language.scripts import has_syllables
from clew.policy.ground import GroundPolicy


@dataclass(frozen=True, slots=True)
class Ordinal:
    """1 is the first; -1 is the last."""

    number: int
    guessed: bool = False


def ordinal(plain: Plain, policy: GroundPolicy, kinds: frozenset[str] = frozenset()) -> Ordinal | None:
    """The whole of what is left is an ordinal form; `kinds` are the candidates' own type words."""
    for stage in plain.stages:
        if found := _strict(stage, policy, kinds):
            return Ordinal(found)
    core = [t for t in plain.tokens if t not in policy.item_nouns and t not in policy.articles]
    if len(core) == 1 and len(core[0]) >= policy.ordinal_typo_length and core[0] not in policy.ordinals:
        return _guess(core[0], policy)
    return None


def ordinal_inside(tokens: Tokens, policy: GroundPolicy) -> int | None:
    """ "the second one sounds good": an ordinal beside an item noun, anywhere."""
    nouns = frozenset(policy.item_nouns)
    found: set[int] = set()
    for i, token in enumerate(tokens[:-1]):
        number = _position(token, policy)
        named = tokens[i + 1] in nouns and (len(token) > 1 or token.isdigit())
        named = named or (tokens[i + 1] in policy.kind_nouns and _ranks(token, policy))
        empty = token in policy.grammar["bare_article"] or token in policy.pointing.small.no
        if number is not None and named and not empty:
            found.add(number)
        if token in policy.grammar["number_noun"] and (after := _position(tokens[i + 1], policy)):
            found.add(after)
    return found.pop() if len(found) == 1 else None


def is_deictic(plain: Plain, policy: GroundPolicy) -> bool:
    known = words(policy).deictics
    return any(stage in known for stage in plain.stages)


def _strict(tokens: Tokens, policy: GroundPolicy, kinds: frozenset[str]) -> int | None:
    nouns = frozenset(policy.item_nouns) | kinds
    if has_syllables("".join(tokens)):
        return _joined(tokens, policy, nouns)
    core = tuple(t for t in tokens if t not in policy.pointing.small.the)
    if len(core) == 1:
        # A lone "one" points; a lone "a" is an article.
        return None if core[0] in policy.grammar["bare_article"] else _position(core[0], policy)
    if len(core) == 2 and core[1] in nouns and core[0] not in nouns:
        return _position(core[0], policy) if len(core[0]) > 1 or core[0].isdigit() else None
    if len(core) == 2 and core[1] in policy.kind_nouns and _ranks(core[0], policy):
        return _position(core[0], policy)
    if len(core) == 2 and core[0] in nouns and core[0] not in policy.pointing.small.one:
        return _position(core[1], policy)
    return None


def _ranks(token: str, policy: GroundPolicy) -> bool:
    """ "the third flight" counts along the list; "3 tickets" counts tickets."""
    return not token.isdigit() and token not in policy.grammar["cardinal"]


def _position(token: str, policy: GroundPolicy) -> int | None:
    if token.isdecimal() and len(token) <= policy.ordinal_digits:
        return int(token) or None
    return policy.ordinals.get(token)


def _joined(tokens: Tokens, policy: GroundPolicy, nouns: frozenset[str]) -> int | None:
    """첫 번째 거, 두번째, 마지막 것: spacing is free."""
    joined = "".join(tokens)
    for noun in sorted(nouns, key=len, reverse=True):
        if (
            has_syllables(noun)
            and joined.endswith(noun)
            and (found := _position(joined[: -len(noun)], policy))
        ):
            return found
    bare = joined
    for tail in policy.grammar["thing_tails"]:
        bare = bare.removesuffix(tail)
    return policy.ordinals.get(joined) or policy.ordinals.get(bare)


def _guess(token: str, policy: GroundPolicy) -> Ordinal | None:
    """A mistyped ordinal is a hint to confirm, never an execution: "list" is close to "last"."""
    found = {
        number
        for word, number in policy.ordinals.items()
        if len(word) >= policy.ordinal_typo_length
        and word[0] == token[0]
        and Levenshtein.distance(token, word, score_cutoff=policy.ordinal_typo_distance)
        <= policy.ordinal_typo_distance
    }
    return Ordinal(found.pop(), guessed=True) if len(found) == 1 else None
