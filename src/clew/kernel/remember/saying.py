"""What one sentence says that another can contradict: its words with their roles, amounts and denials.

Read once per text and kept, for `similar` runs in loops.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from clew.kernel.listen.questions import is_question
from clew.kernel.remember.figures import in_figures, spans
from clew.kernel.remember.hangul import bare_noun, is_hangul, stems
from clew.kernel.remember.patterns import pattern
from clew.kernel.text.guards import Sides, sides
from clew.kernel.text.normalize import normal
from clew.kernel.text.tokens import content_sequence, words
from clew.policy import Policy

SPEAKER = "나"
_VOWELS = {
    9: (8, 0), 10: (8, 1), 11: (8, 20), 14: (13, 4), 15: (13, 5), 16: (13, 20), 6: (20, 4), 2: (20, 0),
    1: (0, 20), 5: (4, 20),
}  # fmt: skip

_WHOSE = ("my", "his", "her", "our")
_FIRST = (("i",), ("we",), ("you",))

# (group, alternative): one side of a contrast
Mark = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Word:
    """A content word: bare, and in letters where it is Hangul, so that 마셔 and 마신 share a beginning."""

    bare: str
    letters: str
    tail: str  # its particle
    around: tuple[str, str]  # the words before and after it
    whole: bool  # nothing came off


@dataclass(frozen=True, slots=True)
class Saying:
    words: tuple[Word, ...]
    denied: bool
    denied_at_last: bool
    opposites: frozenset[Mark]
    exclusive: frozenset[Mark]
    spans: frozenset[tuple[str, str]]
    sides: Sides
    roles: frozenset[tuple[str, str]]
    order: tuple[str, ...]
    passive: bool
    asks: bool
    about: str  # "my boss is …": whom an English sentence is about
    third: bool  # somebody else does it


def english_stem(word: str) -> str:
    """One beginning for the forms of a word: movie and movies, story and stories, bake and baking."""
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
            stem = word[: -len(ending)]
            if ending == "ies":
                return stem + "i"
            return stem if ending == "s" and len(stem) == 3 else stem.rstrip("e")
    if len(word) > 3 and word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "i"
    return word.rstrip("e") if len(word) > 3 else word


def letters(word: str) -> str:
    """Hangul syllables as single letters, diphthongs as two: 봐 begins like 보."""
    out = []
    for c in word:
        if "\uac00" <= c <= "\ud7a3":
            code = ord(c) - 0xAC00
            out.append(chr(0x1100 + code // 588))
            vowel = code % 588 // 28
            out.extend(chr(0x1161 + v) for v in _VOWELS.get(vowel, (vowel,)))
            if code % 28:
                out.append(chr(0x11A7 + code % 28))
        else:
            out.append(c)
    return "".join(out)


@lru_cache(maxsize=1024)
def saying(text: str, policy: Policy) -> Saying:
    low = in_one_word(in_figures(normal(text).norm, policy), policy)
    plain = low if is_hangul(low) else text  # capitals tell names
    found = words(low)
    korean = is_hangul(low)
    roles = frozenset(_roles(found, policy)) if korean else frozenset()
    order = () if korean else _order(found, policy)
    return Saying(
        tuple(_content(low, policy)),
        denies(low, policy),
        denies(_clause(policy).split(low.rstrip(" ."))[-1], policy) if korean else denies(low, policy),
        *_marks(_with_pairs(found, policy), policy),
        spans(low, policy),
        sides(plain, policy.text),
        roles,
        order,
        not korean and _passive(policy).search(low) is not None,
        pattern("likeness_asks", policy).search(text) is not None or is_question(normal(text), policy.listen),
        "" if korean else _about(found, policy),
        any(r == "subject" and w != SPEAKER for w, r in roles) if korean else order[:1] not in _FIRST,
    )


def _content(low: str, policy: Policy) -> list[Word]:
    likeness = policy.remember.likeness
    every = content_sequence(low, min_latin=1)
    bare = [_bare(w, policy) for w in every]
    dropped = _dropped(policy)
    out = []
    for n, word in enumerate(every):
        if word in dropped or (len(word) == 1 and word.isascii()):
            continue
        stem = likeness.same_words.get(bare[n], bare[n])
        around = (bare[n - 1] if n else "", bare[n + 1] if n + 1 < len(bare) else "")
        if is_hangul(word):
            tail = word[len(_noun(word, policy)) :]
            out.append(Word(stem, letters(stem), _noun_tail(tail, policy), around, bare[n] == word))
        else:
            out.append(Word(stem, stem, "", around, True))
    return out


@lru_cache(maxsize=8)
def _dropped(policy: Policy) -> frozenset[str]:
    """Grammar, and denials, which are counted."""
    return frozenset(policy.remember.likeness.stop_words) | frozenset(policy.text.negations)


def _noun_tail(tail: str, policy: Policy) -> str:
    table = policy.remember.contrast
    short = tail.removeprefix("이")
    return table.roles.get(tail) or (short if short in table.noun_tails else "")


@lru_cache(maxsize=8192)
def _noun(word: str, policy: Policy) -> str:
    return bare_noun(word, policy)


@lru_cache(maxsize=8192)
def _bare(word: str, policy: Policy) -> str:
    return stems(word, policy)[-1] if is_hangul(word) else english_stem(word)


@lru_cache(maxsize=8)
def _denial(policy: Policy) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = policy.remember.contrast
    return (
        re.compile(table.not_denies), re.compile(table.denies),
        re.compile(table.not_denies_en), re.compile(table.denies_en),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _clause(policy: Policy) -> re.Pattern[str]:
    return re.compile(policy.remember.contrast.clause)


def in_one_word(low: str, policy: Policy) -> str:
    """ "Can't stand" is "hate", and denies nothing."""
    for spoken, meant in policy.remember.contrast.one_word.items():
        if spoken in low:
            low = low.replace(spoken, meant)
    return low


def denies(low: str, policy: Policy) -> bool:
    """Denied an odd number of times: 안, -지 않-, but also 그만 and 금지; "는지 아니?" only asks."""
    not_ko, ko, not_en, en = _denial(policy)
    if is_hangul(low):
        return len(ko.findall(not_ko.sub(" ", low))) % 2 == 1
    low = not_en.sub(" ", low)
    return sides(low, policy.text).negated != (len(en.findall(low)) % 2 == 1)


Groups = tuple[dict[str, tuple[Mark, ...]], tuple[tuple[str, Mark], ...]]


@lru_cache(maxsize=8)
def _compiled(policy: Policy) -> tuple[Groups, Groups]:
    """Opposites of both tables, without those of which one is itself a denial: that is counted there."""
    own = tuple(pair for pair in policy.text.antonyms if not is_hangul(pair[0]))
    table = policy.remember.contrast
    return _groups((*table.opposites, *own), policy), _groups(table.exclusive, policy)


def _groups(table: tuple[tuple[str, ...], ...], policy: Policy) -> Groups:
    negative = {english_stem(w) for w in policy.text.negations}
    whole: dict[str, tuple[Mark, ...]] = {}
    begun: list[tuple[str, Mark]] = []
    for g, group in enumerate(table):
        for n, alternative in enumerate(group):
            for word in alternative.split():
                if word.endswith("*"):
                    begun.append((word[:-1], (g, n)))
                elif english_stem(word) not in negative:
                    key = word if is_hangul(word) else english_stem(word)
                    whole[key] = (*whole.get(key, ()), (g, n))
    return whole, tuple(begun)


def _marks(found: tuple[str, ...], policy: Policy) -> tuple[frozenset[Mark], frozenset[Mark]]:
    opposites: set[Mark] = set()
    exclusive: set[Mark] = set()
    for word in set(found):
        marks = _word_marks(word, policy)
        opposites.update(marks[0])
        exclusive.update(marks[1])
    return frozenset(opposites), frozenset(exclusive)


@lru_cache(maxsize=8192)
def _word_marks(word: str, policy: Policy) -> tuple[frozenset[Mark], frozenset[Mark]]:
    hangul = is_hangul(word)
    forms = {word, _noun(word, policy), *stems(word, policy)} if hangul else {english_stem(word)}

    def of(groups: Groups) -> frozenset[Mark]:
        whole, begun = groups
        marks = {mark for form in forms for mark in whole.get(form, ())}
        if hangul:
            marks.update(mark for start, mark in begun if word.startswith(start))
        return frozenset(marks)

    opposites, exclusive = _compiled(policy)
    return of(opposites), of(exclusive)


def _with_pairs(found: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
    which = policy.remember.contrast.which
    pairs = (f"{a}_{b}" for a, b in pairwise(found) if a in which)
    return (*found, *pairs)


@lru_cache(maxsize=8)
def _passive(policy: Policy) -> re.Pattern[str]:
    return re.compile(policy.remember.contrast.passive)


def _roles(found: tuple[str, ...], policy: Policy) -> set[tuple[str, str]]:
    table = policy.remember.contrast
    out = set()
    for word in found:
        if word in table.speaker:
            out.add((SPEAKER, table.speaker[word]))
            continue
        noun = _noun(word, policy)
        role = table.roles.get(word[len(noun) :])
        if role:
            out.add((policy.remember.likeness.same_words.get(noun, noun), role))
    return out


def _about(found: tuple[str, ...], policy: Policy) -> str:
    if len(found) < 3 or found[0] not in _WHOSE or found[1] not in policy.remember.contrast.kin:
        return ""
    return "" if found[2] == "and" else english_stem(found[1])


def _order(found: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
    case = dict(policy.text.roles)
    out = []
    for n, word in enumerate(found):
        bare = word.removesuffix("'s").split("'")[0]
        if bare == "her":  # hers before a noun, the object at the end
            last = n + 1 == len(found) or found[n + 1] in policy.remember.contrast.after_object
            bare = "she" if last else "my"
        bare = case.get(bare, bare)
        if bare not in policy.text.roleless:
            out.append(english_stem(bare))
    return tuple(out)
