"""The content words of a sentence as `similar` compares them: bare, in letters, with particle and neighbours."""

from __future__ import annotations

from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.language.ko.stems import bare_noun, stems
from clew.kernel.language.scripts import has_syllables
from clew.kernel.text.tokens import content_sequence
from clew.policy import Policy

_VOWELS = {
    9: (8, 0), 10: (8, 1), 11: (8, 20), 14: (13, 4), 15: (13, 5), 16: (13, 20), 6: (20, 4), 2: (20, 0),
    1: (0, 20), 5: (4, 20),
}  # fmt: skip

# A final consonant is the letter that begins a syllable: 불러 has the letters of 부르 and one more.
_FINALS = " ᄀᄁᆪᄂᆬᆭᄃᄅᆰᆱᆲᆳᆴᆵᆶᄆᄇᆹᄉᄊᄋᄌᄎᄏᄐᄑᄒ"


@dataclass(frozen=True, slots=True)
class Word:
    """A content word: bare, and in letters where it is Hangul, so that 마셔 and 마신 share a beginning."""

    bare: str
    letters: str
    tail: str  # its particle
    around: tuple[str, str]  # the words before and after it
    verb: bool  # by its ending


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
                out.append(_FINALS[code % 28])
        else:
            out.append(c)
    return "".join(out)


def content(low: str, policy: Policy) -> list[Word]:
    likeness = policy.remember.likeness
    every = content_sequence(low, min_latin=1)
    bare = [bare_of(w, policy) for w in every]
    dropped = _dropped(policy)
    verbal = policy.remember.contrast.verb_tails
    out = []
    for n, word in enumerate(every):
        if word in dropped or (len(word) == 1 and word.isascii()):
            continue
        stem = likeness.same_words.get(bare[n], bare[n])
        around = (bare[n - 1] if n else "", bare[n + 1] if n + 1 < len(bare) else "")
        if has_syllables(word):
            tail = _noun_tail(word, policy)
            out.append(Word(stem, letters(stem), tail, around, word.endswith(verbal)))
        else:
            out.append(Word(stem, stem, "", around, False))
    return out


@lru_cache(maxsize=8)
def _dropped(policy: Policy) -> frozenset[str]:
    """Grammar, and denials, which are counted."""
    return frozenset(policy.remember.likeness.stop_words) | frozenset(policy.text.negations)


@lru_cache(maxsize=8)
def _nouns(policy: Policy) -> frozenset[str]:
    remember = policy.remember
    listed = (w for group in remember.contrast.exclusive for words_ in group for w in words_.split())
    return frozenset((*listed, *remember.likeness.people, *remember.say.korean["others"]))


def _noun_tail(word: str, policy: Policy) -> str:
    table = policy.remember.contrast
    if word.endswith(table.copulas):
        return table.noun_tails[0]
    tail = word[len(noun_of(word, policy)) :]
    short = tail.removeprefix("이")
    return table.roles.get(tail) or (short if short in table.noun_tails else "")


@lru_cache(maxsize=8192)
def noun_of(word: str, policy: Policy) -> str:
    return bare_noun(word, policy)


@lru_cache(maxsize=8192)
def bare_of(word: str, policy: Policy) -> str:
    """여자 ends like 가자 and is a noun all the same."""
    if not has_syllables(word):
        return english_stem(word)
    noun = noun_of(word, policy)
    return noun if noun in _nouns(policy) else stems(word, policy)[-1]
