"""The content words of a sentence as `similar` compares them: bare, in letters, with particle and neighbours."""

from __future__ import annotations

from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.language.packs import writer
from clew.kernel.language.scripts import has_syllables
from clew.kernel.text.tokens import content_sequence
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Word:
    """A content word: bare, and in letters where it is Hangul, so that 마셔 and 마신 share a beginning."""

    bare: str
    letters: str
    tail: str  # its particle
    around: tuple[str, str]  # the words before and after it
    verb: bool  # by its ending
    inflected: bool  # in letters, a stem and the one letter that an ending left on it


def content(low: str, policy: Policy) -> list[Word]:
    likeness = policy.remember.likeness
    every = content_sequence(low, min_latin=1)
    bare = [bare_of(w, policy) for w in every]
    dropped = _dropped(policy)
    out = []
    for n, word in enumerate(every):
        if word in dropped or (len(word) == 1 and not has_syllables(word)):
            continue
        stem = likeness.same_words.get(bare[n], bare[n])
        around = (bare[n - 1] if n else "", bare[n + 1] if n + 1 < len(bare) else "")
        own = writer(word).comparing
        run = own.letters(stem)
        verb, inflected = own.is_verb(word, policy), own.inflected(run, policy)
        out.append(Word(stem, run, own.tail(word, policy), around, verb, inflected))
    return out


@lru_cache(maxsize=8)
def _dropped(policy: Policy) -> frozenset[str]:
    """Grammar, and denials, which are counted."""
    return frozenset(policy.remember.likeness.stop_words) | frozenset(policy.text.negations)


@lru_cache(maxsize=8192)
def bare_of(word: str, policy: Policy) -> str:
    """A word as it is compared, by the language in whose letters it is written."""
    return writer(word).comparing.bare(word, policy)


def noun_of(word: str, policy: Policy) -> str:
    """A word without one particle behind it, where its language has any."""
    return writer(word).comparing.noun(word, policy)


@lru_cache(maxsize=8192)
def listed(word: str) -> str:
    """A word of a list or a key, without its plural."""
    return writer(word).comparing.listed(word)


def letters(text: str) -> str:
    """Whatever is written in syllables letter by letter: 봐 begins like 보."""
    return writer(text).comparing.letters(text)
