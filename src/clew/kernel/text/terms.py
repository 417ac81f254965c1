"""From text to the terms that are counted: stems of spaced scripts, pairs of characters of the others."""

from __future__ import annotations

from functools import lru_cache

from clew.kernel.language.packs import packs
from clew.kernel.language.scripts import Writing, written
from clew.kernel.text.tokens import words
from clew.policy import Policy


@lru_cache(maxsize=4)
def stop_words(policy: Policy) -> frozenset[str]:
    """Words that name nothing, in any language."""
    return frozenset(policy.recall.said("stop_words"))


def terms(text: str, policy: Policy) -> list[tuple[str, str]]:
    """(term, the word it stands for) in order; words that name nothing are left out."""
    out: list[tuple[str, str]] = []
    for word in words(text):
        out.extend(word_terms(word, policy))
    return out


@lru_cache(maxsize=65536)
def word_terms(word: str, policy: Policy) -> tuple[tuple[str, str], ...]:
    stop = stop_words(policy)
    out: list[tuple[str, str]] = []
    for run, writing in written(word):
        if run in stop:
            continue
        if writing is Writing.SPACED:
            out.extend(_spaced(run, policy))
            continue
        bare = bare_word(run, policy) if writing is Writing.SYLLABLES else run
        if bare not in stop:
            out.extend((pair, bare) for pair in _pairs(bare))
    return tuple(out)


@lru_cache(maxsize=65536)
def bare_word(word: str, policy: Policy) -> str:
    """The word without what its language hangs behind it: a possessive, a particle."""
    for language in packs():
        word = language.bare(word, policy)
    return word


def _spaced(word: str, policy: Policy) -> tuple[tuple[str, str], ...]:
    bare = bare_word(word, policy).replace("'", "")
    if not bare:
        return ()
    stem = bare
    for language in packs():
        stem = language.stem(stem, policy)
    return ((stem, bare),)


def _pairs(run: str) -> list[str]:
    return [run] if len(run) < 2 else [run[i : i + 2] for i in range(len(run) - 1)]
