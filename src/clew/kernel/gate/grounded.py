"""Which words of a draft are held by something: what is known, or what the user just said (ruling S9).

A draft is read with its content taken out: held words become one mark, new names, numbers and words others. What is
left is the shape of a claim, and a shape can be learned from few sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from clew.policy import Policy

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[?!]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_ENDINGS = ("'s", "ing", "ed", "es", "s", "ly")
_STEM = 5
_HELD, _NEW, _NAME, _NUMBER = "<held>", "<new>", "<name>", "<number>"


def held_words(texts: Iterable[str]) -> frozenset[str]:
    """Stems of everything that may be spoken of."""
    return frozenset().union(*map(_held, texts))


@lru_cache(maxsize=1024)
def _held(value: str) -> frozenset[str]:
    return frozenset(stem for word in _WORD.findall(value) for stem in _stems(word.lower()))


@lru_cache(maxsize=8192)
def _stems(word: str) -> tuple[str, ...]:
    word = word.replace("’", "'")
    if _HANGUL.match(word):
        return (word[:2],)
    bare = next((word[: -len(e)] for e in _ENDINGS if word.endswith(e) and len(word) - len(e) > 2), word)
    return (bare[:_STEM],)


def shape(sentence: str, held: frozenset[str], language: str, policy: Policy) -> list[str]:
    """The sentence as words and marks."""
    kept = _kept(language, policy)
    out: list[str] = []
    new = 0
    for i, found in enumerate(_WORD.findall(sentence)):
        word = found.lower().replace("’", "'")
        mark = _mark(found, word, held, kept, first=i == 0)
        new += mark in (_NEW, _NAME, _NUMBER)
        out.append(mark or word)
        if mark == _NEW and _HANGUL.match(word) and len(word) > 2:
            out.append("~" + word[-2:])
    out.append(f"#new{min(new, 5)}")
    return out


def _mark(found: str, word: str, held: frozenset[str], kept: frozenset[str], *, first: bool) -> str:
    if word in kept or word in ("?", "!"):
        return ""
    if any(stem in held for stem in _stems(word)):
        return _HELD
    if word[0].isdigit():
        return _NUMBER
    if _HANGUL.match(word):
        # Short words are mostly grammar; an ending says more than the stem it stands on.
        return "" if len(word) < 2 else _NEW
    return _NAME if found[0].isupper() and not first else _NEW


def new_in(marked: Iterable[str]) -> int:
    """How many words of a shape nothing holds."""
    return sum(t in (_NEW, _NAME, _NUMBER) for t in marked)


def held_in(marked: Iterable[str]) -> int:
    """How many words of a shape something holds."""
    return sum(t == _HELD for t in marked)


def new_words(sentence: str, held: frozenset[str], language: str, policy: Policy) -> int:
    return new_in(shape(sentence, held, language, policy))


@lru_cache(maxsize=16)
def _kept(language: str, policy: Policy) -> frozenset[str]:
    words = policy.gate.languages.get(language)
    return frozenset(words.grammar) if words else frozenset()
