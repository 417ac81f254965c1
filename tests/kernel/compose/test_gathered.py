"""What is known, told by person and in pages."""

from __future__ import annotations

from clew import policy as policies
from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.gathered import by_bearer, page_of, repeats
from clew.model.memory import SELF
from clew.model.plan import Finding

POLICY = policies.default()
WORDS = POLICY.compose.languages["ko"]


def held(told: str, attribute: str, value: str, key: str, subject: str = SELF) -> Finding:
    return Finding(told, "memory", id=key, subject=subject, attribute=attribute, value=value, key=key)


NAME = held("조카 이름은 하람이야", "name", "하람", "person:nephew:하람", "person:nephew")
AGE = held("조카 하람은 네 살이야", "age", "네살", "person:nephew:하람:age", "person:nephew")
RECITAL = held("하람 발레 발표회는 12월 5일이야", "plan", "하람 발레 발표회", "event:other:2026_12:하람_발레_발표회")
TOWN = held("너는 춘천에 살아", "city", "춘천", "fact:current_city")


def test_what_opens_with_the_name_of_somebody_known_is_told_with_them() -> None:
    told = by_bearer([RECITAL, AGE, TOWN, NAME], POLICY)
    assert list(told) == [(SELF, ""), ("person:nephew", "하람")]
    assert [f.attribute for f in told["person:nephew", "하람"]] == ["name", "age", "plan"]


def test_each_person_has_a_line_and_nothing_is_told_twice() -> None:
    page = page_of([RECITAL, AGE, TOWN, NAME], "", WORDS, Choice(1, "ko"), POLICY)
    assert page == ("춘천에 살아.\n조카 하람은 네 살이야. 하람 발레 발표회는 12월 5일이야.", 0)


def test_what_was_told_on_the_page_before_is_not_told_again() -> None:
    before = "춘천에 살고 스무 살이야. “하람이 네살 됐어”라고 했어."
    page = page_of([AGE, TOWN], before, WORDS, Choice(1, "ko"), POLICY)
    assert page == ("조카 하람은 네 살이야.", 0)


def test_a_language_that_gathers_nothing_is_told_as_before() -> None:
    assert page_of([TOWN], "", WORDS, Choice(1, "fr"), POLICY) is None


def test_own_words_are_left_out_where_most_of_them_are_told_beside_them() -> None:
    said = "너는 “조카 하람이는 네 살이고 춘천에 살아”라고 했어"
    assert repeats(said, ["조카 하람은 네 살이야", "조카 하람은 춘천에 살아"])
    assert not repeats(said, ["조카 하람은 네 살이야"])
    assert not repeats("너는 “요새 밤마다 뛰어”라고 했어", ["너는 춘천에 살아"])
