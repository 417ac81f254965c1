"""Does a Korean message ask? By its endings, beside a question word or alone (ruling P14)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.frozen import dataclass
from clew.policy.listen import ListenPolicy

_ENDING = 6
# Final consonants in the order in which Unicode composes syllables; 0 is none.
_FINALS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"


def asks(tokens: Sequence[str], policy: ListenPolicy) -> bool:
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
    # 왔습니까 asks though 오니까 does not: the longer ending decides.
    other = max((len(e) for e in policy.not_open_ko if end.endswith(e) or e == f"^{end}"), default=0)
    return _ends(end, endings.alone) > other, _ends(end, endings.beside) > 0


@lru_cache(maxsize=8)
def _patterns(policy: ListenPolicy) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where telling is asked for, and what only wants something done."""
    listed = (policy.telling_ko, policy.telling_on_ko, policy.wanting_ko)
    telling, going_on, wanting = ("|".join(map(re.escape, w)) for w in listed)
    # 확인해 asks for it; 확인해야 됨 tells what one has to do.
    return re.compile(f"(?:^| )(?:{telling})(?!{going_on})"), re.compile(wanting)


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


def _ends(word: str, endings: tuple[tuple[str, ...], tuple[tuple[int, str], ...]]) -> int:
    """How long the longest of the endings is that the word has; 0 for none."""
    plain, after_final = endings
    found = [len(e) for e in plain if word.endswith(e)]
    for final, rest in after_final:
        if word.endswith(rest) and len(word) > len(rest) and _final(word[-len(rest) - 1]) == final:
            found.append(len(rest) + 1)
    return max(found, default=0)


def _final(syllable: str) -> int:
    """The number of a Hangul syllable's final consonant in Unicode's order, 0 for none."""
    return (ord(syllable) - 0xAC00) % 28 if "가" <= syllable <= "힣" else -1
