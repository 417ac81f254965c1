"""Cutting the liked thing out of what follows the verb: to a stop word, at most a few words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.keep.values import tidy
from clew.kernel.language.packs import writer
from clew.kernel.statements.categories import category_of, gerund
from clew.kernel.statements.patterns import pattern
from clew.policy import Policy
from clew.policy.remember import ItemPolicy, SayPolicy

_WORD = re.compile(r"[^\s,.;:!?()\[\]…—–\"]+")
_PAUSE = re.compile(r"[,.;:!?()\[\]…—–\"]|\s-\s")


@dataclass(frozen=True, slots=True)
class Item:
    category: str
    text: str


@dataclass(frozen=True, slots=True)
class Liking:
    """Liked or disliked, and where in the sentence that is said."""

    stance: str
    item: Item
    start: int = 0


@lru_cache(maxsize=8)
def _sets(say: SayPolicy) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    return frozenset(say.item_stops), frozenset(say.determiners), frozenset(say.not_items)


@lru_cache(maxsize=8)
def _praise(say: SayPolicy) -> frozenset[str]:
    """Judging words in front of a thing are not part of it."""
    return frozenset(w for w in (*say.pleased, *say.displeased) if " " not in w and not w.endswith("ing"))


@lru_cache(maxsize=8)
def _feelings(say: SayPolicy) -> frozenset[str]:
    """Words that open another liking instead of going on with a list."""
    return frozenset(v.split()[0] for v in (*say.like_verbs, *say.dislike_verbs)) | {
        "i",
        "i'm",
        "not",
        "don't",
    }


@lru_cache(maxsize=8)
def _carriers(items: ItemPolicy) -> tuple[tuple[str, str], ...]:
    pairs = ((c, category) for category, verbs in items.carriers.items() for c in verbs)
    return tuple(sorted(pairs, key=lambda p: (-len(p[0]), p[0])))


def phrase(rest: str, policy: Policy) -> str:
    """The words up to the first stop, without determiners in front."""
    say = policy.remember.say
    stops, determiners, _ = _sets(say)
    praise = _praise(say)
    pause = _PAUSE.search(rest)
    words = _WORD.findall((rest[: pause.start()] if pause else rest).lower())
    while words and (words[0] in determiners or (words[0] in praise and len(words) > 1)):
        words = words[1:]
    kept: list[str] = []
    for word in words:
        # A pastime keeps its little words ("participating in", "cooking with friends").
        held = (
            bool(kept)
            and gerund(kept[0], policy)
            and word in say.activity_words
        )
        if word in stops and not held and not _narrows(words, kept, say):
            break
        kept.append(word)
        if len(kept) == say.item_words + (2 if kept and gerund(kept[0], policy) else 0):
            break
    if _cut_short(words, kept, say):  # what narrows it does not fit: the wider thing was not said (ruling M8)
        return ""
    while kept and (kept[-1] in determiners or kept[-1] in stops or kept[-1] in say.loose_ends):
        kept.pop()
    said = " ".join(kept)
    return tidy(said, policy) if said else ""


def _narrows(words: list[str], kept: list[str], say: SayPolicy) -> bool:
    """ "games with pixel art": the words behind "with" say which games."""
    place = len(kept)
    after = words[place + 1] if place + 1 < len(words) else ""
    return bool(kept) and words[place] in say.narrowing and bool(after) and after not in say.not_narrowing


def _cut_short(words: list[str], kept: list[str], say: SayPolicy) -> bool:
    narrowed = any(w in say.narrowing for w in kept)
    return narrowed and len(kept) < len(words) and kept[-1] in say.narrowing


def opens_with(text: str, words: tuple[str, ...]) -> bool:
    """Does the text begin with one of these words, and go on?"""
    first, space, _ = text.lower().partition(" ")
    return bool(space) and first in words


def read_item(rest: str, policy: Policy, unknown: str | None = None) -> Item | None:
    """The thing and its category, or None when it is not sure (ruling P79).

    `unknown` is the category the vector gives to a thing that no list knows.
    """
    rest = rest.strip()
    if opens_with(rest, policy.remember.say.infinitives) and len(rest.split()) > 1:
        verb, _, tail = rest.partition(" ")[2].partition(" ")
        rest = f"{to_gerund(verb.lower().strip('.,!'), policy)} {tail}"
    low = rest.lower()
    for carrier, category in _carriers(policy.remember.items):
        if low.startswith(carrier + " "):
            inner = phrase(rest[len(carrier) + 1 :], policy)
            if inner and category_of(inner, policy) == category and not gerund(inner.split()[0], policy):
                return Item(category, inner)
    text = phrase(rest, policy)
    first = text.split()[0] if text else ""
    refused = _sets(policy.remember.say)[2]
    if not text or first in refused or text in refused:
        return None
    if opens_with(rest, policy.remember.say.at_hand):  # one thing at hand is no taste
        return None
    known = category_of(text, policy) or unknown
    if opens_with(rest, policy.remember.say.owned) and known == "hobby" and " " not in text:  # "my dog" is family
        return None
    return Item(known, text) if known else None


def read_items(rest: str, policy: Policy, unknown: str | None = None) -> Iterator[Item]:
    """The first thing, and further ones of a list as long as each is known."""
    first = read_item(rest, policy, unknown)
    if first is None:
        return
    yield first
    stop = pattern("list_stop", policy).search(rest)
    parts = pattern("list_joint", policy).split(rest[: stop.start()] if stop else rest)
    infinitive = opens_with(rest, policy.remember.say.infinitives)
    seen = {first.text}
    for part in parts[1 : policy.remember.say.list_items]:
        words = part.lower().split()
        if (
            not words
            or len(words) > policy.remember.say.item_words
            or words[0] in _feelings(policy.remember.say)
        ):
            return
        if infinitive and words[0] not in policy.remember.say.no_verbs and category_of(part, policy) is None:
            part = f"{rest.split()[0].lower()} {part}"
        more = read_item(part, policy)
        if more is not None and more.text not in seen:
            seen.add(more.text)
            yield more


def to_gerund(verb: str, policy: Policy) -> str:
    """cook, bake, run → cooking, baking, running; a past form through the table of activities."""
    known = policy.remember.say.activities
    return known[verb] if verb in known else writer(verb).doing(verb)
