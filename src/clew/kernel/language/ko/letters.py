"""What the letters inside a syllable tell: the past, and the form in which lists write a word."""

from __future__ import annotations

# The number of the final ㅆ: 갔어, 했지, 먹었나. 있다 and 겠 have it too, and tell of no past.
_PAST, _FINALS, _NO_PAST = 20, 28, "있겠"
_FIRST_SYLLABLE, _SYLLABLES, _FINAL_N, _FINAL_M = 0xAC00, 11172, 4, 16


def past(said: str) -> bool:
    """Does a verb here stand in the past?"""
    return any(
        "가" <= c <= "힣" and (ord(c) - 0xAC00) % _FINALS == _PAST and c not in _NO_PAST for c in said
    )


def as_listed(word: str) -> tuple[str, ...]:
    """쉬운 as lists write it: 쉬움. The last syllable ends in ㅁ instead of ㄴ."""
    at = ord(word[-1]) - _FIRST_SYLLABLE if word else -1
    ends_in_n = 0 <= at < _SYLLABLES and at % _FINALS == _FINAL_N
    return (word[:-1] + chr(ord(word[-1]) + _FINAL_M - _FINAL_N),) if ends_in_n and len(word) > 1 else ()
