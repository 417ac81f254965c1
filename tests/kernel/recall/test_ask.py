"""Reading a question: whom, when, and what kind of answer."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import InvalidInput
from clew.kernel.read.inquiry import inquiry
from clew.kernel.recall.turns import ask
from clew.kernel.recall.turns.dates import spans
from clew.kernel.recall.turns.speakers import Names
from tests.kernel.recall.conversation import POLICY

NAMES = Names(["Caroline", "Melanie"], POLICY)


def read(text: str, at: datetime | None = None) -> ask.Ask:
    return ask.against(inquiry(text, POLICY), NAMES, {2023}, POLICY, at)


def test_named_speakers_are_whom_the_question_means() -> None:
    asked = read("When did Caroline's sister visit?")
    assert asked.speakers == {"Caroline"}
    assert [word for _, word in asked.terms] == ["sister", "visit"]
    assert "Caroline" not in asked.bare


@pytest.mark.parametrize(
    ("question", "whose"),
    [
        ("What is my sister's name?", "user"),
        ("What did you recommend for dinner?", "assistant"),
        ("Which book have you suggested to me?", "assistant"),
        ("Remember when you told me about visas?", "assistant"),
        ("Remind me which hotel we discussed", None),
        ("Can you tell me where I parked?", "user"),
        ("Where is the station?", None),
        ("내가 좋아하는 색은?", "user"),
    ],
)
def test_the_question_tells_whose_turns_are_meant(question: str, whose: str | None) -> None:
    assert read(question).inquiry.role == whose


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What happened on 7 May 2023?", date(2023, 5, 7), date(2023, 5, 7)),
        ("What happened on May 7th, 2023?", date(2023, 5, 7), date(2023, 5, 7)),
        ("What happened on 2023-05-07?", date(2023, 5, 7), date(2023, 5, 7)),
        ("What did she do in June?", date(2023, 6, 1), date(2023, 6, 30)),
        ("What did she do in december 2022?", date(2022, 12, 1), date(2022, 12, 31)),
        ("Where did they go in 2022?", date(2022, 1, 1), date(2022, 12, 31)),
        ("5월 7일에 뭐 했어?", date(2023, 5, 7), date(2023, 5, 7)),
        ("2022년 3월에는?", date(2022, 3, 1), date(2022, 3, 31)),
    ],
)
def test_dates_in_the_question_become_spans(question: str, first: date, last: date) -> None:
    assert spans(inquiry(question, POLICY), None, {2023}) == ((first, last),)


@pytest.mark.parametrize("question", ["You may go", "May I ask?", "31 February 2023", "the 90s"])
def test_no_date_is_read_where_none_is_named(question: str) -> None:
    assert spans(inquiry(question, POLICY), None, {2023}) == ()


def test_relative_days_need_the_asking_time() -> None:
    assert spans(inquiry("What did I do yesterday?", POLICY), None, {2023}) == ()
    assert spans(inquiry("What did I do yesterday?", POLICY), date(2023, 5, 8), {2023}) == (
        (date(2023, 5, 7), date(2023, 5, 7)),
    )
    (span,) = spans(inquiry("Where was I two weeks ago?", POLICY), date(2023, 5, 29), {2023})
    assert span[0] <= date(2023, 5, 15) <= span[1]


def test_the_kind_of_answer_is_seen() -> None:
    assert read("When did she leave?").inquiry.wants_time
    assert read("How many cats does she have?").inquiry.wants_amount
    assert read("What was her original plan?").inquiry.wants_past
    assert read("Where does she live?").inquiry.wants_state
    assert not read("How many days between the two trips?").inquiry.wants_state
    assert not read("Why did she leave?").inquiry.wants_state


def test_the_newest_may_be_asked_for_as_something_that_happened() -> None:
    for text in ("What did he weigh the last time?", "How many came in the end?", "마지막으로 쟀을 때 몇 킬로였어?"):
        assert read(text).inquiry.wants_state and read(text).inquiry.wants_latest, text
    for text in ("What did he weigh at first?", "What did he weigh before the latest diet?", "How much did I pay?"):
        assert not read(text).inquiry.wants_latest, text


def test_an_empty_question_is_refused_and_a_huge_one_is_read() -> None:
    with pytest.raises(InvalidInput) as why:
        read("  ")
    assert why.value.pointer == "/query"
    assert len(read("word " * 20_000 + "end").inquiry.text) <= POLICY.recall.query_max + 1


@given(st.text(min_size=1, max_size=120).filter(str.strip))
def test_any_question_can_be_read(text: str) -> None:
    assert read(text, datetime(2023, 5, 8, tzinfo=UTC)) == read(text, datetime(2023, 5, 8, tzinfo=UTC))
