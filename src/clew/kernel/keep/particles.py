"""Marks in telling sentences, {value}(을/를): the form that fits the sound before it is put."""

from __future__ import annotations

import re

from clew.kernel.language.ko.particles import final_of

_MARK = re.compile(r"\(([가-힣]+)/([가-힣]+)\)")
_RIEUL = 8


def with_particles(text: str) -> str:
    """Each mark is (after a consonant/after a vowel)."""

    def chosen(match: re.Match[str]) -> str:
        closed, opened = match[1], match[2]
        final = final_of(text[: match.start()])
        if closed.startswith("으로") and final == _RIEUL:  # 서울로
            return opened
        return closed if final else opened

    return _MARK.sub(chosen, text)
