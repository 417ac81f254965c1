"""`relate` and `decay` at the kernel door."""

from __future__ import annotations

from typing import Any

import pytest

from clew.errors import InvalidInput
from clew.kernel.door import call

STATE = {
    "relationship_stage": "STRANGER",
    "rapport_score": 14,
    "last_interaction_at": "2026-01-01T10:00:00Z",
    "last_stage_promotion_at": None,
    "sessions_count": 3,
    "last_session_at": "2026-01-01T09:00:00Z",
}


def ask(**more: Any) -> dict[str, Any]:
    payload = {
        "state": STATE, "text": "I love sushi a lot", "at": "2026-01-01T10:05:00+00:00",
        "session": {"short_replies": 0}, **more,
    }  # fmt: skip
    return call("relate", payload)


def test_the_answer_has_every_field_of_the_contract() -> None:
    answer = ask()
    assert answer["delta"] == 1
    assert answer["evidence"][0]["kind"] == "preference_share"
    assert answer["state"]["relationship_stage"] == "ACQUAINTANCE"
    assert answer["state"]["last_stage_promotion_at"] == "2026-01-01T10:05:00Z"
    assert answer["session"] == {"short_replies": 0, "past_reference_counted": False}
    assert {"policy", "reasons"} <= answer.keys()


@pytest.mark.rule("P61")
def test_the_sessions_short_replies_are_counted_before_this_message() -> None:
    answer = ask(text="ok", session={"short_replies": 2})
    assert answer["delta"] == -2 and answer["session"]["short_replies"] == 3


@pytest.mark.rule("P67")
def test_a_counted_past_reference_is_carried_by_the_session() -> None:
    asked = ask(text="you said so", session={"short_replies": 0, "past_reference_counted": True})
    assert asked["delta"] == 0 and asked["session"]["past_reference_counted"] is True


@pytest.mark.rule("P68")
def test_off_returns_the_state_as_it_came() -> None:
    answer = ask(update="OFF", session={"short_replies": 2})
    assert answer["delta"] == 0
    assert answer["state"] == STATE | {"decay_applied_weeks": 0}
    assert answer["session"]["short_replies"] == 2


@pytest.mark.rule("P65")
def test_decay_answers_with_state_and_delta() -> None:
    state = STATE | {"decay_applied_weeks": 1}
    answer = call("decay", {"state": state, "at": "2026-01-22T10:00:00Z"})
    assert answer["delta"] == -2 and answer["state"]["decay_applied_weeks"] == 3
    again = call("decay", {"state": answer["state"], "at": "2026-01-22T10:00:00Z"})
    assert again["delta"] == 0


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"state": STATE | {"relationship_stage": "LOVER"}}, "/state/relationship_stage"),
        ({"state": STATE | {"rapport_score": 101}}, "/state/rapport_score"),
        ({"state": STATE | {"sessions_count": -1}}, "/state/sessions_count"),
        ({"state": "friend"}, "/state"),
        ({"at": "yesterday"}, "/at"),
        ({"at": "2026-01-01T10:05:00"}, "/at"),
        ({"text": 7}, "/text"),
        ({"update": "MAYBE"}, "/update"),
        ({"session": {"short_replies": -2}}, "/session/short_replies"),
    ],
)
def test_a_bad_field_is_named(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInput) as error:
        ask(**change)
    assert error.value.pointer == pointer


def test_empty_text_is_a_valid_input() -> None:
    assert ask(text="")["delta"] == 0
