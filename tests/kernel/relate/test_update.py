"""One message changes a bond (rulings P60–P64, P67, P68)."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.relate.evidence import refers_back
from clew.kernel.relate.preferences import count_preferences
from clew.kernel.relate.update import promote, update
from clew.kernel.text.normalize import normal
from clew.model.relationship import RelationshipState, Stage
from clew.model.signals import Emotion
from clew.model.turn import UpdatePolicy
from clew.policy import default

POLICY = default()
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MET = RelationshipState(sessions_count=1, last_interaction_at=NOON, last_session_at=NOON)
LONG = "we went out to the lake and then had some coffee by the water"


def kinds(text: str, state: RelationshipState = MET, **more: object) -> dict[str, int]:
    result = update(state, text, NOON + timedelta(minutes=1), POLICY, **more)  # type: ignore[arg-type]
    return {e.kind: e.points for e in result.evidence}


@pytest.mark.rule("P60")
def test_the_first_message_starts_the_first_session_even_after_onboarding_set_the_clock() -> None:
    onboarded = RelationshipState(last_interaction_at=NOON)
    after = update(onboarded, "hello there friend of mine", NOON + timedelta(minutes=1), POLICY)
    assert after.new_session
    assert after.state.sessions_count == 1
    assert after.state.last_session_at == NOON + timedelta(minutes=1)


@pytest.mark.parametrize(("gap", "count"), [(timedelta(hours=4), 1), (timedelta(hours=4, seconds=1), 2)])
def test_a_session_ends_after_more_than_four_hours(gap: timedelta, count: int) -> None:
    assert update(MET, LONG, NOON + gap, POLICY).state.sessions_count == count


@pytest.mark.rule("P60")
def test_the_gap_is_judged_before_the_clock_is_moved() -> None:
    after = update(MET, LONG, NOON + timedelta(hours=5), POLICY)
    assert after.new_session and after.state.last_interaction_at == NOON + timedelta(hours=5)


def test_a_late_message_never_moves_the_clock_back() -> None:
    assert update(MET, LONG, NOON - timedelta(hours=1), POLICY).state.last_interaction_at == NOON


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I love sushi", 1),
        ("i like hiking because it clears my head", 1),
        ("I love sushi and I hate mushrooms", 2),
        ("I love sushi and ramen", 2),
        ("i love sushi, i love sushi", 1),
        ("my favorite food is pizza", 1),
        ("i love it", 0),
        ("i love you", 0),
        ("i like how you think", 0),
        ("what a day", 0),
        ("초밥 좋아해", 1),
        ("초밥이랑 라면 좋아해", 2),
        ("당근은 싫어해", 1),
        ("오늘 날씨가 좋아", 0),
        ("좋아!", 0),
    ],
)
def test_distinct_preferences_are_counted(text: str, count: int) -> None:
    assert count_preferences(normal(text), POLICY) == count


def test_one_preference_is_worth_one_and_two_are_worth_two() -> None:
    assert kinds("I really enjoy long walks by the river") == {"preference_share": 1}
    assert kinds("I love sushi and I hate mushrooms") == {"preference_share": 2}
    assert kinds("honestly sushi is my jam these days") == {"preference_share": 1}


def test_a_long_answer_to_a_question_is_meaningful() -> None:
    assert kinds(LONG, last_assistant_text="How was your day?") == {"meaningful_response": 1}
    assert kinds(LONG, last_assistant_text="Tell me more.") == {}
    assert kinds("we went out", last_assistant_text="How was your day?") == {}


@pytest.mark.rule("P15")
def test_a_korean_answer_is_measured_in_effective_words() -> None:
    text = "오늘 친구들이랑 한강에 가서 자전거도 타고 치킨도 먹었어"
    assert kinds(text, last_assistant_text="오늘 뭐 했어?") == {"meaningful_response": 1}


@pytest.mark.rule("P67")
@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("i'm so sad today", True),
        ("I feel empty", True),
        ("im lonely", True),
        ("i'm not sad", False),
        ("i'm a bit sad", False),
        ("i hate mondays with all my heart", False),
        ("I'm a student and I love sushi", False),
        ("anxiety is a common disorder", False),
        ("my anxiety is back", True),
        ("she is devastated", False),
        ("it made me really happy", True),
        ("요즘 너무 우울해요", True),
        ("나 외로워", True),
        ("친구가 우울해", False),
    ],
)
def test_disclosure_needs_a_state_of_ones_own(text: str, shared: bool) -> None:
    assert ("emotional_disclosure" in kinds(text)) is shared


@pytest.mark.parametrize(
    ("valence", "strong", "shared"),
    [(-0.6, False, True), (-0.59, False, False), (0.6, False, True), (0.0, True, True)],
)
def test_a_strong_reading_of_ones_own_state_is_a_disclosure(valence: float, strong: bool, shared: bool) -> None:
    felt = Emotion(valence, (), strong, self_state=True)
    assert ("emotional_disclosure" in kinds("the whole thing wrecked me", emotion=felt)) is shared


@pytest.mark.rule("P67")
@pytest.mark.parametrize(
    ("text", "refers"),
    [
        ("remember when we talked about my dog?", True),
        ("do you remember that movie?", True),
        ("last time we spoke you were busy", True),
        ("you said it would be fine", True),
        ("like we said, no more coffee", True),
        ("i remember you told me about it", True),
        ("remember to buy milk", False),
        ("please remember my birthday", False),
        ("remember that i'm allergic to nuts", False),
        ("i don't remember that movie", False),
        ("i can't remember", False),
        ("i remember when i was five", False),
        ("저번에 말한 영화 봤어", True),
        ("그거 기억나?", True),
        ("내 생일 기억해줘", False),
    ],
)
def test_a_past_reference_needs_the_two_of_us(text: str, refers: bool) -> None:
    assert refers_back(normal(text), POLICY) is refers


@pytest.mark.rule("P67")
def test_a_past_reference_scores_once_per_session() -> None:
    text = "remember when we talked about my dog?"
    first = update(MET, text, NOON + timedelta(minutes=1), POLICY)
    second = update(first.state, text, NOON + timedelta(minutes=2), POLICY)
    later = update(second.state, text, NOON + timedelta(hours=9), POLICY)
    assert (first.delta, second.delta, later.delta) == (4, 0, 4)


@pytest.mark.rule("P61")
def test_the_third_short_reply_costs_and_so_does_each_short_one_after_it() -> None:
    state, deltas = MET, []
    for i, text in enumerate(["ok", "sure", "k", "yeah", LONG, "idk"]):
        result = update(state, text, NOON + timedelta(minutes=i + 1), POLICY)
        state = result.state
        deltas.append(result.delta)
    assert deltas == [0, 0, -2, -2, 0, -2]


@pytest.mark.rule("P61")
def test_a_new_session_forgets_the_short_replies() -> None:
    tired = replace(MET, short_replies=7)
    assert update(tired, "ok", NOON + timedelta(hours=5), POLICY).state.short_replies == 1


@pytest.mark.rule("P62")
@pytest.mark.parametrize("text", ["k", "okkkk", "loool", "suuure", "ok ok ok ok", "it was okay", "ㅇㅇ", "응"])
def test_short_or_listed_or_stretched_is_disengaged(text: str) -> None:
    assert kinds(text, replace(MET, short_replies=2)) == {"disengaged": -2}


@pytest.mark.rule("P63")
@pytest.mark.parametrize("text", ["why?", "really?", "😭😭", "so sad", "뭐 해?", "너무 슬퍼"])
def test_a_short_reply_that_feels_or_asks_is_not_disengaged(text: str) -> None:
    assert "disengaged" not in kinds(text, replace(MET, short_replies=2))


def test_the_delta_is_clamped_after_the_sum() -> None:
    text = "remember when we talked? i'm so sad today, i love rain and i hate sun"
    result = update(MET, text, NOON + timedelta(minutes=1), POLICY)
    assert sum(e.points for e in result.evidence) > 5
    assert result.delta == 5


@pytest.mark.rule("P68")
def test_off_means_no_update_at_all() -> None:
    result = update(MET, "i'm so sad", NOON + timedelta(days=9), POLICY, update=UpdatePolicy.OFF)
    assert result.state == MET and result.delta == 0 and result.evidence == ()


@pytest.mark.rule("P64")
def test_each_message_is_scored_by_itself() -> None:
    first = update(MET, "i love jazz a lot", NOON + timedelta(minutes=1), POLICY)
    second = update(first.state, "i love tea a lot", NOON + timedelta(minutes=2), POLICY)
    assert (first.delta, second.delta) == (1, 1)


READY = RelationshipState(rapport_score=100, sessions_count=3, last_interaction_at=NOON)


@pytest.mark.parametrize(
    ("stage", "score", "sessions", "days", "expected"),
    [
        (Stage.STRANGER, 15, 3, None, Stage.ACQUAINTANCE),
        (Stage.STRANGER, 14, 3, None, Stage.STRANGER),
        (Stage.STRANGER, 15, 2, None, Stage.STRANGER),
        (Stage.STRANGER, 100, 3, None, Stage.ACQUAINTANCE),
        (Stage.ACQUAINTANCE, 40, 3, 7, Stage.FRIEND),
        (Stage.ACQUAINTANCE, 40, 3, 6, Stage.ACQUAINTANCE),
        (Stage.ACQUAINTANCE, 39, 3, 30, Stage.ACQUAINTANCE),
        (Stage.FRIEND, 75, 9, 7, Stage.CLOSE_FRIEND),
        (Stage.FRIEND, 74, 9, 7, Stage.FRIEND),
        (Stage.CLOSE_FRIEND, 100, 9, 99, Stage.CLOSE_FRIEND),
    ],
)
def test_promotion_needs_score_sessions_and_cooldown(
    stage: Stage, score: int, sessions: int, days: int | None, expected: Stage
) -> None:
    last = None if days is None else NOON - timedelta(days=days)
    state = replace(
        READY, relationship_stage=stage, rapport_score=score, sessions_count=sessions, last_stage_promotion_at=last
    )
    after = promote(state, NOON, POLICY.relate)
    assert after.relationship_stage is expected
    assert (after.last_stage_promotion_at == NOON) is (expected is not stage)


TEXTS = st.one_of(
    st.sampled_from(
        ["ok", "", "i'm so sad", "I love sushi", "remember when we talked?", LONG, "왜?", "너무 우울해", "👍"]
    ),
    st.text(max_size=40),
)
STATES = st.builds(
    RelationshipState,
    relationship_stage=st.sampled_from(Stage),
    rapport_score=st.integers(0, 100),
    last_interaction_at=st.none() | st.just(NOON),
    last_stage_promotion_at=st.none() | st.integers(0, 20).map(lambda d: NOON - timedelta(days=d)),
    sessions_count=st.integers(0, 6),
    short_replies=st.integers(0, 5),
)


@settings(max_examples=150, deadline=None)
@given(STATES, TEXTS, st.integers(0, 500))
def test_delta_and_score_stay_in_bounds_and_no_promotion_breaks_the_cooldown(
    state: RelationshipState, text: str, hours: int
) -> None:
    at = NOON + timedelta(hours=hours)
    result = update(state, text, at, POLICY)
    assert -2 <= result.delta <= 5
    assert 0 <= result.state.rapport_score <= 100
    stages = list(Stage)
    step = stages.index(result.state.relationship_stage) - stages.index(state.relationship_stage)
    assert step in (0, 1)
    if step:
        last = state.last_stage_promotion_at
        assert last is None or at - last >= timedelta(days=7)
        assert result.state.sessions_count >= 3


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.integers(0, 96)), max_size=25))
def test_a_whole_life_of_messages_never_skips_a_stage(steps: list[tuple[str, int]]) -> None:
    state, at, promoted = RelationshipState(), NOON, []
    for text, hours in steps:
        at += timedelta(hours=hours)
        result = update(state, text, at, POLICY)
        if result.promoted:
            promoted.append(at)
        state = result.state
    assert all(b - a >= timedelta(days=7) for a, b in itertools.pairwise(promoted))
    assert list(Stage).index(state.relationship_stage) == len(promoted)
