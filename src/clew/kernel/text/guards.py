"""Never merge opposites (general ruling 3): what vetoes every path that would call two texts one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import regex

from clew.frozen import dataclass
from clew.kernel.text.normalize import normalize
from clew.kernel.text.tokens import words
from clew.policy.text import TextPolicy
from clew.programs import program

# A Korean particle after a Latin name is no part of it.
_CAPITALISED = regex.compile(r"\p{Lu}(?:(?!\p{Hangul})[\p{L}\p{M}'’\-])*")
_GROUPED = re.compile(r",(?=[0-9]{3}(?![0-9]))")
_BEFORE_INITIAL = frozenset('.!?…:;"“”([\n')
_POSSESSIVE = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class Sides:
    """What one text asserts that can clash: polarity, opposites, named things."""

    negated: bool
    words: frozenset[str]
    entities: frozenset[str]


@lru_cache(maxsize=8)
def _values(policy: TextPolicy) -> dict[str, str]:
    return dict(policy.number_values)


@lru_cache(maxsize=8)
def _tables(policy: TextPolicy) -> tuple[frozenset[str], dict[str, frozenset[str]], frozenset[str]]:
    opposite: dict[str, set[str]] = {}
    for left, right in policy.antonyms:
        opposite.setdefault(left, set()).add(right)
        opposite.setdefault(right, set()).add(left)
    named = frozenset(policy.months) | frozenset(policy.weekdays) | frozenset(policy.number_words)
    named |= frozenset(_values(policy))
    return frozenset(policy.negations), {k: frozenset(v) for k, v in opposite.items()}, named


@lru_cache(maxsize=8)
def _numbers(ends: tuple[str, ...]) -> tuple[regex.Pattern[str], re.Pattern[str]]:
    """A number with what may hang on it, and what comes off: the 12th is the 12."""
    listed = "|".join(map(re.escape, ends)) or "(?!)"
    number = rf"(?<![\p{{L}}\p{{N}}])\p{{N}}++(?:[.,:/]\p{{N}}+)*(?:%|{listed})?(?![\p{{L}}])|\p{{N}}+"
    return regex.compile(number), program(rf"(?<=[0-9])(?:{listed})$")


def sides(text: str, policy: TextPolicy) -> Sides:
    _, _, named = _tables(policy)
    low = normalize(text)
    found = words(text)
    values = _values(policy)
    number, ordinal = _numbers(policy.ordinal_ends)
    entities = {_number(m.group(), ordinal) for m in number.finditer(low)}
    entities.update(values.get(w, w) for w in found if w in named and w not in policy.not_entities)
    entities.update("1" for _ in _single(found, policy))
    entities.update(_names(text, policy))
    return Sides(_negations(low, found, policy) % 2 == 1, frozenset(found), frozenset(entities))


def _number(text: str, ordinal: re.Pattern[str]) -> str:
    """1,200 is 1200, 9:00 is 9, and the 12th is the 12."""
    bare = ordinal.sub("", text.rstrip("%"))
    return _GROUPED.sub("", bare).removesuffix(":00")


def _single(found: tuple[str, ...], policy: TextPolicy) -> Iterator[str]:
    """ "For a year" is one year; "twice a year" counts nothing."""
    for before, article, unit in zip(found, found[1:], found[2:], strict=False):
        lasts = article in policy.articles and before in policy.lasting
        if unit in policy.units and (article in policy.single or lasts):
            yield unit


def _negations(low: str, found: tuple[str, ...], policy: TextPolicy) -> int:
    negative, _, _ = _tables(policy)
    for phrase in policy.not_negations:
        if phrase in low:
            low = low.replace(phrase, " ")
            found = words(low)
    count = sum(w in negative for w in found)
    if not low.isascii():
        for spoken in policy.languages.values():
            count += sum(t in spoken.negative_prefixes for t in low.split())
            count += sum(low.count(ending) for ending in spoken.negative_endings)
    return count


def _names(text: str, policy: TextPolicy) -> set[str]:
    """Capitalised words that do not merely begin a sentence."""
    names: set[str] = set()
    for match in _CAPITALISED.finditer(text):
        word = _POSSESSIVE.sub("", match.group()).casefold()
        if word in policy.not_names or _begins(text, match.start()):
            continue
        names.add(word)
    return names


def _begins(text: str, at: int) -> bool:
    """Only spaces since the start or the last mark: looked for backwards, never the whole text again."""
    while at and text[at - 1].isspace() and text[at - 1] != "\n":
        at -= 1
    return at == 0 or text[at - 1] in _BEFORE_INITIAL


def veto(a: str, b: str, policy: TextPolicy) -> str | None:
    """The name of the guard that forbids to call two texts one, or None (ruling T3)."""
    left, right = sides(a, policy), sides(b, policy)
    if left.negated != right.negated:
        return "polarity"
    _, opposite, _ = _tables(policy)
    for word in left.words - right.words:
        if any(o in right.words and o not in left.words for o in opposite.get(word, ())):
            return "antonym"
    # A sentence-initial name counts when the other side has the same word: it is not missing there.
    only_left = left.entities - right.entities - _loose(b)
    only_right = right.entities - left.entities - _loose(a)
    if (only_left and only_right) or _crossed(a, b, policy):
        return "entity"
    return None


def _crossed(a: str, b: str, policy: TextPolicy) -> bool:
    """The same words with two of them changed about across a third: who lent whom, which is taller.

    What only moves to the front ("on Sundays I …") or stands in a list changes no role. Korean marks
    roles by particles, not by place.
    """
    if not (a.isascii() and b.isascii()):
        return False
    left, right = _ordered(a, policy), _ordered(b, policy)
    if len(left) != len(right):
        return False
    differ = [n for n, (x, y) in enumerate(zip(left, right, strict=True)) if x != y]
    if len(differ) != 2 or differ[1] - differ[0] < 2:
        return False
    first, second = differ
    return left[first] == right[second] and left[second] == right[first]


def _ordered(text: str, policy: TextPolicy) -> list[str]:
    case = dict(policy.roles)
    bare = (_POSSESSIVE.sub("", w) for w in words(text))
    return [case.get(w, w) for w in bare if w not in policy.roleless]


def _loose(text: str) -> frozenset[str]:
    return frozenset(_POSSESSIVE.sub("", w) for w in words(text))
