"""Which words of a draft are held by something: what is known, or what the user just said (ruling S9).

A draft is read with its content taken out: held words become one mark, new names, numbers and words others. What is
left is the shape of a claim, and a shape can be learned from few sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from clew.kernel.language.scripts import opens_in_syllables
from clew.kernel.statements.features import mentions
from clew.policy import Policy

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[?!]")
_STEM, _STEM_SYLLABLES = 5, 2
# A family name of one syllable and a given name of two.
_FULL_NAME = 3
_DIGITS = re.compile(r"\d+")
# No word begins so.
_PERSON = "@"
_HELD, _NEW, _NAME, _NUMBER = "<held>", "<new>", "<name>", "<number>"


def held_words(texts: Iterable[str], policy: Policy) -> frozenset[str]:
    """Stems of everything that may be spoken of, and a mark for everybody of the user's who is."""
    stems = frozenset[str]().union(*(_held(value, policy) for value in texts))
    # "8 months" holds "eight months", and the other way round.
    by_word, by_number = _numbers(policy)
    said = {by_word[word] for word in by_word.keys() & stems}
    return stems.union(said, (word for n in by_number.keys() & (stems | said) for word in by_number[n]))


@lru_cache(maxsize=8)
def _numbers(policy: Policy) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Words for numbers with the number in figures, and the other way round."""
    by_word = {word: str(number) for word, number in policy.ground.pointing.number_words.items()}
    return by_word, {n: tuple(w for w, number in by_word.items() if number == n) for n in by_word.values()}


def people_in(text: str, policy: Policy) -> list[tuple[tuple[int, int], str]]:
    """Words for somebody by their relation to the user: where each stands, and the relation."""
    found = ((m, *m.subject.partition(":")[::2]) for m in mentions(text, policy.reader))
    return [((m.start, m.end), name) for m, kind, name in found if kind == "person"]


def knows_of(name: str, held: frozenset[str]) -> bool:
    return _PERSON + name in held


@lru_cache(maxsize=1024)
def _held(value: str, policy: Policy) -> frozenset[str]:
    endings = _endings(policy)
    words = [word.lower() for word in _WORD.findall(value)]
    given = (w[1:_FULL_NAME] for w in words if opens_in_syllables(w) and len(w) >= _FULL_NAME)
    people = (_PERSON + name for _, name in people_in(value, policy))
    return frozenset((*(_stem(word, endings) for word in words), *given, *people))


@lru_cache(maxsize=8192)
def _stem(word: str, endings: tuple[str, ...]) -> str:
    word = word.replace("’", "'")
    if opens_in_syllables(word):
        return word[:_STEM_SYLLABLES]
    if digits := _DIGITS.match(word):
        # "83번", "12th": whatever is counted, the number is held or is not.
        return digits[0]
    bare = next((word[: -len(e)] for e in endings if word.endswith(e) and len(word) - len(e) > 2), word)
    return bare[:_STEM]


@lru_cache(maxsize=8)
def _endings(policy: Policy) -> tuple[str, ...]:
    """Of all languages: what is known and what is said need not be in one."""
    return tuple(e for words in policy.gate.languages.values() for e in words.endings)


def shape(sentence: str, held: frozenset[str], language: str, policy: Policy) -> list[str]:
    """The sentence as words and marks."""
    kept, endings = _kept(language, policy), _endings(policy)
    out: list[str] = []
    new = 0
    for i, found in enumerate(_WORD.findall(sentence)):
        word = found.lower().replace("’", "'")
        mark = "" if word in kept else _mark(found, _stem(word, endings) in held, first=i == 0)
        new += mark in (_NEW, _NAME, _NUMBER)
        out.append(mark or word)
        if mark == _NEW and opens_in_syllables(word) and len(word) > 2:
            out.append("~" + word[-2:])
    out.append(f"#new{min(new, 5)}")
    return out


def _mark(found: str, held: bool, *, first: bool) -> str:
    if found in ("?", "!"):
        return ""
    if held:
        return _HELD
    if found[0].isdigit():
        return _NUMBER
    if opens_in_syllables(found):
        # Short words are mostly grammar; an ending says more than the stem it stands on.
        return "" if len(found) < 2 else _NEW
    return _NAME if found[0].isupper() and not first else _NEW


def new_in(marked: Iterable[str]) -> int:
    """How many words of a shape nothing holds."""
    return sum(t in (_NEW, _NAME, _NUMBER) for t in marked)


def named_in(marked: Iterable[str]) -> int:
    """How many of these are names or numbers."""
    return sum(t in (_NAME, _NUMBER) for t in marked)


def held_in(marked: Iterable[str]) -> int:
    """How many words of a shape something holds."""
    return sum(t == _HELD for t in marked)


def new_words(sentence: str, held: frozenset[str], language: str, policy: Policy) -> int:
    return new_in(shape(sentence, held, language, policy))


@lru_cache(maxsize=16)
def _kept(language: str, policy: Policy) -> frozenset[str]:
    words = policy.gate.languages.get(language)
    return frozenset(words.grammar) if words else frozenset()
