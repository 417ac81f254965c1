"""Values that have a form of their own, and of whom they are, in untidy Korean."""

from __future__ import annotations

import pytest

from clew import policy as policies
from clew.kernel.keep.backed import backed
from clew.kernel.statements.belonging import one_of_a_name
from clew.kernel.statements.clause_owners import own_part
from clew.kernel.statements.forms import in_form
from clew.kernel.statements.people import SOMEBODY, Called
from clew.kernel.statements.short_questions import all_the_rest
from clew.model.memory import SELF
from clew.model.utterance import Evidence, Statement, Status

POLICY = policies.default()
WORDS = POLICY.checks.languages["ko"]
SEEN = Evidence(0.99, 0.99, 0.99, 0.0, 0.99)


def stated(text: str, attribute: str, value: str, subject: str = SELF, status: Status = Status.IS) -> Statement:
    start = text.find(value)
    return Statement(subject, attribute, value, text, start, start + len(value), None, status, None, 0.99, SEEN)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("여섯살 고집", "여섯살"), ("사십대 아저씨", "사십대"), ("마흔셋", "마흔셋"), ("88년생", "88년생"), ("생후 7개월", "생후 7개월"),
        ("환갑", "환갑"), ("안녕하세요", None), ("피곤합니다", None),
    ],
)  # fmt: skip
def test_an_age_holds_a_number_and_no_more(value: str, kept: str | None) -> None:
    text = f"저 {value}"
    made = in_form([stated(text, "age", value)], WORDS)
    assert [s.value for s in made] == ([kept] if kept else [])
    assert all(text[s.start : s.end] == s.value for s in made)


def test_our_class_is_nobodys_name() -> None:
    text = "짝꿍은 우리동네 산대"
    assert in_form([stated(text, "name", "우리동네", "person:friend")], WORDS) == []


@pytest.mark.parametrize(
    ("text", "value", "whose"),
    [
        ("누나는 결혼도 했고 구청에서 주무관으로 일해", "주무관", "person:sister"),
        ("누나는 서른이고 주무관이야", "주무관", "person:sister"),
        ("누나는 시집갔고 나는 주무관이야", "주무관", SELF),
        ("누나는 주무관 하라고 하고 나 배우야", "배우", SELF),
        ("누나랑 살고 주무관이야", "주무관", SELF),
        ("누나는 바쁜데 주무관이야", "주무관", SELF),
    ],
)
def test_a_sentence_that_goes_on_is_still_about_the_one_it_opens_with(text: str, value: str, whose: str) -> None:
    called = [Called(0, 2, "person:sister")]
    told = own_part(text, stated(text, "job", value), WORDS.joints, POLICY, called)
    assert told.subject == whose


def test_what_is_done_because_of_an_allergy_does_not_deny_it() -> None:
    text = "나 호두 알레르기 있어서 호두는 빼고 시켜"
    both = [stated(text, "allergy", "호두"), stated(text, "allergy", "호두", status=Status.NOT)]
    assert [s.status for s in backed(both, POLICY)] == [Status.IS]
    over = "호두 알레르기 있는 줄 알았는데 호두 알레르기 없대"
    both = [stated(over, "allergy", "호두"), stated(over, "allergy", "호두", status=Status.NOT)]
    assert Status.NOT in [s.status for s in backed(both, POLICY)]


def test_whoever_bears_the_users_own_name_is_the_user() -> None:
    text = "안녕 스물이고 이름은 소담"
    mine = Statement(SELF, "name", "소담", text, 12, 14)
    age = Statement(SOMEBODY, "age", "스물", text, 3, 5, name="소담")
    assert [(s.subject, s.name) for s in one_of_a_name([mine, age])] == [(SELF, None), (SELF, None)]


@pytest.mark.parametrize("more", ["또?", "또요?", "더 있어요?", "그게 다야?", "나머지는?", "또 뭐 있어"])
def test_what_else_goes_on_with_what_was_asked_for(more: str) -> None:
    for said in (["저에 대해 기억하는 거 말해 주세요"], ["저에 대해 기억하는 거 말해 주세요", "또?"]):
        assert [a.attribute for a in all_the_rest(more, "ko", said, POLICY)] == ["any"]


@pytest.mark.parametrize(
    ("more", "before"), [("또 비 오네", "나에 대해 뭐 알아?"), ("또?", "오늘 회식이 길었어"), ("더 자고 싶다", "나에 대해 뭐 알아?")]
)
def test_other_talk_goes_on_with_nothing(more: str, before: str) -> None:
    assert all_the_rest(more, "ko", [before], POLICY) == ()


def test_nobody_is_dead_whom_no_word_calls_so() -> None:
    fell = backed([stated("외삼촌이 작년에 과로로 쓰러지셨어", "death", "작년에", "person:uncle")], POLICY)
    assert [(s.attribute, s.value) for s in fell] == [("note", "외삼촌이 작년에 과로로 쓰러지셨어")]
    gone = backed([stated("외삼촌이 작년에 돌아가셨어", "death", "작년에", "person:uncle")], POLICY)
    assert [s.attribute for s in gone] == ["death"]
