"""What somebody wished for once and for all is found when something is asked for, though it answers nothing."""

from __future__ import annotations

import pytest

from clew.kernel.read.inquiry import inquiry
from clew.kernel.read.spoken import spoken
from tests.kernel.recall.conversation import POLICY, find, found, said

BOOKS = said(
    ("user", "I read a book about the sea last week and books about ships before that."),
    ("assistant", "Always read the book before the film. That book is a good one."),
    ("user", "Always name the price when I ask about a book."),
    ("assistant", "I will."),
    ("user", "My neighbour lent me a book, and I lost that book."),
    ("user", "I prefer short books, by the way."),
    ("user", "The book club meets in the book shop, where every book is old."),
    ("user", "We cleaned the kitchen."),
)


def test_a_rule_and_a_taste_come_with_a_suggestion() -> None:
    assert {2, 5} <= set(found(BOOKS, "Can you recommend a book?", 3))


def test_what_the_assistant_says_is_no_wish_of_the_user() -> None:
    why = {hit.line.index: hit.why for hit in find(BOOKS, "Can you recommend a book?")}
    assert "wish" in why[2] and "wish" not in why[1]


def test_a_rule_counts_less_and_a_taste_nothing_where_a_fact_is_asked_for() -> None:
    why = {hit.line.index: hit.why for hit in find(BOOKS, "Which book is mine?")}
    helped = {hit.line.index: hit.why for hit in find(BOOKS, "Can you recommend a book?")}
    assert 0 < why[2]["wish"] < helped[2]["wish"]
    assert "wish" not in why[5]


def test_what_was_recommended_is_no_request() -> None:
    assert all("wish" not in hit.why for hit in find(BOOKS, "What did you recommend to me?"))


def test_people_have_no_such_rules_with_each_other() -> None:
    people = said(("Ann", "Always name the price when I ask about a book."), ("Tom", "Which book?"))
    assert all("wish" not in hit.why for hit in find(people, "Can you recommend a book?"))


@pytest.mark.parametrize(
    ("text", "rule", "taste"),
    [
        ("Please always answer in short sentences", True, False),
        ("from now on call me Sam", True, False),
        ("책 물어보면 값도 알려줘", True, False),
        ("앞으로는 반말로 해줘", True, False),
        ("I'd rather take the train", False, True),
        ("비행기보다 기차가 좋아", False, True),
        ("I always take the bus", False, False),
        ("my brother never calls", False, False),
        ("나는 항상 버스를 타", False, False),
        ("we went home", False, False),
    ],
)
def test_wishes_are_read_from_how_they_are_said(text: str, rule: bool, taste: bool) -> None:
    signs = spoken(text, POLICY).signs
    assert (signs.rule, signs.taste) == (rule, taste)


@pytest.mark.parametrize(
    ("question", "helped"),
    [
        ("Can you suggest a quiet place for dinner?", True),
        ("How should I plan my week?", True),
        ("저녁 뭐 먹을까?", True),
        ("여행지 추천 좀", True),
        ("What did you suggest for dinner?", False),
        ("Do you remember the place you recommended?", False),
        ("How many suggestions are there?", False),
        ("지난번에 추천한 책 뭐였지?", False),
        ("Where do I live?", False),
    ],
)
def test_what_asks_for_help_is_no_question_after_a_value(question: str, helped: bool) -> None:
    read = inquiry(question, POLICY)
    assert read.wants_help is helped
    assert not (helped and read.wants_state)


def test_a_rule_is_not_replaced_by_what_was_said_later() -> None:
    lines = said(
        ("user", "Always say the budget when I ask about the budget."),
        ("assistant", "Good."),
        ("user", "My budget is now 300 euros."),
    )
    assert all("stale" not in hit.why for hit in find(lines, "What is my budget?") if hit.line.index == 0)
