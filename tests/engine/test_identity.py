"""From sign-up to a cast friend (rulings P20, P21, P31, P34, P40)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from clew.engine import identity
from clew.engine.parts import Parts
from clew.engine.turn import take_turn
from clew.errors import InvalidInput, NotFound, NotReady
from clew.model.exchange import Incoming
from clew.model.profile import UserState
from clew.model.turn import Pipeline
from clew.testing.parts import ANSWERS, message_id, onboard, say

Engine = Callable[..., Parts]


@pytest.mark.rule("P21")
def test_sign_up_creates_and_starting_onboarding_moves_on(engine: Engine) -> None:
    parts = engine()
    assert identity.sign_up(parts, "u1").state is UserState.CREATED
    assert identity.start_onboarding(parts, "u1").state is UserState.ONBOARDING
    assert identity.sign_up(parts, "u1").state is UserState.ONBOARDING
    assert identity.start_onboarding(parts, "u1").state is UserState.ONBOARDING


@pytest.mark.rule("P23")
def test_a_created_user_is_refused_and_leaves_no_history(engine: Engine) -> None:
    parts = engine()
    identity.sign_up(parts, "u1")
    outcome = take_turn(parts, Incoming(message_id(1), "nowhere", "hello there", user_id="u1"))
    assert outcome.pipeline is Pipeline.REFUSAL
    assert "onboarding" in (outcome.reply or "")
    assert not outcome.persisted
    with parts.store.read() as session:
        assert session.message(message_id(1)) is None
        assert session.lease(message_id(1)) is None
        assert [e.event.kind for e in session.journal()] == ["user.created"]


@pytest.mark.rule("P34")
def test_a_created_user_in_crisis_gets_the_crisis_text(engine: Engine) -> None:
    parts = engine()
    identity.sign_up(parts, "u1")
    outcome = take_turn(parts, Incoming(message_id(1), "nowhere", "i want to kill myself", user_id="u1"))
    assert outcome.pipeline is Pipeline.REFUSAL
    assert not outcome.persisted
    assert outcome.reply and "onboarding" not in outcome.reply


@pytest.mark.rule("P20")
def test_missing_answers_are_named_and_nothing_is_kept(engine: Engine) -> None:
    parts = engine()
    identity.sign_up(parts, "u1")
    identity.start_onboarding(parts, "u1")
    identity.answer(parts, "u1", {"preferred_name": "Mina"})
    outcome = take_turn(parts, Incoming(message_id(1), "nowhere", "hello", user_id="u1"))
    assert outcome.pipeline is Pipeline.ONBOARDING_CHAT
    assert outcome.reply is None
    assert outcome.missing == (
        "occupation_category",
        "client_timezone",
        "persona",
    )
    with parts.store.read() as session:
        assert session.message(message_id(1)) is None


@pytest.mark.rule("P20")
def test_the_first_message_gets_a_reply_and_activates_in_the_same_breath(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    outcome = say(parts, conversation, "hello!", 1)
    assert outcome.pipeline is Pipeline.ONBOARDING_CHAT
    assert outcome.reply
    with parts.store.read() as session:
        user = session.user("u1")
        assert user is not None and user.state is UserState.ACTIVE
        kinds = [e.event.kind for e in session.journal()]
    assert kinds.count("user.activated") == 1
    say(parts, conversation, "hello!", 1)
    assert say(parts, conversation, "nice to meet you", 2).pipeline is not Pipeline.ONBOARDING_CHAT
    with parts.store.read() as session:
        assert [e.event.kind for e in session.journal()].count("user.activated") == 1


@pytest.mark.rule("P40")
def test_the_friend_is_persisted_with_energy_and_combo_key(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    with parts.store.read() as session:
        friend = session.friend(conversation.friend_id)
    assert friend is not None
    energy = friend.assignment.friend_energy
    assert friend.assignment.combo_key.endswith(f":{energy}")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("preferred_name", ""),
        ("preferred_name", "x" * 65),
        ("preferred_name", 7),
        ("age_band", "12-13"),
        ("country_or_region", "Korea"),
        ("country_or_region", "XX"),
        ("occupation_category", "pirate"),
        ("client_timezone", "Mars/Olympus"),
        ("client_timezone", "../etc/passwd"),
        ("proactive_messages_enabled", "yes"),
        ("suppressed_topics", ["COOKING"]),
        ("suppressed_topics", "POLITICS"),
        ("shoe_size", 44),
    ],
)
def test_a_bad_answer_names_its_field_and_stores_nothing(engine: Engine, field: str, value: Any) -> None:
    parts = engine()
    identity.sign_up(parts, "u1")
    identity.start_onboarding(parts, "u1")
    with pytest.raises(InvalidInput) as caught:
        identity.answer(parts, "u1", {**ANSWERS, field: value})
    assert field in (caught.value.pointer or "")
    with parts.store.read() as session:
        assert session.friends_of("u1") == []


@pytest.mark.rule("P31")
def test_the_en_dash_of_the_age_band_is_accepted() -> None:
    answers, _ = identity.read_answers({"age_band": "13–17"}, identity.Answers(), identity.UserControls())
    assert answers.age_band == "13-17"


def test_answers_after_onboarding_are_refused(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    say(parts, conversation, "hello", 1)
    with pytest.raises(NotReady):
        identity.answer(parts, "u1", {"preferred_name": "Someone Else"})
    with pytest.raises(NotFound):
        identity.answer(parts, "nobody", ANSWERS)


def test_concurrent_sign_ups_cannot_both_pass_the_cap(engine: Engine) -> None:
    """While fewer than 29 were cast in a day, no combo key may appear twice."""
    parts = engine()
    threads = [threading.Thread(target=onboard, args=(parts, f"u{n}")) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with parts.store.read() as session:
        keys = [session.friends_of(f"u{n}")[0].assignment.combo_key for n in range(12)]
    assert len(set(keys)) == 12
