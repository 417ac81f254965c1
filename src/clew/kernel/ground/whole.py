"""Small questions about the words of a message: plural, number, everything, the letter it starts with."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from clew.kernel.ground.cards import forms
from clew.kernel.ground.said import Phrase
from clew.kernel.language.packs import writer
from clew.policy.ground import PointingPolicy

# A shorter word with the ending for "only" is a word of its own.
_ONLY = 2


def spoken(text: str, phrases: tuple[str, ...]) -> bool:
    return any(f" {phrase} " in text for phrase in phrases)


def whole_list(heard: Phrase, policy: PointingPolicy) -> bool:
    """All of it is meant; "he's all healed" and "the one with all of us" mean no list."""
    text = f" {heard.text} "
    for phrase in policy.not_all:
        text = text.replace(f" {phrase} ", " ")
    told = any(
        b in policy.small.all and (a.endswith(policy.small.owner) or a in policy.being)
        for a, b in pairwise(text.split())
    )
    return (spoken(text, policy.all) or _so_many_all(heard, policy)) and not told


def _so_many_all(heard: Phrase, policy: PointingPolicy) -> bool:
    """세 곡 다: a number, what is counted, and all of it."""
    words = heard.words
    return any(w in policy.all_after and number(words[max(0, i - 2) : i], policy) > 0 for i, w in enumerate(words))


@lru_cache(maxsize=8)
def all_of(policy: PointingPolicy) -> frozenset[str]:
    """Everything, each one; "any of them" leaves it open."""
    return frozenset(policy.everything) - frozenset(policy.small.any)


def has(words: frozenset[str], wanted: tuple[str, ...], policy: PointingPolicy) -> bool:
    return any(f in wanted for w in words for f in forms(w, policy))


def letter(heard: Phrase, policy: PointingPolicy) -> str | None:
    """The letter that the name is said to start with; languages put it behind the verb, or before."""
    for phrase in (*policy.starting, *policy.starting_after):
        before, found, after = heard.text.partition(phrase)
        if found:
            words = before.split()[-1:] if phrase in policy.starting_after else after.split()[:1]
            return words[0] if words else None
    return None


def plural(words: tuple[str, ...], told: list[str], policy: PointingPolicy) -> bool:
    """ "the ones with …", or a fitting word in the plural: "the jpgs"."""
    if not frozenset(words).isdisjoint(policy.plurals):
        return True
    if any(len(w) > _ONLY and w.endswith(policy.only_ends) for w in told):
        # 전세만: only those, however many they are.
        return True
    return not policy.small.the.isdisjoint(words) and any(writer(w).plural(w) for w in told)


def number(words: tuple[str, ...], policy: PointingPolicy) -> int:
    return next((n for w in words if w not in policy.small.one and (n := _so_many(w, policy))), 0)


@lru_cache(maxsize=2048)
def _so_many(word: str, policy: PointingPolicy) -> int:
    """Two, 두개, 두 곳: a number, or one with what is counted hung on it."""
    if word in policy.number_words:
        return policy.number_words[word]
    numbers, pieces = policy.number_words.items(), policy.cut.pieces
    return next((n for w, n in numbers if word.startswith(w) and word[len(w) :] in pieces), 0)


def counting(word: str, policy: PointingPolicy) -> bool:
    """Said to count along a list or a scale."""
    lists = (policy.top, policy.bottom, policy.many, policy.few, *policy.scales.values())
    own = forms(word, policy)
    if _so_many(word, policy):
        return True
    return any(f in policy.number_words or any(f in one for one in lists) for f in own) or word in policy.very_end


def ends(words: tuple[str, ...], count: int, policy: PointingPolicy) -> tuple[int, ...]:
    """ "the top two", 위에 두 개, 맨 아래 거: counted from an end of the list."""
    stems = [frozenset(forms(w, policy)) for w in words]
    top = any(not s.isdisjoint(policy.top) for s in stems)
    bottom = any(not s.isdisjoint(policy.bottom) for s in stems)
    timed = any(
        b.startswith(policy.time_units) and (a in policy.number_words or a[0].isdigit()) for a, b in pairwise(words)
    ) or any(w.startswith(policy.time_units) and w not in policy.people_units for w in words)
    if timed:
        return ()
    many = number(words, policy) or 1
    if top == bottom or many >= count:
        return ()
    return tuple(range(many)) if top else tuple(range(count - many, count))


@lru_cache(maxsize=8)
def empty(policy: PointingPolicy) -> frozenset[str]:
    return frozenset(
        (
            *policy.empty,
            *policy.everything,
            *policy.other,
            *policy.others,
            *policy.former,
            *policy.latter,
            *policy.middle,
        )
    )
