"""What must be minded where something is eaten or drunk: an offer in Korean."""

from __future__ import annotations

import pytest

from clew.kernel.recall.matters import matter_of
from clew.policy import default

POLICY = default()
MATTERS = POLICY.checks.languages["ko"].matters


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("소주 한잔 어때?", "a_drink"),
        ("퇴근하고 막걸리나 한잔 하자", "a_drink"),
        ("맥주 마실래?", "a_drink"),
        ("커피 한 잔 할까", "a_soft_drink"),
        ("오늘 저녁에 고기 먹을까?", "a_dish"),
        ("치킨 시켜 먹을까요?", "a_dish"),
        ("라면 끓여 먹을까", "a_dish"),
        ("간식으로 땅콩버터 쿠키 어때요?", "a_dish"),
        ("그 영화 어때?", None),
        ("내일 날씨 어때", None),
        ("우리 그만 할까?", None),
        ("어제 소주 마셨어", None),
        ("고기 먹었어", None),
    ],
)
def test_an_offer_of_food_or_drink_is_a_matter(text: str, matter: str | None) -> None:
    assert matter_of(text, "ko", POLICY) is (MATTERS[matter] if matter else None)
