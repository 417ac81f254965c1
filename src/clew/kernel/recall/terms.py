"""From text to the terms that are counted: stems of spaced scripts, syllable pairs of the others."""

from __future__ import annotations

from functools import lru_cache

import regex

from clew.kernel.text.tokens import words
from clew.policy import Policy

_RUN = regex.compile(
    r"\p{Hangul}+|[\p{Han}\p{Hiragana}\p{Katakana}ー]+|[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]+"
    r"|[^\p{Hangul}\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]+"
)
_HANGUL = regex.compile(r"\p{Hangul}")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_VOWEL = regex.compile(r"[aeiouy]")
_POSSESSIVE = regex.compile(r"(?:'s|s')$")


@lru_cache(maxsize=4)
def _lists(policy: Policy) -> tuple[frozenset[str], frozenset[str], tuple[str, ...], tuple[str, ...]]:
    particles = tuple(sorted(policy.text.particles, key=lambda p: (-len(p), p)))
    return (
        frozenset(policy.recall.stop_words),
        frozenset(policy.recall.stop_words_ko),
        particles,
        policy.recall.suffixes,
    )


def terms(text: str, policy: Policy) -> list[tuple[str, str]]:
    """(term, the word it stands for) in order; words that name nothing are left out."""
    out: list[tuple[str, str]] = []
    for word in words(text):
        out.extend(word_terms(word, policy))
    return out


@lru_cache(maxsize=65536)
def word_terms(word: str, policy: Policy) -> tuple[tuple[str, str], ...]:
    stop, stop_ko, particles, _ = _lists(policy)
    if word.isascii():
        return () if word in stop else _spaced(word, policy)
    out: list[tuple[str, str]] = []
    for run in _RUN.findall(word):
        if _HANGUL.match(run):
            if run in stop_ko:
                continue
            bare = without_particle(run, particles)
            if bare not in stop_ko:
                out.extend((pair, bare) for pair in _pairs(bare))
        elif _UNSPACED.match(run):
            out.extend((pair, run) for pair in _pairs(run))
        elif run not in stop:
            out.extend(_spaced(run, policy))
    return tuple(out)


def _spaced(word: str, policy: Policy) -> tuple[tuple[str, str], ...]:
    bare = _POSSESSIVE.sub("", word).replace("'", "")
    return ((stem(bare, policy), bare),) if bare else ()


def without_particle(word: str, particles: tuple[str, ...]) -> str:
    """고양이가 -> 고양이; at least two syllables stay."""
    for particle in particles:
        if word.endswith(particle) and len(word) - len(particle) >= 2:
            return word[: -len(particle)]
    return word


def _pairs(run: str) -> list[str]:
    return [run] if len(run) < 2 else [run[i : i + 2] for i in range(len(run) - 1)]


def stem(word: str, policy: Policy) -> str:
    """Light English stemming: only what makes two forms of one word meet."""
    least = policy.recall.stem_min
    word = policy.recall.irregular.get(word, word)
    if len(word) <= least or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > least + 1:
        word = word[:-3] + "y"
    elif word.endswith("es") and word[:-2].endswith(("s", "x", "z", "ch", "sh")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in policy.recall.suffixes:
        base = word[: -len(suffix)]
        if word.endswith(suffix) and len(base) >= least and _VOWEL.search(base):
            doubled = len(base) > least and base[-1] == base[-2] and base[-1] not in "lsz"
            word = base[:-1] if doubled else base
            break
    if len(word) > least and word.endswith("e"):
        word = word[:-1]
    if len(word) > least and word.endswith("y"):
        word = word[:-1] + "i"
    return word
