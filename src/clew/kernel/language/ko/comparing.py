"""Korean statements compared: the promise `Comparing` of a pack."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.language.comparing import Standing
from clew.kernel.language.ko.stems import bare_noun, stems
from clew.policy import Policy
from clew.programs import program

_VOWELS = {
    9: (8, 0), 10: (8, 1), 11: (8, 20), 14: (13, 4), 15: (13, 5), 16: (13, 20), 6: (20, 4), 2: (20, 0),
    1: (0, 20), 5: (4, 20),
}  # fmt: skip

# A final consonant is the letter that begins a syllable: 불러 has the letters of 부르 and one more.
_FINALS = " ᄀᄁᆪᄂᆬᆭᄃᄅᆰᆱᆲᆳᆴᆵᆶᄆᄇᆹᄉᄊᄋᄌᄎᄏᄐᄑᄒ"
_CODE = "ko"
capitals = False


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


def listed(word: str) -> str:
    """A key already holds the noun without its particle: 포도 is not 포."""
    return word


def stem(word: str, policy: Policy) -> str:
    return stems(word, policy)[-1]


@lru_cache(maxsize=8192)
def bare(word: str, policy: Policy) -> str:
    """여자 ends like 가자 and is a noun all the same."""
    thing = noun(word, policy)
    return thing if thing in _nouns(policy) else stem(word, policy)


def bases(word: str, policy: Policy) -> tuple[str, ...]:
    return stems(word, policy)


def forms(word: str, policy: Policy) -> frozenset[str]:
    return frozenset((word, noun(word, policy), *stems(word, policy)))


def tail(word: str, policy: Policy) -> str:
    table = policy.remember.contrast
    if word.endswith(table.copulas):
        return table.noun_tails[0]
    hung = word[len(noun(word, policy)) :]
    short = hung.removeprefix("이")
    return table.roles.get(hung) or (short if short in table.noun_tails else "")


def is_verb(word: str, policy: Policy) -> bool:
    return word.endswith(policy.remember.contrast.verb_tails)


def inflected(letters: str, policy: Policy) -> bool:
    """마신 and 마실 share ㅁㅏ; what follows comes from the ending."""
    return len(letters) == 3 and letters[2] in policy.remember.languages[_CODE].inflected


def denies(low: str, policy: Policy) -> bool:
    """Denied an odd number of times: 안, -지 않-, but also 그만 and 금지; "는지 아니?" only asks."""
    not_denied, denied, _ = _patterns(policy)
    return len(denied.findall(not_denied.sub(" ", low))) % 2 == 1


def last_clause(low: str, policy: Policy) -> str:
    return _patterns(policy)[2].split(low.rstrip(" ."))[-1]


def standing(low: str, words: tuple[str, ...], policy: Policy) -> Standing:
    roles = frozenset(_roles(words, policy))
    speaker = policy.remember.languages[_CODE].speaker
    return Standing(roles, third=any(role == "subject" and who not in speaker for who, role in roles))


def _roles(words: tuple[str, ...], policy: Policy) -> set[tuple[str, str]]:
    """A particle tells the part of its noun: 나는, 친구를."""
    table = policy.remember.contrast
    speaker = policy.remember.languages[_CODE].speaker[0]
    out = set()
    for word in words:
        if word in table.speaker:
            out.add((speaker, table.speaker[word]))
            continue
        thing = noun(word, policy)
        role = table.roles.get(word[len(thing) :])
        if role:
            out.add((policy.remember.likeness.same_words.get(thing, thing), role))
    return out


@lru_cache(maxsize=8)
def _patterns(policy: Policy) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = policy.remember.contrast
    return program(table.not_denies), program(table.denies), program(table.clause)


@lru_cache(maxsize=8)
def _nouns(policy: Policy) -> frozenset[str]:
    remember = policy.remember
    listed_ones = (w for group in remember.contrast.exclusive for words in group for w in words.split())
    return frozenset((*listed_ones, *remember.likeness.people, *remember.languages[_CODE].people))


@lru_cache(maxsize=8192)
def noun(word: str, policy: Policy) -> str:
    return bare_noun(word, policy)
