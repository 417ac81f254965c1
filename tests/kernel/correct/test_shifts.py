"""A day, place or name put right in passing."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from clew.kernel.correct.shift_parts import Shift
from clew.kernel.correct.shifts import shifted
from clew.kernel.keep.times import resolve
from clew.kernel.read.wording import wording
from clew.model.key import Key
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.policy import default

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
ZONE = ZoneInfo("UTC")
POLICY = default()


def held(key: str, value: str, statement: str, attribute: str, subject: str = "self") -> MemoryRecord:
    parsed = Key.parse(key)
    assert parsed is not None
    when = resolve(statement, AT, ZONE, POLICY, 1)
    return MemoryRecord(
        memory_id=f"id-{key}",
        type=parsed.type,
        memory_key=key,
        memory_value=value,
        confidence=Decimal("0.70"),
        status=MemoryStatus.ACTIVE,
        created_at=AT,
        last_confirmed_at=AT,
        source_message_ids=("m1",),
        subject=subject,
        attribute=attribute,
        statement=statement,
        when_start=when.start if when else None,
        when_end=when.end if when else None,
        when_text=when.text if when else None,
    )


def put_right(text: str, *memories: MemoryRecord, just: bool = False) -> Shift | None:
    told = memories if just else ()
    return shifted(wording(text, POLICY), memories, told, POLICY, message_id="m2", at=AT, zone=ZONE)


DENTIST = held(
    "event:health:2026_03:dentist_on_friday_at_3", "dentist on Friday at 3", "dentist on Friday at 3", "plan"
)
MUM = held(
    "event:other:2026_03:visiting_next_saturday", "visiting next Saturday", "my mum's visiting next Saturday", "plan"
)
KNEE = held("event:family:2026_03:무릎_수술", "무릎 수술", "다음주 수요일에 엄마 무릎 수술하셔", "event")


@pytest.mark.parametrize(
    ("text", "memory", "value", "day"),
    [
        ("oh wait, she's coming on Sunday not Saturday", MUM, "visiting next Sunday", (3, 8)),
        ("the dentist moved to Tuesday", DENTIST, "dentist on Tuesday at 3", (3, 3)),
        ("they pushed it to Monday", DENTIST, "dentist on Monday at 3", (3, 9)),
        ("아 수술 금요일로 바뀌었대", KNEE, "무릎 수술", (3, 6)),
        ("수술 수요일 아니고 금요일이래", KNEE, "무릎 수술", (3, 6)),
    ],
)
def test_another_day_takes_the_place_of_the_old_one(
    text: str, memory: MemoryRecord, value: str, day: tuple[int, int]
) -> None:
    found = put_right(text, memory)
    assert found is not None and found.new.when_start is not None
    start = found.new.when_start
    assert found.new.memory_value == value
    assert (start.month, start.day) == day


def test_another_thing_of_the_same_day_stays() -> None:
    assert put_right("the meeting moved to Tuesday", DENTIST) is None
    assert put_right("I moved to Berlin", DENTIST) is None
    assert put_right("should the dentist be moved to Tuesday?", DENTIST) is None


def test_a_place_inside_of_a_plan_is_put_right() -> None:
    plan = held("event:other:2026_03:meeting_jess_at_nandos", "meeting Jess at Nando's", "meeting Jess at Nando's", "plan")
    found = put_right("wait not Nando's, we're going to Wagamama", plan)
    assert found is not None and found.new.memory_value == "meeting Jess at Wagamama"


def test_a_preference_is_no_correction() -> None:
    plan = held("habit:works_from_home", "works from home", "I work from home", "routine")
    assert put_right("I'm at the office, not home", plan) is None


def test_a_name_put_right_takes_along_what_is_held_of_its_bearer() -> None:
    name = held("person:boss:박상현", "박상현", "우리 팀장님 이름은 박상현이야", "name", "person:boss")
    city = held("person:boss:박상현:city", "대전", "박상현 팀장님은 대전 살아", "city", "person:boss")
    found = put_right("상현이 아니라 상훈이야", name, city)
    assert found is not None and found.new.memory_value == "박상훈"
    assert [new.memory_key for _, new in found.renamed] == ["person:boss:박상훈:city"]


SHELLFISH = held("fact:allergy:prawns", "prawns", "I can't have prawns, allergic", "allergy")
AUNT = held("person:aunt:berta", "Berta", "my aunt is called Berta", "name", "person:aunt")
CITY = held("fact:current_city", "Ghent", "I live in Ghent", "city")
INSTRUMENT = held("pref:hobby:cello", "like|cello", "I play the cello", "hobby")
COLOUR = held("note:mauve", "my favourite colour is mauve", "my favourite colour is mauve", "note")


@pytest.mark.parametrize(
    ("told", "text", "key", "value"),
    [
        (SHELLFISH, "actually it's mussels", "fact:allergy:mussels", "mussels"),
        (AUNT, "sorry, it's Bertha", "person:aunt:bertha", "Bertha"),
        (AUNT, "I meant Hilda", "person:aunt:hilda", "Hilda"),
        (INSTRUMENT, "no wait, it's the viola", "pref:hobby:viola", "like|viola"),
        (COLOUR, "it's teal actually", "note:my_favourite_colour_is_teal", "my favourite colour is teal"),
    ],
)
def test_what_was_just_told_takes_the_value_that_puts_it_right(
    told: MemoryRecord, text: str, key: str, value: str
) -> None:
    found = put_right(text, told, just=True)
    assert found is not None and (found.old, found.new.memory_key, found.new.memory_value) == (told, key, value)


@pytest.mark.parametrize(
    "text", ["actually it's snowing", "no, it's fine", "I mean it", "it's mussels", "sorry, it's 12", "no thanks"]
)
def test_a_remark_puts_nothing_right(text: str) -> None:
    assert put_right(text, SHELLFISH, just=True) is None


def test_a_bare_value_says_nothing_where_two_things_were_told() -> None:
    assert put_right("actually it's mussels", SHELLFISH, INSTRUMENT, just=True) is None


def test_a_name_is_put_right_by_a_name_alone() -> None:
    assert put_right("actually it's lovely", AUNT, just=True) is None
    assert put_right("actually it's Bruges", CITY, just=True) is None  # of which there is one: its key does it


SLEEP = held("habit:take_10mg_of_melatonin", "take 10mg of melatonin", "I take 10mg of melatonin", "routine")
DOGS = held("pet:dog:_", "two dogs", "we've got two dogs", "exists", "pet:dog")
GYM = held("fact:money:gym_costs_30_pounds", "gym costs 30 pounds", "my gym costs 30 pounds", "money")
RUN = held("habit:매일_5km_뛰어", "매일 5km 뛰어", "나 매일 5km 뛰어", "routine")
BORN = held("person:father:_:birthday", "2nd of May", "dad's birthday is the 2nd of May", "birthday", "person:father")
NURSE = held("fact:occupation", "nurse", "I'm a nurse", "job")


@pytest.mark.parametrize(
    ("text", "memory", "value"),
    [
        ("it's 15 now", SLEEP, "take 15mg of melatonin"),
        ("sorry, 5mg", SLEEP, "take 5mg of melatonin"),
        ("three actually, mum gave us hers", DOGS, "three dogs"),
        ("no wait, 3rd", BORN, "3rd of May"),
        ("make that 35", GYM, "gym costs 35 pounds"),
        ("아니다 7km야", RUN, "매일 7km 뛰어"),
        ("이제 10km로 늘었어", RUN, "매일 10km 뛰어"),
    ],
)
def test_a_figure_just_told_gives_way_to_the_new_one_and_keeps_its_unit(
    text: str, memory: MemoryRecord, value: str
) -> None:
    found = put_right(text, memory, just=True)
    assert found is not None and found.old is memory
    assert found.new.memory_value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("my gym went up to 38 btw", "gym costs 38 pounds"), ("they raised the gym to 40", "gym costs 40 pounds")],
)
def test_a_figure_of_a_thing_that_is_named_changes_days_later(text: str, value: str) -> None:
    found = put_right(text, SLEEP, GYM, DOGS)
    assert found is not None and found.new.memory_value == value


def test_where_several_figures_could_be_meant_none_changes() -> None:
    both = held("habit:take_2_pills_of_10mg", "take 2 pills of 10 drops", "I take 2 pills of 10 drops", "routine")
    assert put_right("it's 3 now", both, just=True) is None
    assert put_right("it's 15 now", SLEEP, GYM) is None
    assert put_right("no wait, 42", NURSE, just=True) is None


@pytest.mark.parametrize(
    ("text", "name"), [("it's Katrin with a K btw", "Katrin"), ("oh, its katrin with a k", "Katrin")]
)
def test_a_name_spelled_out_is_the_same_person(text: str, name: str) -> None:
    sister = held("person:sister:catrin", "Catrin", "my sister's called Catrin", "name", "person:sister")
    town = held("person:sister:catrin:city", "Bath", "she lives in Bath", "city", "person:sister")
    found = put_right(text, sister, town, just=True)
    assert found is not None and found.new.memory_value == name
    assert {new.memory_key for _, new in found.renamed} == {"person:sister:katrin:city"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("we renamed the dog, he's Otto now", "pet:dog:otto"),
        ("changed his name to Otto", "pet:dog:otto"),
        ("이름 바꿨어 이제 콩이야", "pet:dog:콩"),
    ],
)
def test_a_pet_by_another_name_is_the_same_pet(text: str, key: str) -> None:
    rex = held("pet:dog:rex", "puppy", "got a puppy, Rex", "exists", "pet:dog")
    age = held("pet:dog:rex:age", "3", "Rex is 3", "age", "pet:dog")
    found = put_right(text, rex, age, just=True)
    assert found is not None and found.new.memory_key == key
    assert found.new.attribute == "name"
    assert [new.memory_key for _, new in found.renamed] == [f"{key}:age"]


def test_which_of_two_pets_is_renamed_must_be_said() -> None:
    rex = held("pet:dog:rex", "Rex", "our dog Rex", "name", "pet:dog")
    tom = held("pet:cat:tom", "Tom", "our cat Tom", "name", "pet:cat")
    assert put_right("we renamed it, it's Otto now", rex, tom) is None
    found = put_right("we renamed the cat, it's Otto now", rex, tom)
    assert found is not None and found.old is tom
