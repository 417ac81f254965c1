"""Told whole, a life is told by person: one sentence for what can stand in one, and nothing twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from clew.kernel.language.gathering import Bearer
from clew.kernel.language.packs import pack
from clew.model.plan import Finding
from clew.model.utterance import Ask
from clew.policy import default
from tests.kernel.compose.test_compose import reply

POLICY = default()
ALL = (Ask("self", "any"),)
AT = datetime(2026, 11, 19, tzinfo=UTC)


def held(told: str, attribute: str, value: str, key: str, whose: str = "") -> Finding:
    subject = ":".join(key.split(":")[:2]) if whose else "self"
    return Finding(told, "memory", told, subject, attribute, value, key, whose=whose)


FAMILY = (
    held("You have 2 kids", "exists", "2 kids", "person:child:_", "your kids"),
    held("Your child is called Ines", "name", "Ines", "person:child:ines", "your child"),
    held("Your child is called Rui", "name", "rui", "person:child:rui", "your child"),
    held("Your child Ines is 6", "age", "6", "person:child:ines:age", "your child Ines"),
    held("Your child Rui is 11", "age", "11", "person:child:rui:age", "your child Rui"),
)
WIFE = (
    held("Your wife is called Clara", "name", "Clara", "person:wife:clara", "your wife"),
    held("Your wife Clara is a vet", "job", "vet", "person:wife:clara:job", "your wife Clara"),
    held("Your wife Clara lives in Faro", "city", "Faro", "person:wife:clara:city", "your wife Clara"),
)


@pytest.mark.rule("M10")
def test_the_children_are_told_in_one_sentence_and_the_wife_in_another() -> None:
    said = reply("what do you know about me?", asks=ALL, findings=(*FAMILY, *WIFE))
    assert "You have two children: Ines, who is 6, and Rui, who is 11." in said
    assert "Your wife Clara lives in Faro and is a vet." in said
    assert "called" not in said


def test_who_nobody_counted_are_not_said_to_be_all() -> None:
    said = reply("what do you know about me?", asks=ALL, findings=FAMILY[1:])
    assert "Your children are Ines, who is 6, and Rui, who is 11." in said
    more = (held("You have 3 kids", "exists", "3 kids", "person:child:_", "your kids"), *FAMILY[1:])
    assert "You have three children; you've told me of Ines, who is 6, and Rui, who is 11." in reply(
        "what do you know about me?", asks=ALL, findings=more
    )


def test_what_is_coming_for_one_of_them_follows_in_its_own_sentence() -> None:
    party = held("Coming up for your child Rui: a party", "plan", "a party", "event:family:2026_11:a_party", "your child Rui")
    theirs = replace(party, subject="person:child")
    said = reply("what do you know about me?", asks=ALL, findings=(*FAMILY, theirs))
    assert "Ines, who is 6, and Rui, who is 11. Coming up for your child Rui: a party." in said


def test_a_long_family_goes_on_where_the_page_ended_and_nothing_comes_twice() -> None:
    things = tuple(held(f"You have a thing {n}", "possession", f"thing {n}", "x") for n in range(9))
    everything = (*things, *FAMILY[1:])
    first = reply("what do you know about me?", asks=ALL, findings=everything)
    second = reply("what else?", asks=ALL, findings=everything, recent_replies=(first,))
    assert not any(f"thing {n}" in second for n in range(9))
    assert "Ines" not in first and "Ines, who is 6, and Rui, who is 11" in second


def test_who_somebody_is_goes_on_with_what_is_known_of_them() -> None:
    said = reply("who is Clara?", asks=(Ask("person:any", "who", "Clara"),), findings=WIFE)
    assert said == "Clara is your wife, is a vet and lives in Faro."


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (["You are from Hull.", "You live in Goole."], ["You are from Hull and live in Goole."]),
        (["You don't have dairy.", "You take iron tablets."], ["You take iron tablets and don't have dairy."]),
        (["You are allergic to nuts.", "You are allergic to eggs."], ["You are allergic to nuts and eggs."]),
        (["Coming up: the dentist.", "Coming up: a party."], ["Coming up: the dentist; a party."]),
        (["Your goal: a 10k.", "Your goal: less sugar."], ["Your goals: a 10k; less sugar."]),
        (["You told me: “moved, at last”.", "You live in Goole."], ["You told me: “moved, at last”.", "You live in Goole."]),
        (["You work for Spar.", "You stack shelves at Spar."], ["You stack shelves at Spar."]),
        (["You have to rest.", "You have asthma."], ["You have to rest and have asthma."]),
    ],
)  # fmt: skip
def test_what_stands_on_one_side_of_a_life_is_told_in_one_breath(told: list[str], said: list[str]) -> None:
    english = pack("en")
    assert english is not None and list(english.run_on(told, POLICY)) == said


def test_what_cannot_stand_beside_another_keeps_its_sentence() -> None:
    english = pack("en")
    bearer = Bearer("person:mother", "Ruth", "your mum Ruth", ("Your mum Ruth has died.", "Your mum Ruth was kind, and funny."))
    assert english is not None
    assert list(english.gathered([bearer], POLICY)) == list(bearer.told)


def test_a_language_without_words_for_it_tells_each_by_itself() -> None:
    korean = pack("ko")
    assert korean is not None and list(korean.run_on(["하나.", "둘."], POLICY)) == ["하나.", "둘."]
