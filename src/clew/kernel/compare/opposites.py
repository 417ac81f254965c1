"""What keeps two sentences two memories (general ruling 3), read from what each of them says."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations, pairwise

from clew.kernel.compare.wording import Word, listed
from clew.kernel.language.scripts import has_syllables
from clew.kernel.read.comparable import Mark, Saying, saying
from clew.policy import Policy

# Longer texts are compared by equal words alone: looking for like ones costs the product of their lengths.
_PATIENCE = 48
# From so many letters on, a word inside another is a part of it.
_HELD = 4
# Letters that an ending leaves on a stem, and how many.
_END = 3
_ENDING = 2


def clash(a: str, b: str, policy: Policy) -> str | None:
    """The name of the guard that forbids to call two statements one, or None."""
    one, other = saying(a, policy), saying(b, policy)
    denied = _denied_otherwise(one, other)
    opposed = _excluded(one.opposites, other.opposites) or _against(one, other, policy)
    if denied != opposed:  # to deny the opposite is to say the same
        return "polarity" if denied else "antonym"
    if _excluded(one.exclusive, other.exclusive) or _other_amounts(one, other):
        return "entity"
    if _roles_crossed(one, other) or _places_crossed(one, other) or _turned_about(one, other, policy):
        return "entity"
    if _about(one, other) or _about(other, one) or _owned_otherwise(one, other):
        return "entity"
    ours, theirs = _people(one, policy), _people(other, policy)
    return "entity" if ours and theirs and not ours & theirs else None


def _denied_otherwise(one: Saying, other: Saying) -> bool:
    """The last clause says it; in an earlier one a denial counts where the wording is otherwise the same."""
    if (one.asks or other.asks) and one.denied_at_last != other.denied_at_last:
        return not reworded(one, other)
    if one.denied_at_last != other.denied_at_last:
        return True
    return one.denied != other.denied and not reworded(one, other)


def reworded(one: Saying, other: Saying) -> bool:
    """Both sides have many words that the other has not."""
    mine, yours = left_over(one, other)
    return len(mine) * 3 >= len(one.words) > 2 and len(yours) * 3 >= len(other.words) > 2


def _against(one: Saying, other: Saying, policy: Policy) -> bool:
    """편해 and 불편해, happy and unhappy: a syllable before the word turns it."""
    ours, theirs = {w.bare for w in one.words}, {w.bare for w in other.words}
    signs = policy.remember.contrast.against
    return any(
        long.startswith(sign)
        and (rest := long[len(sign) :]) in short
        and rest not in full
        and (len(rest) > 3 or has_syllables(rest))
        for full, short in ((ours, theirs), (theirs, ours))
        for long in full
        if long not in short and long.startswith(signs)
        for sign in signs
    )


def _excluded(ours: frozenset[Mark], theirs: frozenset[Mark]) -> bool:
    shared = {g for g, _ in ours - theirs} & {g for g, _ in theirs - ours}
    both = {g for g, _ in ours & theirs}
    return bool(shared - both)


def _other_amounts(one: Saying, other: Saying) -> bool:
    """Names, numbers and dates that each side alone has; spans of other lengths."""
    left, right = one.sides, other.sides
    if left.entities - right.entities - right.words and right.entities - left.entities - left.words:
        return True
    return bool(one.spans and other.spans and not one.spans & other.spans)


def _roles_crossed(one: Saying, other: Saying) -> bool:
    """Who did it to whom, told by particles: two nouns that change their roles with each other."""
    if not one.roles or one.roles == other.roles:
        return False
    ours, theirs = dict(sorted(one.roles)), dict(sorted(other.roles))
    shared = sorted(ours.keys() & theirs.keys())
    return any(
        ours[x] != ours[y] and ours[x] == theirs[y] and ours[y] == theirs[x]
        for x, y in combinations(shared, 2)
    )


def _places_crossed(one: Saying, other: Saying) -> bool:
    """Born here and buried there, or the other way round: two nouns of one particle about a verb."""
    if not one.roles or {w.bare for w in one.words} != {w.bare for w in other.words}:
        return False
    place = {w.bare: n for n, w in enumerate(other.words)}
    if len(place) != len(one.words) or len(one.words) > _PATIENCE:
        return False
    run = [(place[w.bare], w.tail) for w in one.words]
    return any(x[0] > v[0] > y[0] and x[1] == y[1] != "" and not v[1] for x, v, y in combinations(run, 3))


def _turned_about(one: Saying, other: Saying, policy: Policy) -> bool:
    """X … V … Y against Y … V … X: who lent whom, from where to where. Passive voice turns by itself."""
    left, right = one.order, other.order
    if not left or not right or one.passive != other.passive or max(len(left), len(right)) > _PATIENCE:
        return False
    once = {w for w in left if left.count(w) == 1} & {w for w in right if right.count(w) == 1}
    place = {w: n for n, w in enumerate(w for w in right if w in once)}
    run = [(place[w], _somebody(w, one, other, policy)) for w in left if w in once]
    return any(
        x[0] > v[0] > y[0]
        and x[1] == y[1]
        and (x[1] or _in_order(p for p, _ in run if p not in (x[0], y[0])))
        for x, v, y in combinations(run, 3)
    )


def _in_order(places: Iterable[int]) -> bool:
    return all(a < b for a, b in pairwise(places))


def _somebody(word: str, one: Saying, other: Saying, policy: Policy) -> bool:
    """Only somebody changes roles with somebody, and a thing with a thing."""
    return word in _actors(policy) or word in one.names or word in other.names


@lru_cache(maxsize=8)
def _actors(policy: Policy) -> frozenset[str]:
    pronouns = (w for pair in policy.text.roles for w in pair)
    kin = (listed(w) for w in policy.remember.contrast.kin)
    return frozenset(("i", "you", "he", "she", "we", "they", *pronouns, *kin))


def _about(one: Saying, other: Saying) -> bool:
    """What I am against what somebody is of whom I do not speak."""
    return one.order[:1] == ("i",) and bool(other.about) and other.about not in one.order


def _owned_otherwise(one: Saying, other: Saying) -> bool:
    """My father is not my friend's father."""
    return any(
        (thing, not mine) in other.whose and (thing, mine) not in other.whose for thing, mine in one.whose
    )


def _people(one: Saying, policy: Policy) -> frozenset[str]:
    """Whom a Korean sentence is about: people named as its subject, the speaker among them."""
    known = _known(policy)
    return frozenset(who for who, role in one.roles if role == "subject" and who in known)


@lru_cache(maxsize=8)
def _known(policy: Policy) -> frozenset[str]:
    remember = policy.remember
    return frozenset((*remember.said("speaker"), *remember.said("people"), *remember.likeness.people))


def left_over(one: Saying, other: Saying) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The words of each side for which the other has none alike."""
    ours, theirs = {w.bare for w in one.words}, {w.bare for w in other.words}
    mine = [w for w in one.words if w.bare not in theirs]
    yours = [w for w in other.words if w.bare not in ours]
    if len(mine) <= _PATIENCE and len(yours) <= _PATIENCE:
        mine, yours = (
            [w for w in mine if not _has_like(w, other.words)],
            [w for w in yours if not _has_like(w, one.words)],
        )
    return tuple(mine), tuple(yours)


def _has_like(word: Word, among: Iterable[Word]) -> bool:
    """Words that begin otherwise can only hold one another; most pairs are done with that."""
    mine = word.letters
    start, holds = mine[:2], len(mine) >= _HELD
    for other in among:
        theirs = other.letters
        if theirs[:2] == start:
            if _alike(mine, theirs) or (word.inflected and other.inflected):
                return True
        elif (holds and mine in theirs) or (len(theirs) >= _HELD and theirs in mine):
            return True
    return False


def _alike(a: str, b: str) -> bool:
    """Forms of one word share their beginning, compounds hold one another."""
    short, long = sorted((a, b), key=len)
    if len(short) >= _HELD and short in long:
        return True
    shared = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        shared += 1
    if shared == len(short):
        return shared > 1 and len(long) - shared <= _ENDING
    return shared > 2 and shared * 5 >= len(long) * 3


def exchanged(one: Saying, other: Saying) -> bool:
    """One word for another in the same place: the flute for the guitar, peanuts for shrimps."""
    mine, yours = left_over(one, other)
    if len(mine) != 1 or len(yours) != 1 or mine[0].bare[:3] == yours[0].bare[:3] != "":
        return False
    x, y = mine[0], yours[0]
    if x.tail or y.tail:
        return x.tail == y.tail
    if x.around != y.around or has_syllables(x.bare) != has_syllables(y.bare):
        return False
    return not has_syllables(x.bare) or (bool(x.around[1]) and not x.verb and not y.verb)


def ends_otherwise(one: Saying, other: Saying, policy: Policy) -> bool:
    """The same up to the end, and then another thing: what my favourite drink is."""
    mine, yours = left_over(one, other)
    if not mine or not yours or len(mine) > _END or len(yours) > _END:
        return False
    if any(policy.remember.of(said.language).verb_last for said in (one, other)):
        return False
    return (
        one.words[-len(mine) :] == mine and other.words[-len(yours) :] == yours and len(one.words) > len(mine)
    )
