"""What the checks let pass: plain statements that rules once refused."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clew.kernel.read.utterance import sentences_of
from clew.kernel.statements.checks import checked_statements
from clew.kernel.statements.extract import extract
from clew.kernel.statements.people import Known, spoken_of
from clew.kernel.statements.reader import fitting
from clew.kernel.statements.tagger import Span
from clew.model.memory import MemoryType
from clew.model.utterance import Evidence, Statement, Status
from clew.policy import default

P = default()


def said(text: str, attribute: str, value: str, subject: str = "self", **more: object) -> Statement:
    start = text.index(value)
    return Statement(subject, attribute, value, text, start, start + len(value), **more)  # type: ignore[arg-type]


def kept(text: str, *read: Statement, language: str = "en") -> list[tuple[str, str, str]]:
    called = spoken_of(text, language, Known(), P)
    found = checked_statements(text, language, sentences_of(text, language, P), read, P, called)
    return [(s.subject, s.attribute, s.value) for s in found]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I'm allergic to cats", "allergy", "cats"),
        ("i'm from Recife", "origin", "Recife"),
        ("been offered a place for physics", "major", "physics"),
        ("I live with my aunt", "home", "live with my aunt"),
        ("never cared for olives", "dislike", "olives"),
    ],
)
def test_a_plain_statement_passes(text: str, attribute: str, value: str) -> None:
    assert ("self", attribute, value) in kept(text, said(text, attribute, value))


def test_a_time_behind_since_is_no_plan() -> None:
    text = "been in Rotterdam since March"
    assert kept(text, said(text, "plan", "March")) == []


def test_what_one_does_not_believe_in_may_be_the_label_itself() -> None:
    text = "don't believe in god, never have"
    assert kept(text, said(text, "belief", "god", status=Status.NOT)) == [("self", "belief", "god")]
    assert kept("I believe", said("I believe", "belief", "believe")) == []


def test_a_pet_s_kind_is_no_illness_of_its_own() -> None:
    text = "my cat is old"
    assert kept(text, said(text, "condition", "cat", "pet:cat")) == []


def test_of_several_values_of_one_thing_the_surest_stays() -> None:
    text = "I think it's from the screens, I'm an architect"
    unsure, sure = Evidence(0.9, 0.4, 0.5, 0.1, 1.0), Evidence(0.9, 0.99, 1.0, 0.0, 1.0)
    read = [said(text, "job", "screens", evidence=unsure), said(text, "job", "architect", evidence=sure)]
    assert kept(text, *read) == [("self", "job", "architect")]


def test_what_somebody_is_allergic_to_is_kept_without_the_word_for_it() -> None:
    text = "my son is allergic to eggs"
    assert kept(text, said(text, "allergy", "allergic to eggs", "person:son")) == [("person:son", "allergy", "eggs")]
    assert kept(text, said(text, "allergy", "allergic", "person:son")) == []


def test_two_children_of_one_sentence_keep_an_age_each() -> None:
    text = "my eldest is 12 and my youngest is 4"
    read = [said(text, "age", "12", "person:child", name="eldest"), said(text, "age", "4", "person:child", name="youngest")]
    assert [value for _, _, value in kept(text, *read)] == ["12", "4"]


def test_the_younger_sister_is_not_younger() -> None:
    text = "my younger sister works in a bank"
    assert kept(text, said(text, "age", "younger", "person:sister")) == []


def test_nobody_has_an_attribute_that_their_kind_never_has() -> None:
    span = Span(0, 4, 1.0, 1.0, (("death", 0.8), ("age", 0.16), ("grade", 0.004)), "self", 1.0, "is", None)
    assert fitting(span, "self", P.reader).attributes[0] == ("age", 0.8)
    assert fitting(span, "person:mother", P.reader) is span


def test_one_sentence_is_one_note() -> None:
    text = "문서에 전화번호는 빼 주세요 보안각서 써서요"
    notes = [said(text, "note", value) for value in ("전화번호", "보안각서")]
    found = extract(text, datetime(2026, 3, 2, tzinfo=UTC), ZoneInfo("UTC"), P, statements=notes)
    assert [c.value for c in found if c.type is MemoryType.NOTE] == [text]


@pytest.mark.parametrize(
    ("text", "read", "ended"),
    [
        ("gave up rugby after the second concussion", ("sport", "rugby"), ("self", "sport", "rugby")),
        ("I've given up meat", ("diet", "meat"), ("self", "diet", "meat")),
        ("I've given up chess", ("event", "chess"), ("self", "routine", "chess")),
        ("We sold the caravan", ("event", "sold the caravan"), ("self", "possession", "caravan")),
        ("I dropped out of uni last term", ("event", "dropped out of uni"), ("self", "school", "uni")),
    ],
)
def test_what_was_given_up_is_over_as_what_it_was(
    text: str, read: tuple[str, str], ended: tuple[str, str, str]
) -> None:
    found = checked_statements(text, "en", sentences_of(text, "en", P), [said(text, *read, status=Status.PAST)], P)
    assert [(s.subject, s.attribute, s.value, s.status) for s in found] == [(*ended, Status.ENDED)]


def test_what_is_over_takes_nothing_from_what_is_now() -> None:
    text = "간호사 때려치고 지금은 보험 심사 일 해"
    assert kept(text, said(text, "job", "간호사"), said(text, "job", "보험 심사 일"), language="ko") == [
        ("self", "job", "간호사"),
        ("self", "job", "보험 심사 일"),
    ]


def test_two_names_side_by_side_are_two() -> None:
    text = "There are two budgies in my kitchen, Salt and Vinegar"
    names = [said(text, "name", value, "pet:budgie", name=value) for value in ("Salt and", "Vinegar")]
    assert kept(text, *names) == [("pet:budgie", "name", "Salt"), ("pet:budgie", "name", "Vinegar")]


def test_a_name_that_was_cut_is_cut_wherever_it_stands() -> None:
    text = "my stepmom Dana turns 40 on friday"
    read = [said(text, a, v, "person:stepmother", name="Dana turns") for a, v in (("name", "Dana turns"), ("age", "40"))]
    called = spoken_of(text, "en", Known(), P)
    found = checked_statements(text, "en", sentences_of(text, "en", P), read, P, called)
    assert {s.name for s in found} == {"Dana"}


def test_a_name_is_the_word_that_is_written_as_one() -> None:
    text = "my young lad Cathal lives in Dublin"
    assert ("person:person", "name", "Cathal") in kept(text, said(text, "name", "lad Cathal", "person:person"))


def test_pronouns_are_a_value() -> None:
    text = "my partner Sol uses he"
    told = said(text, "pronouns", "he", "person:partner", name="Sol")
    assert ("person:partner", "pronouns", "he") in kept(text, told)


def test_a_verb_with_a_comma_behind_it_stands_for_itself() -> None:
    text = "I row, coxless four"
    found = kept(text, said(text, "sport", "row"), said(text, "possession", "coxless four"))
    assert ("self", "sport", "row") in found


def test_nobody_lives_in_hospital() -> None:
    text = "my dad is in hospital"
    assert kept(text, said(text, "city", "hospital", "person:father")) == [("person:father", "condition", "in hospital")]


@pytest.mark.parametrize("text", ["Everyone at work knows me as Bertie", "The name on my passport is Bertie"])
def test_the_user_s_own_name_in_other_words(text: str) -> None:
    assert kept(text, said(text, "name", "Bertie")) == [("self", "name", "Bertie")]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("In the game I married Sebastian and we own a cow", "possession", "cow"),
        ("the protagonist has a dog called Rust and a drinking problem", "possession", "a dog"),
        ("proofread this: I am a engineer with ten year experience", "job", "engineer"),
        ("Chapter one. My name is Ada and I have always lived above the mill", "name", "Ada"),
        ("the guy on the podcast was like my wife left me and I bought a goat", "event", "bought a goat"),
    ],
)
def test_what_is_made_up_or_handed_in_is_nobody_s_life(text: str, attribute: str, value: str) -> None:
    assert kept(text, said(text, attribute, value)) == []
    assert extract(text, datetime(2026, 3, 2, tzinfo=UTC), ZoneInfo("UTC"), P) == ()


def test_what_stands_before_a_story_is_told() -> None:
    text = "I'm a nurse. In the game I own a cow"
    assert kept(text, said(text, "job", "nurse"), said(text, "possession", "cow")) == [("self", "job", "nurse")]


@pytest.mark.parametrize(
    ("text", "attribute", "value", "status"),
    [
        ("I'm thinking of moving to Leeds", "city", "Leeds", Status.FUTURE),
        ("my boss wants me to move to Hull", "city", "Hull", Status.FUTURE),
        ("my sister is applying for a job at Tesco", "employer", "Tesco", Status.FUTURE),
        ("I moved to Hull because I wanted to", "city", "Hull", Status.IS),
        ("I wanted a change, so I work at Aldi", "employer", "Aldi", Status.IS),
    ],
)
def test_what_is_only_thought_of_is_not_yet_so(text: str, attribute: str, value: str, status: Status) -> None:
    found = checked_statements(text, "en", sentences_of(text, "en", P), [said(text, attribute, value)], P)
    assert [(s.attribute, s.status) for s in found if s.value == value] == [(attribute, status)]


def test_a_word_of_a_question_is_nobody_s_name() -> None:
    assert kept("where does mum come from") == []
    assert ("person:mother", "name", "denise") in kept("mum denise is from Hull")
