"""What is kept is the thing itself: whole, without the time beside it and without words that only fill."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clew.kernel.keep.candidates import candidates
from clew.kernel.keep.clean_values import clean
from clew.kernel.keep.own_times import others_time
from clew.kernel.keep.telling import tell
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.utterance import Statement, Status
from clew.policy import default

POLICY = default()
AT, ZONE = datetime(2026, 11, 19, 10, tzinfo=UTC), ZoneInfo("Europe/London")


def told(sentence: str, attribute: str, value: str, status: Status = Status.IS, subject: str = "self") -> Statement:
    start = sentence.index(value)
    return Statement(subject, attribute, value, sentence, start, start + len(value), status=status)


def spoken(*statements: Statement) -> list[str]:
    out = []
    for c in candidates(statements, AT, ZONE, POLICY):
        record = MemoryRecord(
            "m", c.type, c.key, c.value, c.confidence, MemoryStatus.ACTIVE, AT, AT, ("x",), subject=c.subject,
            attribute=c.attribute, statement=c.statement, when_start=c.when_start, when_end=c.when_end,
            when_text=c.when_text,
        )  # fmt: skip
        out.append(tell(record, "en", POLICY, at=AT, zone=ZONE))
    return out


@pytest.mark.rule("M8")
@pytest.mark.parametrize(
    ("sentence", "attribute", "value", "kept"),
    [
        ("came over from Vilnius like 6 months ago", "origin", "Vilnius like 6 months", "Vilnius"),
        ("I do days at a nursery tues-fri", "employer", "nursery tues-fri", "nursery"),
        ("got gout since 2021", "condition", "gout since 2021", "gout"),
        ("veggie for about ten years now", "diet", "veggie for about ten years now", "veggie"),
        ("hoping to be a vet one day ngl", "goal", "be a vet one day ngl", "be a vet one day"),
        ("dreaming of moving to Skye for the quiet", "goal", "moving", "moving to Skye for the quiet"),
        ("thinking of doing a welding course tbh", "goal", "doing", "doing a welding course"),
        ("I work at Forever 21", "employer", "Forever 21", "Forever 21"),
        ("I write for the Sunday Times", "employer", "Sunday Times", "Sunday Times"),
        ("I want a wish list app", "goal", "a wish list app", "a wish list app"),
        ("my goal is to save, and then travel", "goal", "save", "save"),
    ],
)  # fmt: skip
def test_a_value_is_the_thing_itself(sentence: str, attribute: str, value: str, kept: str) -> None:
    assert [s.value for s in clean([told(sentence, attribute, value)], POLICY)] == [kept]


def test_a_part_of_a_plan_is_no_plan_of_its_own() -> None:
    said = "thinking of training as a welder"
    parts = [told(said, "goal", "training"), told(said, "job", "welder", Status.FUTURE)]
    assert [(s.attribute, s.value) for s in clean(parts, POLICY)] == [("goal", "training as a welder")]
    said = "trying to stop the late snacks before bed"
    parts = [told(said, "goal", "stop the late snacks before bed"), told(said, "routine", "late snacks before bed")]
    assert [s.attribute for s in clean(parts, POLICY)] == ["goal"]
    now = [told("I'm a welder, training as a diver", "job", "welder"), told("I'm a welder, training as a diver", "goal", "training as a diver")]
    assert len(clean(now, POLICY)) == 2


def test_a_funeral_is_of_the_one_it_is_said_to_be() -> None:
    said = "my sister Una and I fell out at our dad's funeral"
    assert clean([told(said, "death", "dad's funeral", subject="person:sister")], POLICY) == []
    assert len(clean([told(said, "death", "dad's funeral", subject="person:father")], POLICY)) == 1


def test_a_time_belongs_to_what_stands_next_to_it() -> None:
    said = "I'm a roofer but signed off since April"
    job, off = told(said, "job", "roofer"), told(said, "condition", "signed off")
    assert others_time(job, "since April", [job, off]) and not others_time(off, "since April", [job, off])


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (told("optician weds 2pm meh", "plan", "optician weds 2pm meh"), "Coming up: optician, on Wednesday 25 November at 2 pm"),
        (told("parents' evening is on the 3rd of december", "plan", "parents' evening"), "Coming up: parents' evening, on Thursday 3 December"),
        (told("we got engaged in 2024", "relationship", "engaged in 2024"), "You got engaged in 2024"),
        (told("my wife does nails at superdrug", "employer", "superdrug", subject="person:wife"), "Your wife works for Superdrug"),
        (told("me nan's 70th is on the 2nd of march", "plan", "me nan's 70th is on the 2nd of march"), "Your nan's 70th is on the 2nd of March"),
        (told("I'm a 3rd year law student", "major", "law student"), "You are a law student"),
        (told("my son is in year 9", "grade", "year 9", subject="person:son"), "Your son is in year 9"),
        (told("final yr at Leeds now", "grade", "final yr"), "You are in your final year"),
        (told("shifts at the Crown, kitchen work", "job", "kitchen work"), "Your work: kitchen work"),
        (told("I'm on the desk at the Crown", "employer", "Crown"), "You work for the Crown"),
        (told("dating a lad called Ivo", "relationship", "dating a lad called Ivo"), "You are dating a lad called Ivo"),
        (told("my flatmates are Ruth and Ola", "city", "Ola", subject="person:roommate"), "Your flatmate lives in Ola"),
        (told("its otto's recital on sunday", "plan", "recital on sunday", subject="person:child"), "Coming up for your child Otto: recital, on Sunday 22 November"),
        (told("it's my son's recital on sunday", "plan", "recital on sunday", subject="person:son"), "Coming up for your son: recital, on Sunday 22 November"),
        (told("she works for the council", "employer", "council", subject="person:wife"), "Your wife works for the council"),
    ],
)  # fmt: skip
def test_it_is_told_as_one_would_say_it(statement: Statement, said: str) -> None:
    assert spoken(statement) == [said]
