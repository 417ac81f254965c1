"""Single letters of Hangul as they are typed: folding a text (NFKC) turns ㅋㅋ into letters of another block."""

from __future__ import annotations

# Put back after folding, so that the user's own words are shown as they wrote them.
AS_TYPED = str.maketrans(
    {0x1100 + i: c for i, c in enumerate("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")}
    | {0x1161 + i: c for i, c in enumerate("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ")}
)
