"""Korean words without their particles and endings, by rule."""

from __future__ import annotations

from functools import lru_cache

from clew.kernel.language.scripts import has_syllables
from clew.policy import Policy
from clew.policy.remember import HangulPolicy


@lru_cache(maxsize=8)
def _longest_first(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(words, key=lambda w: (-len(w), w)))


def has_final(syllable: str) -> bool:
    """Does a Hangul syllable end in a consonant? Particles come in pairs that depend on it."""
    return "\uac00" <= syllable <= "\ud7a3" and (ord(syllable) - 0xAC00) % 28 != 0


def _ends_in_l(syllable: str) -> bool:
    """서울로, not 서울으로: after ㄹ the particle stands as after a vowel."""
    return (ord(syllable) - 0xAC00) % 28 == 8


def bare_noun(word: str, policy: Policy) -> str:
    """One particle off the end, when a noun of at least one syllable is left."""
    table: HangulPolicy = policy.remember.hangul
    if not has_syllables(word):
        return word
    for particle in _longest_first(table.particles):
        if word.endswith(particle) and len(word) > len(particle):
            stem = word[: -len(particle)]
            wants = table.after_consonant if particle in table.after_consonant else None
            if wants is not None and not has_final(stem[-1]):
                continue
            soft = particle.startswith("로") and _ends_in_l(stem[-1])
            if particle in table.after_vowel and has_final(stem[-1]) and not soft:
                continue
            return stem
    return word


def stems(word: str, policy: Policy) -> tuple[str, ...]:
    """The word, and the word without particle or ending; the last one is the barest."""
    if not has_syllables(word):
        return (word,)
    out = [word]
    for ending in _longest_first(policy.remember.hangul.endings):
        if word.endswith(ending) and len(word) > len(ending):
            out.append(word[: -len(ending)])
            break
    else:
        bare = bare_noun(word, policy)
        if bare != word:
            out.append(bare)
    return tuple(out)
