"""Is this a question? (turn-pipeline §6.5, rulings P1, P14)"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.kernel.text.normalize import Normal
from clew.policy.listen import ListenPolicy

_REACH = 6
_ENDING = 6
# Final consonants in the order in which Unicode composes syllables; 0 is none.
_FINALS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"


@lru_cache(maxsize=8)
def _sets(policy: ListenPolicy) -> dict[str, frozenset[str]]:
    return {
        name: frozenset(getattr(policy, name))
        for name in (
            "auxiliaries", "subjects", "open_starters", "narrow_starters", "wide_starters",
            "starter_contractions", "not_after_wide", "question_words_ko",
        )
    }


def is_question(text: Normal, policy: ListenPolicy, tokens: Sequence[str] | None = None) -> bool:
    """`tokens` are the words of `no_punct`, where the caller has them."""
    if "?" in text.norm:
        return True
    if tokens is None:
        tokens = text.no_punct.split()
    if not tokens:
        return False
    if not text.norm.isascii() and _asks_in_korean(tokens, policy):
        return True
    return _asks_in_english(tokens, text.no_punct, policy)


def _asks_in_english(tokens: Sequence[str], text: str, policy: ListenPolicy) -> bool:
    sets = _sets(policy)
    first = tokens[0]
    second = tokens[1] if len(tokens) > 1 else ""
    if first in sets["open_starters"] or first in sets["starter_contractions"]:
        return True
    if first in sets["narrow_starters"]:
        return second in sets["auxiliaries"]
    if first in sets["wide_starters"]:
        if second in sets["auxiliaries"] or f"{first} {second}" in policy.question_phrases:
            return True
        ahead = tokens[2:_REACH]
        return second not in sets["not_after_wide"] and not sets["auxiliaries"].isdisjoint(ahead)
    if first in sets["auxiliaries"] and first != "to":
        return second in sets["subjects"]
    return "how do i" in text and f" {text} ".find(" how do i ") >= 0


def _asks_in_korean(tokens: Sequence[str], policy: ListenPolicy) -> bool:
    last = tokens[-1]
    tail = " ".join(tokens[-4:])
    telling, wanting = _patterns(policy)
    if told := telling.search(tail):
        # "날씨 알려줘" asks; "비가 오면 알려줘" does not.
        return not tail[: told.start()].endswith(policy.later_ko)
    # "열어 줄래" is a request in the form of a question.
    if wanting.search(tail):
        return False
    alone, beside = _asking(last[-_ENDING:], policy)
    if alone:
        return True
    if not beside:
        return False
    asking = _indefinite(policy).sub(" ", " ".join(tokens)).split()
    return any(t.startswith(policy.question_words_ko) for t in asking)


@lru_cache(maxsize=8)
def _indefinite(policy: ListenPolicy) -> re.Pattern[str]:
    """얼마 전, 뭔가, 어떤 애가: these tell."""
    return re.compile("|".join(f"(?:{p})" for p in policy.indefinite_ko))


@lru_cache(maxsize=4096)
def _asking(end: str, policy: ListenPolicy) -> tuple[bool, bool]:
    """Whether a word's end asks by itself, and whether it asks beside a question word."""
    endings = _endings(policy)
    alone = not end.endswith(policy.not_open_ko) and _ends(end, endings.alone)
    return alone, _ends(end, endings.beside)


@lru_cache(maxsize=8)
def _patterns(policy: ListenPolicy) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where telling is asked for, and what only wants something done."""
    telling, wanting = ("|".join(map(re.escape, w)) for w in (policy.telling_ko, policy.wanting_ko))
    return re.compile(f"(?:^| )(?:{telling})"), re.compile(wanting)


@dataclass(frozen=True, slots=True)
class _Endings:
    """Plain endings, and endings behind a final consonant: the final's number and what follows it."""

    alone: tuple[tuple[str, ...], tuple[tuple[int, str], ...]]
    beside: tuple[tuple[str, ...], tuple[tuple[int, str], ...]]


@lru_cache(maxsize=8)
def _endings(policy: ListenPolicy) -> _Endings:
    return _Endings(_parted(policy.open_endings_ko), _parted(policy.question_endings_ko))


def _parted(endings: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[tuple[int, str], ...]]:
    plain = tuple(e for e in endings if e[0] not in _FINALS)
    return plain, tuple((_FINALS.index(e[0]), e[1:]) for e in endings if e[0] in _FINALS)


def _ends(word: str, endings: tuple[tuple[str, ...], tuple[tuple[int, str], ...]]) -> bool:
    plain, after_final = endings
    if word.endswith(plain):
        return True
    return any(
        word.endswith(rest) and len(word) > len(rest) and _final(word[-len(rest) - 1]) == final
        for final, rest in after_final
    )


def _final(syllable: str) -> int:
    """The number of a Hangul syllable's final consonant in Unicode's order, 0 for none."""
    return (ord(syllable) - 0xAC00) % 28 if "가" <= syllable <= "힣" else -1
