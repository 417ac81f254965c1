"""Long accounts tell one liking; everyday messages tell none."""

from __future__ import annotations

import json
from base64 import b85decode
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from clew.kernel.statements.extract import extract
from clew.kernel.statements.long_messages import is_account
from clew.kernel.statements.own_words import statements
from clew.policy import default

POLICY = default()
AT, ZONE = datetime(2026, 5, 1, tzinfo=UTC), ZoneInfo("UTC")
NOTHING = json.loads((Path(__file__).parents[2] / "vectors" / "no_preference.json").read_text("utf-8"))

POTTERY = (
    "I signed up for a pottery class in the spring. It was wonderful to feel the clay take shape under my hands, and "
    "every evening there left me happy and relaxed. The teacher was patient and the group was fun to be with. "
    "I am already looking forward to the next course."
)
CHESS = (
    "Well, I decided to stop playing chess online. Every game had become a chore, and the constant pressure of the "
    "clock was exhausting. I felt frustrated after almost each evening, and the chat was full of unpleasant people. "
    "It was a waste of time in the end."
)
SINGING = (
    "While I love music, joining a choir turned out to be stressful. The rehearsals were tedious and I felt "
    "uncomfortable in front of so many strangers. I dreaded each concert, and the whole thing became an exhausting "
    "obligation that left me frustrated."
)


def tastes(text: str) -> list[str]:
    return [c.value for c in extract(text, AT, ZONE, POLICY) if c.type == "PREFERENCE"]


@pytest.mark.parametrize("text", [*NOTHING["short"], *NOTHING["long"]])
def test_an_everyday_message_tells_no_taste(text: str) -> None:
    assert tastes(text) == []


def test_an_account_of_something_taken_up_is_a_liking_of_it() -> None:
    assert tastes(POTTERY) == ["like|pottery class"]


def test_an_account_of_giving_something_up_is_a_dislike_of_it() -> None:
    found = tastes(CHESS)
    assert [v.split("|")[0] for v in found] == ["dislike"]
    assert "chess" in found[0]


def test_an_aside_that_leans_the_other_way_is_background() -> None:
    found = tastes(SINGING)
    assert {v.split("|")[0] for v in found} == {"dislike"}
    assert "like|music" not in found


@pytest.mark.rule("P79")
def test_a_long_request_for_help_is_no_account() -> None:
    text = POTTERY + " Can you help me find a wheel for home?"
    assert is_account(statements(POTTERY, POLICY), POLICY)
    assert not is_account(statements(POTTERY + " Please help me find a wheel for home.", POLICY), POLICY)
    assert tastes(text) == ["like|pottery class"]  # a question beside it changes nothing


def test_somebody_elses_story_is_no_account_of_the_user() -> None:
    text = (
        POTTERY.replace("I signed", "My brother signed")
        .replace("my hands", "his hands")
        .replace("left me", "left him")
    )
    assert tastes(text.replace("I am", "He is")) == []


def test_when_it_was_is_no_part_of_the_thing() -> None:
    text = POTTERY.replace("in the spring", "in October 2025")
    assert tastes(text) == ["like|pottery class"]


def test_the_vector_can_turn_what_the_words_leave_open() -> None:
    """The head only weighs beside the words: a vector along it makes the like sure, against it not."""
    head = POLICY.remember.stance.heads["stance"]
    signs = [float(b if b < 128 else b - 256) for b in b85decode(head.weights)]
    size = sum(x * x for x in signs) ** 0.5
    towards = [x / size for x in signs]
    with_it = extract(POTTERY, AT, ZONE, POLICY, towards)
    against = extract(POTTERY, AT, ZONE, POLICY, [-x for x in towards])
    assert [c.value for c in with_it] == ["like|pottery class"]
    assert "like|pottery class" not in [c.value for c in against]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I signed up for a pottery class. It was wonderful.", ["like|pottery class"]),
        ("I tried rock climbing last weekend and loved it", ["like|rock climbing"]),
        ("I finally tried olives and hated them", ["dislike|olives"]),
        ("I tried rock climbing last weekend", []),
        ("I went to a concert last night, it was amazing!", []),
        ("I tried your recipe and it was delicious", []),
        ("My sister tried rock climbing and loved it", []),
        ("If I tried rock climbing it would be awful", []),
    ],
)
def test_something_taken_up_counts_when_it_is_judged(text: str, expected: list[str]) -> None:
    assert tastes(text) == expected
