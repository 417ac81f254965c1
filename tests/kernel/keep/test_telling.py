"""A memory in plain words, to its owner."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from clew.kernel.keep.candidates import candidates
from clew.kernel.keep.merge import remember
from clew.kernel.keep.telling import group_for, tell
from clew.kernel.language.ko.particles import with_particles
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.profile import UserControls
from clew.model.utterance import Statement
from tests.kernel.keep.test_candidates import AT, ZONE, P, told


def record(*statements: Statement) -> MemoryRecord:
    found = candidates(statements, AT, ZONE, P)
    return remember((), found, UserControls(), message_id="m", at=AT, policy=P).memories[-1]


@pytest.mark.rule("M1", "M6")
@pytest.mark.parametrize(
    ("statement", "english", "korean"),
    [
        (
            told("city", "Bristol", "moved to Bristol last month"),
            "You live in Bristol, since last month",
            "너는 지난달부터 Bristol에 살아",
        ),
        (
            told("city", "Leith", "in Leith since 2019"),
            "You live in Leith, since 2019",
            "너는 2019년부터 Leith에 살아",
        ),
        (told("like", "sushi"), "You like sushi", "너는 sushi를 좋아해"),
        (told("like", "떡볶이"), "You like 떡볶이", "너는 떡볶이를 좋아해"),
        (told("dislike", "김밥"), "You don't like 김밥", "너는 김밥을 싫어해"),
        (told("allergy", "땅콩"), "You are allergic to 땅콩", "너는 땅콩 알레르기가 있어"),
        (
            told("diet", "pork", status="not"),
            "You don't have pork",
            "너는 pork를 안 먹어",
        ),
        (told("name", "서윤"), "Your name is 서윤", "네 이름은 서윤이야"),
        (told("origin", "Varna", "from Varna, here since 2019"), "You are from Varna", "네 고향은 Varna야"),
        (
            told("job", "nurse", "Mina is a nurse", subject="person:sister", name="Mina"),
            "Your sister Mina is a nurse",
            "언니 Mina는 nurse야",
        ),
        (
            told("name", "Mina", subject="person:sister"),
            "Your sister is called Mina",
            "언니 이름은 Mina야",
        ),
        (
            told("plan", "dentist", "dentist tomorrow", status="future"),
            "Coming up: dentist, tomorrow",
            "너는 내일 dentist 일정이 있어",
        ),
        (
            told("plan", "wedding", "wedding on 5 June 2027", status="future"),
            "Coming up: wedding, on 5 June 2027",
            "너는 2027년 6월 5일에 wedding 일정이 있어",
        ),
        (
            told("note", "the ocean", "never seen the ocean"),
            "You told me: “never seen the ocean”",
            "너는 “never seen the ocean”이라고 했어",
        ),
        (
            told("death", "passed away", "Mum passed away", subject="person:mother", status="past"),
            "Your mum has died",
            "엄마는 세상을 떠났어",
        ),
    ],
)  # fmt: skip
def test_a_memory_is_told_in_both_languages(statement: Statement, english: str, korean: str) -> None:
    held = record(statement)
    assert tell(held, "en", P, at=AT, zone=ZONE) == english
    assert tell(held, "ko", P, at=AT, zone=ZONE) == korean


def test_what_makes_no_sentence_is_said_back_in_the_second_person_or_quoted() -> None:
    held = record(told("possession", "I code on an ipad", "I code on an ipad with a keyboard"))
    assert tell(held, "en", P) == "You code on an ipad with a keyboard"
    bare = record(told("note", "ipad for coding", "ipad for coding, keyboard and all"))
    assert tell(bare, "en", P) == "You told me: “ipad for coding, keyboard and all”"


@pytest.mark.rule("M6")
def test_a_plan_whose_day_has_passed_is_told_as_past() -> None:
    held = record(told("plan", "dentist", "dentist tomorrow", status="future"))
    later = AT + timedelta(days=9)
    assert tell(held, "en", P, at=later, zone=ZONE) == "This was planned: dentist, on Sunday 15 March"


def test_what_is_over_is_told_as_over() -> None:
    held = replace(record(told("city", "Seoul")), status=MemoryStatus.SUPERSEDED)
    assert tell(held, "en", P) == "You used to live in Seoul"
    assert tell(held, "ko", P) == "너는 전에 Seoul에 살았어"


def test_a_record_of_before_there_were_attributes_is_told_by_its_key() -> None:
    held = replace(record(told("city", "Oslo")), attribute=None, statement=None)
    assert tell(held, "en", P) == "You live in Oslo" and group_for(held, P) == "home"


@pytest.mark.parametrize("language", sorted(P.attributes.languages))
@pytest.mark.parametrize("attribute", sorted(P.attributes.rows))
@pytest.mark.parametrize("subject", ["self", "person:sister", "pet:cat"])
def test_every_attribute_can_be_told(language: str, attribute: str, subject: str) -> None:
    told_so = tell(record(told(attribute, "blue thing", "a blue thing", subject=subject)), language, P)
    assert told_so and "{" not in told_so and "(" not in told_so
    dead = attribute == "death" and subject != "self"
    assert dead or "blue thing" in told_so.lower()


@pytest.mark.parametrize("language", sorted(P.attributes.languages))
def test_every_attribute_has_words_in_every_language(language: str) -> None:
    words = P.attributes.languages[language]
    rows = set(P.attributes.rows)
    assert set(words.asked) == rows
    assert rows - set(words.told) == {"like", "dislike"}  # these have sentences of their own
    assert {row.group for row in P.attributes.rows.values()} <= set(words.groups)


@pytest.mark.parametrize(
    ("marked", "spoken"),
    [
        ("김치(을/를)", "김치를"),
        ("밥(을/를)", "밥을"),
        ("서울(으로/로)", "서울로"),
        ("부산(으로/로)", "부산으로"),
        ("Mina(은/는)", "Mina는"),
        ("3(이야/야)", "3이야"),
    ],
)
def test_particles_follow_the_sound_before_them(marked: str, spoken: str) -> None:
    assert with_particles(marked) == spoken


@pytest.mark.rule("M1")
def test_a_job_told_as_a_deed_is_told_as_one() -> None:
    assert tell(record(told("job", "drive a school bus", "58, drive a school bus")), "en", P) == "You drive a school bus"
    assert tell(record(told("job", "nurse at a school", "nurse at a school")), "en", P) == "You work as a nurse at a school"


@pytest.mark.parametrize(
    ("statement", "korean"),
    [
        (told("job", "배달일"), "너는 배달일을 해"),
        (told("job", "미용실", "어머니는 미용실을 하세요", subject="person:mother"), "어머니는 미용실을 해"),
        (told("job", "택배 일", "아빠는 택배 일 하셔", subject="person:father"), "아빠는 택배 일을 해"),
        (told("condition", "무릎이 안 좋아서", "무릎이 안 좋아서 등산은 못 가"), "너는 무릎이 안 좋아"),
        (
            told("condition", "허리가 안 좋으세요", "친정엄마가 허리가 안 좋으세요", subject="person:mother"),
            "엄마는 허리가 안 좋아",
        ),
        (told("condition", "무릎 다쳐서", "무릎 다쳐서 쉬어"), "너는 무릎을 다쳤어"),
        (told("condition", "혈압이 높아서", "혈압이 높아서 약 먹어요"), "너는 혈압이 높아"),
        (told("relationship", "결혼한 지 4년", "결혼한 지 4년 됐어"), "너는 결혼한 지 4년 됐어"),
        (told("exists", "아들이 둘", "아들이 둘 있는데", subject="person:son"), "너는 아들 둘이 있어"),
        (told("like", "매운 걸", "한나는 매운 걸 좋아해", subject="person:girlfriend"), "여자친구는 매운 걸 좋아해"),
        (
            told("condition", "머리가 멍해서", "머리가 멍해서 공부를 못 해"),
            "너는 “머리가 멍해서 공부를 못 해”라고 했어",
        ),
    ],
)
def test_work_is_done_an_ill_part_named_and_a_clause_quoted(statement: Statement, korean: str) -> None:
    assert tell(record(statement), "ko", P, at=AT, zone=ZONE) == korean


@pytest.mark.parametrize(
    ("subject", "value", "said", "told_back"),
    [
        ("person:husband", "mends clocks at a shop in Ludlow", "my husband, mends clocks at a shop in Ludlow", "mends"),
        ("person:aunt", "paints signs", "my aunt paints signs", "paints"),
        ("person:uncle", "sales", "my uncle is in sales", "is in sales"),
        ("person:niece", "sales manager", "my niece sales manager", "is "),
    ],
)
def test_what_stands_right_behind_somebody_and_is_a_verb_is_what_they_do(
    subject: str, value: str, said: str, told_back: str
) -> None:
    words = tell(record(replace(told("job", value, said), subject=subject)), "en", P)
    assert told_back in words and f"is {value.split()[0]} {value.split()[-1]}" not in words.replace("is sales", "")


@pytest.mark.rule("M6")
@pytest.mark.parametrize(
    ("value", "said", "told_back"),
    [("Leith", "in Leith since January", "since January"), ("Leith", "in Leith since 2019", "since 2019")],
)
def test_january_is_told_as_a_month_and_a_year_as_a_year(value: str, said: str, told_back: str) -> None:
    assert told_back in tell(record(told("city", value, said)), "en", P)
