"""Routing: golden cases, tables, and the order of safety, state and intent."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import InvalidInput, InvalidPolicy
from clew.kernel.read.signals import hear
from clew.kernel.route.decide import decide
from clew.kernels import call
from clew.model.profile import AgeBand, UserState
from clew.model.signals import Safety, SafetyClass, Signals
from clew.model.turn import (
    Pipeline,
    ReadPolicy,
    RoutingDecision,
    SafetyPolicy,
    Source,
    UpdatePolicy,
    VectorPolicy,
    WritePolicy,
)
from clew.policy import default, from_tables

GOLDEN = json.loads((Path(__file__).parents[2] / "vectors" / "route.json").read_text(encoding="utf-8"))
ADULT, MINOR = AgeBand.AGE_25_34, AgeBand.AGE_13_17
HARD = {
    SafetyClass.EXPLICIT, SafetyClass.SEXUAL_ROLEPLAY, SafetyClass.HATE, SafetyClass.ILLEGAL, SafetyClass.VIOLENCE,
}  # fmt: skip


def routed(
    text: str, state: UserState = UserState.ACTIVE, age: AgeBand | None = ADULT, source: Source = Source.CHAT
) -> RoutingDecision:
    return decide(hear(text, default()), state, age, source, default())


def classed(kind: SafetyClass, crisis: bool = False, text: str = "well then") -> Signals:
    heard = hear(text, default())
    return Signals(**{f: getattr(heard, f) for f in heard.__slots__} | {"safety": Safety(kind, crisis)})


@pytest.mark.parametrize("case", GOLDEN, ids=lambda c: f"{c['in']['text']} / {c['in']['user_state']}")
def test_golden_cases(case: dict[str, Any]) -> None:
    answer = call("route", case["in"])
    assert {k: answer.get(k) for k in case["out"]} == case["out"]


TABLE = {
    Pipeline.ONBOARDING_CHAT: (ReadPolicy.LIGHT, WritePolicy.SELECTIVE, VectorPolicy.OFF, UpdatePolicy.ON),
    Pipeline.FRIEND_CHAT: (ReadPolicy.FULL, WritePolicy.SELECTIVE, VectorPolicy.ON_DEMAND, UpdatePolicy.ON),
    Pipeline.EMOTIONAL_SUPPORT: (ReadPolicy.LIGHT, WritePolicy.SELECTIVE, VectorPolicy.OFF, UpdatePolicy.ON),
    Pipeline.INFO_QA: (ReadPolicy.NONE, WritePolicy.NONE, VectorPolicy.OFF, UpdatePolicy.ON),
    Pipeline.REFUSAL: (ReadPolicy.NONE, WritePolicy.NONE, VectorPolicy.OFF, UpdatePolicy.OFF),
}


@pytest.mark.rule("P28")
@pytest.mark.parametrize("pipeline", list(Pipeline))
def test_each_pipeline_touches_what_its_row_says(pipeline: Pipeline) -> None:
    row = default().route.pipelines[pipeline]
    assert (row.memory_read, row.memory_write, row.vector_search, row.relationship) == TABLE[pipeline]


@pytest.mark.parametrize("kind", list(SafetyClass))
def test_each_class_is_answered_by_its_row(kind: SafetyClass) -> None:
    for age in (None, *AgeBand):
        out = decide(classed(kind), UserState.ACTIVE, age, Source.CHAT, default())
        minor = age in (None, MINOR)
        if kind in HARD or (kind is SafetyClass.SEXUAL and minor):
            assert (out.safety_policy, out.pipeline) == (SafetyPolicy.HARD_REFUSE, Pipeline.REFUSAL)
        elif kind in (SafetyClass.SEXUAL, SafetyClass.HARASSMENT):
            assert (out.safety_policy, out.pipeline) == (SafetyPolicy.SOFT_REFUSE, Pipeline.FRIEND_CHAT)
        else:
            assert out.safety_policy is SafetyPolicy.ALLOW


@pytest.mark.rule("P17")
def test_the_router_is_deterministic_and_gives_reasons() -> None:
    first, second = routed("should i text my ex?"), routed("should i text my ex?")
    assert first == second and first.reasons[-1].rule == "route.personal_question"


@pytest.mark.rule("P20")
def test_a_first_message_while_onboarding_is_onboarding_chat() -> None:
    out = routed("hello there", UserState.ONBOARDING)
    assert (out.pipeline, out.memory_read_policy) == (Pipeline.ONBOARDING_CHAT, ReadPolicy.LIGHT)


@pytest.mark.rule("P21")
@pytest.mark.rule("P23")
def test_a_created_user_is_turned_away_and_touches_nothing() -> None:
    out = routed("what is the capital of france", UserState.CREATED)
    assert out.pipeline is Pipeline.REFUSAL
    assert out.memory_write_policy is WritePolicy.NONE and out.memory_read_policy is ReadPolicy.NONE


@pytest.mark.rule("P22")
def test_the_relationship_rests_in_every_refusal_and_only_there() -> None:
    for kind, state, age in product(SafetyClass, UserState, (None, MINOR, ADULT)):
        out = decide(classed(kind), state, age, Source.CHAT, default())
        assert (out.relationship_update_policy is UpdatePolicy.OFF) is (out.pipeline is Pipeline.REFUSAL)


@pytest.mark.rule("P24")
def test_safety_comes_before_the_state_of_onboarding() -> None:
    assert routed("write me an erotic story", UserState.ONBOARDING).pipeline is Pipeline.REFUSAL
    crisis = routed("i want to die", UserState.ONBOARDING)
    assert crisis.pipeline is Pipeline.EMOTIONAL_SUPPORT and crisis.crisis
    assert routed("you're an idiot", UserState.ONBOARDING).pipeline is Pipeline.ONBOARDING_CHAT


@pytest.mark.rule("P25")
def test_an_unknown_age_is_a_minor_with_the_exception_of_education() -> None:
    for age in (None, MINOR):
        assert routed("tell me about sex stuff", age=age).pipeline is Pipeline.REFUSAL
        assert routed("how does birth control work", age=age).pipeline is Pipeline.INFO_QA
        assert routed("what is the capital of france", age=age).pipeline is Pipeline.INFO_QA
        assert routed("i had a great day", age=age).safety_policy is SafetyPolicy.ALLOW
    assert routed("tell me about sex stuff").safety_policy is SafetyPolicy.SOFT_REFUSE


@pytest.mark.rule("P26")
def test_crisis_outranks_refusals_save_sexual_content_with_a_minor() -> None:
    out = routed("send nudes, i want to kill myself", age=None)
    assert out.pipeline is Pipeline.EMOTIONAL_SUPPORT and out.crisis
    out = routed("write an erotic story about a child or i kill myself")
    assert out.pipeline is Pipeline.REFUSAL and out.crisis


@pytest.mark.rule("P27")
def test_a_soft_refusal_keeps_the_pipeline() -> None:
    rude = routed("you're an idiot, i had such a bad day")
    assert (rude.safety_policy, rude.pipeline) == (SafetyPolicy.SOFT_REFUSE, Pipeline.FRIEND_CHAT)
    assert rude.memory_write_policy is WritePolicy.SELECTIVE
    lewd = routed("i feel so horny tonight")
    assert (lewd.safety_policy, lewd.pipeline) == (SafetyPolicy.SOFT_REFUSE, Pipeline.FRIEND_CHAT)
    assert lewd.memory_write_policy is WritePolicy.NONE
    assert {rude.relationship_update_policy, lewd.relationship_update_policy} == {UpdatePolicy.ON}


@pytest.mark.rule("P31")
def test_an_age_band_may_be_written_with_an_en_dash() -> None:
    answers = [
        call("route", {"text": "tell me about sex stuff", "user_state": "ACTIVE", "age_band": band})
        for band in ("13-17", "13–17")
    ]
    assert answers[0] == answers[1] and answers[0]["pipeline"] == "REFUSAL"


@pytest.mark.rule("P32")
def test_there_are_nineteen_topics() -> None:
    assert len(default().listen.topics) == 19


@pytest.mark.rule("P34")
def test_a_crisis_before_onboarding_is_seen() -> None:
    created = routed("i want to kill myself", UserState.CREATED)
    assert (created.pipeline, created.crisis) == (Pipeline.REFUSAL, True)
    assert created.memory_write_policy is WritePolicy.NONE
    onboarding = routed("i want to kill myself", UserState.ONBOARDING)
    assert (onboarding.pipeline, onboarding.crisis) == (Pipeline.EMOTIONAL_SUPPORT, True)


@pytest.mark.rule("P35")
def test_violent_intent_is_refused_and_talk_of_violence_is_not() -> None:
    assert routed("i'm going to stab my neighbor").safety_policy is SafetyPolicy.HARD_REFUSE
    assert routed("there was a stabbing on the news").safety_policy is SafetyPolicy.ALLOW
    assert routed("how do i kill the boss in elden ring").safety_policy is SafetyPolicy.ALLOW


@pytest.mark.parametrize(
    ("text", "state", "policy"),
    [
        ("", UserState.ACTIVE, "SEND"),
        ("hello", UserState.ACTIVE, "SEND"),
        ("hello", UserState.ONBOARDING, "SKIP"),
        ("hello", UserState.CREATED, "SKIP"),
        ("i want to die", UserState.ACTIVE, "SKIP"),
        ("you're an idiot", UserState.ACTIVE, "SKIP"),
    ],
)
def test_a_retention_turn_is_sent_or_skipped(text: str, state: UserState, policy: str) -> None:
    assert routed(text, state, source=Source.RETENTION).retention_policy == policy
    assert routed(text, state).retention_policy is None


@pytest.mark.parametrize(
    ("payload", "pointer"),
    [
        ({"user_state": "ACTIVE"}, "/text"),
        ({"text": "hi"}, "/user_state"),
        ({"text": "hi", "user_state": "DELETED"}, "/user_state"),
        ({"text": "hi", "user_state": "ACTIVE", "age_band": "12"}, "/age_band"),
        ({"text": "hi", "user_state": "ACTIVE", "source": "mail"}, "/source"),
    ],
)
def test_a_bad_field_is_named(payload: dict[str, object], pointer: str) -> None:
    with pytest.raises(InvalidInput) as why:
        call("route", payload)
    assert why.value.pointer == pointer


def test_the_tables_must_be_whole() -> None:
    with pytest.raises(InvalidPolicy):
        from_tables({"route": {"classes": {"rudeness": {"adult": "ALLOW", "minor": "ALLOW"}}}})


@given(
    st.text(max_size=80),
    st.sampled_from(UserState),
    st.sampled_from([None, *AgeBand]),
    st.sampled_from(Source),
)
def test_whatever_is_said_the_rules_of_refusal_hold(
    text: str, state: UserState, age: AgeBand | None, source: Source
) -> None:
    out = routed(text, state, age, source)
    if out.safety_policy is SafetyPolicy.HARD_REFUSE or state is UserState.CREATED:
        assert out.pipeline is Pipeline.REFUSAL
        assert out.memory_write_policy is WritePolicy.NONE
    if state is not UserState.ONBOARDING:
        assert out.pipeline is not Pipeline.ONBOARDING_CHAT
    assert (out.retention_policy is not None) is (source is Source.RETENTION)
    assert out.reasons
