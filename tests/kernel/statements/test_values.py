"""Values without what only surrounds them."""

from __future__ import annotations

import pytest

from clew.kernel.statements.values import trimmed, whole_words
from clew.policy import default as policy


@pytest.mark.parametrize(
    ("given", "cut", "phrase", "wanted"),
    [
        ("a nurse", 0, False, "nurse"),
        ("the sea, ", 0, False, "sea"),
        ("take warfarin every evening", 0, False, "warfarin"),
        ("swim every morning", 0, True, "swim every morning"),
        ("sushi a lot", 0, False, "sushi"),
        ("games with pixel art", 0, False, "games with pixel art"),
        ("a trip to Rome", 0, True, "a trip to Rome"),
        ("수의사야", 1, False, "수의사"),
        ("수의사입니다", 0, False, "수의사"),
        ("인천에", 1, False, "인천"),
        ("작가", 0, False, "작가"),
        ("고양이", 0, False, "고양이"),
        ("떡볶이를", 1, False, "떡볶이"),
        ("비타민 D도", 0, False, "비타민 D"),
        ("Vigo (Spain)", 0, False, "Vigo (Spain)"),
        ("...", 0, False, ""),
    ],
)
def test_a_value_is_trimmed(given: str, cut: int, phrase: bool, wanted: str) -> None:
    cuts = {len(given) - cut} if cut else set()
    start, end = trimmed(given, 0, len(given), cuts, phrase, policy().reader)
    assert given[start:end] == wanted


def test_latin_words_are_never_cut_and_a_korean_ending_may_go() -> None:
    assert whole_words("in Bristol now", 4, 8) == (3, 10)
    assert whole_words("나는 인천에 살아", 4, 5) == (3, 5)
