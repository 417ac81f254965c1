"""A question read once: does it ask how something is, or what happened?"""

from __future__ import annotations

import pytest

from clew.kernel.read.inquiry import inquiry
from clew.model.inquiry import NamedDate
from clew.policy import default

POLICY = default()


@pytest.mark.parametrize(
    "question",
    [
        "when does my shift start on Mondays?",
        "Should I still bring cash?",
        "Is the meeting still on the third of May?",
        "What's the rent in March?",
        "does the gym open at six?",
        "Which bus do I take?",
        "am I still on the waiting list?",
        "Has the flat got a balcony?",
        "5월에 월세 얼마야?",
        "아직도 김 선생님이 담당이야?",
        "우산 가져가야 돼?",
        "내 신발 사이즈 몇이야?",
        "내 차 어디 있어?",
    ],
)
def test_what_asks_for_a_present_value_wants_the_newest(question: str) -> None:
    assert inquiry(question, POLICY).wants_state


@pytest.mark.parametrize(
    "question",
    [
        "When did we move to Leeds?",
        "Who was at the party?",
        "Who started archery lessons?",
        "What happened with the car?",
        "Have I ever been to Lyon?",
        "요가 해본 적 있어?",
        "What is my budget on 1 May 2023?",
        "List all the books I read",
        "언제 이사했더라?",
        "무슨 영화 봤지?",
        "tea",
    ],
)
def test_what_happened_once_a_day_that_is_named_and_bare_words_do_not(question: str) -> None:
    assert not inquiry(question, POLICY).wants_state


def test_each_language_names_dates_in_its_own_way() -> None:
    assert inquiry("What did I do on May 7th, 2023?", POLICY).dates == (NamedDate(2023, 5, 7),)
    assert inquiry("2023년 5월 7일에 뭐 했어?", POLICY).dates == (NamedDate(2023, 5, 7),)
    assert inquiry("May I march with you?", POLICY).dates == ()


def test_a_word_stands_where_it_was_written() -> None:
    asked = inquiry("Where’s Nora’s bike?", POLICY)
    assert [asked.text[w.start : w.end] for w in asked.words] == ["Where’s", "Nora’s", "bike"]
    assert [w.bare for w in asked.words] == ["where", "nora", "bike"]
