"""A question of which only a part is said: which whole ones it may stand for, and what may only tell."""

from __future__ import annotations

import pytest

from clew.kernel.read.utterance import read
from clew.kernel.statements.in_part import may_stand_for
from clew.policy import default

POLICY = default()


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("배송비는", "배송비는?"),
        ("막차 시간", "막차 시간?"),
        ("제일 먼저 온 사람", "제일 먼저 온 사람?"),
        ("누가 추천해줌", "누가 추천해줌?"),
        ("반장이 하율이야 채원이야", "반장이 하율이야 채원이야?"),
        ("동네 책방 낭독회", "동네 책방 낭독회?"),
    ],
)
def test_a_part_may_stand_for_a_question(text: str, whole: str) -> None:
    assert [way.text for way in may_stand_for(read(text, POLICY), (), POLICY)] == [whole]


@pytest.mark.parametrize("text", ["퇴근", "나는", "오늘 너무 피곤해", "막차 놓쳤어", "집에 왔다", "배송비는 3천원이야"])
def test_what_only_tells_stands_for_none(text: str) -> None:
    assert may_stand_for(read(text, POLICY), (), POLICY) == ()


def test_after_a_question_a_short_one_is_about_the_same() -> None:
    ways = may_stand_for(read("몇 시", POLICY), ("동아리 공연 날짜 언제더라",), POLICY)
    assert ways[0].text == "동아리 공연 날짜 몇 시?"


def test_after_what_only_tells_it_is_about_nothing() -> None:
    ways = may_stand_for(read("몇 시", POLICY), ("오늘 공연 재밌었어",), POLICY)
    assert all("공연" not in way.text for way in ways)


def test_what_only_names_a_thing_must_be_known_in_every_word() -> None:
    ways = may_stand_for(read("하율이 유치원 운동회", POLICY), (), POLICY)
    assert [way.every for way in ways] == [True]
    assert [way.every for way in may_stand_for(read("막차 시간", POLICY), (), POLICY)] == [False]
