"""Questions for a number, and for whoever something was told of."""

from __future__ import annotations

import pytest

from clew import policy as policies
from clew.kernel.read.change_words import says
from clew.kernel.recall.counting import asks_how_many, counted, told_of_somebody
from clew.model.utterance import Ask

POLICY = policies.default()


@pytest.mark.parametrize("question", ["how many kids do I have?", "who are my flatmates?", "what are my cats called?"])
def test_a_question_for_all_of_them_is_known(question: str) -> None:
    assert asks_how_many(question, POLICY)


@pytest.mark.parametrize("question", ["how old are my kids?", "who is my boss?", "how much is it"])
def test_a_question_for_one_of_them_counts_nobody(question: str) -> None:
    assert not asks_how_many(question, POLICY)


@pytest.mark.parametrize("question", ["who supports galatasaray?", "does anyone in my family have asthma?"])
def test_a_question_for_whoever_it_is_is_known(question: str) -> None:
    assert says(question, "of_whom", POLICY)


def test_nobody_is_counted_where_nobody_is_held() -> None:
    assert counted([Ask("person:child", "exists")], (), POLICY) == ()
    assert told_of_somebody("who supports galatasaray?", (), POLICY) == ()
