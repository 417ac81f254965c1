"""Korean particles that follow the sound before them: {value}(을/를) becomes 김치를, 밥을."""

from __future__ import annotations

import re

_MARK = re.compile(r"(.?)[\"”’')\]]?\(([가-힣]+)/([가-힣]+)\)")
_FIRST, _LAST, _FINALS = 0xAC00, 0xD7A3, 28
_RIEUL = 8
# Digits and Latin letters as they are read aloud: 3 삼, 6 육, L 엘.
_CLOSED = frozenset("013678lmnrLMNR")


def has_final(letter: str) -> bool:
    """Does this letter end in a consonant?"""
    if _FIRST <= ord(letter) <= _LAST:
        return (ord(letter) - _FIRST) % _FINALS != 0
    return letter in _CLOSED


def _is_rieul(letter: str) -> bool:
    return _FIRST <= ord(letter) <= _LAST and (ord(letter) - _FIRST) % _FINALS == _RIEUL


def with_particles(text: str) -> str:
    """Each mark is (after a consonant/after a vowel)."""

    def chosen(match: re.Match[str]) -> str:
        before, closed, open_ = match[1], match[2], match[3]
        final = bool(before) and has_final(before)
        if closed.startswith("으로") and before and _is_rieul(before):  # 서울로
            final = False
        return match[0][: match[0].rindex("(")] + (closed if final else open_)

    return _MARK.sub(chosen, text)
