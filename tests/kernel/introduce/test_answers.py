"""Plain answers to plain questions; nothing is assumed."""

from __future__ import annotations

from typing import Any

import pytest

from clew.engine.identity import places
from clew.kernel.introduce.answers import read_answer
from clew.kernel.read.short_answers import short_answer
from clew.policy import default

POLICY = default()
GB, SEOUL = {"country_or_region": "GB", "client_timezone": "Europe/London"}, "Asia/Seoul"


@pytest.mark.parametrize(
    ("question", "said", "values"),
    [
        ("preferred_name", "call me Noor", {"preferred_name": "Noor"}),
        ("preferred_name", "저는 민지예요", {"preferred_name": "민지"}),
        ("age_band", "30", {"age_band": "25-34"}),
        ("age_band", "I'm 42 years old", {"age_band": "35-44"}),
        ("age_band", "twenty-one", {"age_band": "18-24"}),
        ("age_band", "스물다섯", {"age_band": "25-34"}),
        ("age_band", "서른아홉이요", {"age_band": "35-44"}),
        ("age_band", "71", {"age_band": "45+"}),
        ("country_or_region", "Germany", {"country_or_region": "DE"}),
        ("country_or_region", "Berlin", {"country_or_region": "DE", "client_timezone": "Europe/Berlin"}),
        ("country_or_region", "I live in the UK", GB),
        ("country_or_region", "서울", {"country_or_region": "KR", "client_timezone": SEOUL}),
        ("client_timezone", "Europe/Paris", {"client_timezone": "Europe/Paris"}),
        ("proactive_messages_enabled", "sure", {"proactive_messages_enabled": True}),
        ("proactive_messages_enabled", "아니요", {"proactive_messages_enabled": False}),
        ("occupation_category", "I study law", {"occupation_category": "student"}),
        ("occupation_category", "취준생이야", {"occupation_category": "between_jobs"}),
        ("suppressed_topics", "politics and my family", {"suppressed_topics": ["POLITICS", "FAMILY"]}),
        ("suppressed_topics", "없어", {"suppressed_topics": []}),
    ],
)
def test_a_natural_answer_is_taken(question: str, said: str, values: dict[str, Any]) -> None:
    assert dict(read_answer(question, short_answer(said), POLICY, places()).values) == values


@pytest.mark.parametrize("question", POLICY.introduce.order)
@pytest.mark.parametrize("said", ["skip", "", "  ", "pass", "패스", "I'd rather not say"])
def test_every_question_may_be_passed_over(question: str, said: str) -> None:
    found = read_answer(question, short_answer(said), POLICY, places())
    assert found.skipped and not found.values


@pytest.mark.parametrize(
    ("question", "said"),
    [("age_band", "old enough"), ("country_or_region", "xyzzy"), ("client_timezone", "Germany"), ("age_band", "999")],
)
def test_what_is_not_understood_is_asked_again_and_never_guessed(question: str, said: str) -> None:
    assert read_answer(question, short_answer(said), POLICY, places()).unclear


@pytest.mark.rule("S2")
def test_an_age_below_the_first_band_stays_unknown() -> None:
    assert read_answer("age_band", short_answer("11"), POLICY, places()).skipped


def test_both_languages_have_a_question_for_every_answer() -> None:
    for words in POLICY.introduce.languages.values():
        assert set(words.questions) == set(POLICY.introduce.order)
