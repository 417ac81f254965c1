"""The letter of Hangul that tells of the past."""

from __future__ import annotations

# The number of the final ㅆ: 갔어, 했지, 먹었나. 있다 and 겠 have it too, and tell of no past.
_PAST, _FINALS, _NO_PAST = 20, 28, "있겠"


def past(said: str) -> bool:
    """Does a verb here stand in the past?"""
    return any(
        "가" <= c <= "힣" and (ord(c) - 0xAC00) % _FINALS == _PAST and c not in _NO_PAST for c in said
    )
