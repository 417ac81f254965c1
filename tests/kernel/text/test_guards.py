"""Opposites are never merged (general ruling 3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.text.guards import sides, veto
from clew.policy import default

TEXT = default().text

VETOED = [
    ("i like tea", "i do not like tea", "polarity"),
    ("i like tea", "i don’t like tea", "polarity"),
    ("she never eats meat", "she eats meat", "polarity"),
    ("나는 커피를 마신다", "나는 커피를 안 마신다", "polarity"),
    ("그 영화 좋아해", "그 영화 좋아하지 않아", "polarity"),
    ("i love dogs", "i hate dogs", "antonym"),
    ("the gate is open", "the gate is closed", "antonym"),
    ("커피 좋아해", "커피 싫어해", "antonym"),
    ("불 켜줘", "불 꺼줘", "antonym"),
    ("meet at 5", "meet at 6", "entity"),
    ("my exam is on monday", "my exam is on tuesday", "entity"),
    ("we met Alice there", "we met Bob there", "entity"),
    ("it costs 3.50", "it costs 4.50", "entity"),
]
SAME = [
    ("i like tea", "i really like tea"),
    ("i don't like tea", "i do not like tea at all"),
    ("it is not untrue, not at all", "it is untrue"),
    ("Alice left", "then Alice left early"),
    ("we met Alice", "we met Alice and Bob"),
    ("we met Alice's brother", "we met the brother of Alice"),
    ("James' boat is red", "the boat of James is red"),
    ("in may it rains", "it may rain"),
    ("I'm home", "i am home"),
    ("we met FDA의 people", "we met FDA와 people"),
    ("can't wait for the trip", "so looking forward to the trip"),
    ("다 말해? 아니면 조금만 말해?", "다 말해?"),
    ("not only tea but also coffee", "tea and coffee too"),
    ("", ""),
]


@pytest.mark.rule("T3")
@pytest.mark.parametrize(("a", "b", "guard"), VETOED)
def test_opposites_are_vetoed_both_ways(a: str, b: str, guard: str) -> None:
    assert veto(a, b, TEXT) == guard
    assert veto(b, a, TEXT) == guard


@pytest.mark.rule("T3")
@pytest.mark.parametrize(("a", "b"), SAME)
def test_rewordings_are_not_vetoed(a: str, b: str) -> None:
    assert veto(a, b, TEXT) is None
    assert veto(b, a, TEXT) is None


@given(st.text(max_size=40))
def test_a_text_never_vetoes_itself(text: str) -> None:
    assert veto(text, text, TEXT) is None


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_veto_is_symmetric(a: str, b: str) -> None:
    assert veto(a, b, TEXT) == veto(b, a, TEXT)


@pytest.mark.rule("T3")
def test_a_side_that_names_nobody_vetoes_nothing() -> None:
    assert veto("we should meet", "we should meet Alice at 5", TEXT) is None


def test_two_negations_are_none() -> None:
    assert not sides("i do not never go", TEXT).negated
    assert sides("i never go", TEXT).negated


@pytest.mark.parametrize(
    ("a", "b", "guard"),
    [
        ("I finished the report", "I failed to finish the report", "polarity"),
        ("We have the money", "We lack the money", "polarity"),
        ("I often call home", "I seldom call home", "antonym"),
        ("Most of them are men", "Few of them are men", "antonym"),
        ("I worked there for ten years", "I worked there for a year", "entity"),
        ("Tom is taller than Ben", "Ben is taller than Tom", "entity"),
        ("My sister lent me money", "I lent my sister money", "entity"),
        ("I prefer tea to coffee", "I prefer coffee to tea", "entity"),
        ("I moved from Oslo to Bergen", "I moved from Bergen to Oslo", "entity"),
        ("테러로 9명이 다쳤다", "테러로 19명이 다쳤다", "entity"),
    ],
)
def test_swapped_roles_amounts_and_refusals_veto(a: str, b: str, guard: str) -> None:
    assert veto(a, b, TEXT) == veto(b, a, TEXT) == guard


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("I go to the gym three times a week", "I go to the gym 3 times a week"),
        ("My rent is 1,200 euros", "My rent is 1200 euros"),
        ("My flight leaves at 9 am", "My flight leaves at 9:00 am"),
        ("On Sundays I play tennis", "I play tennis on Sundays"),
        ("I like tea and coffee", "I like coffee and tea"),
        ("I was born in Seoul in 1995", "I was born in 1995 in Seoul"),
        ("I failed my driving test", "I didn't pass my driving test"),
        ("I'm engaged to Paul", "Paul and I are engaged"),
        ("the party is on the 12th", "the party is on the 12"),
    ],
)
def test_the_same_in_other_figures_or_order_is_no_opposite(a: str, b: str) -> None:
    assert veto(a, b, TEXT) is None
    assert veto(b, a, TEXT) is None
