"""Silence wears a bond thin (rulings P65, P69)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.relate.decay import decay
from clew.kernel.relate.update import update
from clew.model.relationship import RelationshipState, Stage
from clew.policy import default

POLICY = default()
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def silent(score: int, stage: Stage = Stage.FRIEND, applied: int = 0) -> RelationshipState:
    return RelationshipState(stage, score, START, sessions_count=5, decay_applied_weeks=applied)


@pytest.mark.parametrize(
    ("days", "lost"), [(0, 0), (6, 0), (7, 1), (13, 1), (14, 2), (70, 10), (7000, 20)]
)
def test_one_point_is_lost_per_full_week_down_to_the_floor(days: int, lost: int) -> None:
    result = decay(silent(60), START + timedelta(days=days), POLICY)
    assert result.delta == -lost
    assert result.state.rapport_score == 60 - lost


@pytest.mark.rule("P69")
@pytest.mark.parametrize(
    ("stage", "floor"),
    [(Stage.STRANGER, 0), (Stage.ACQUAINTANCE, 15), (Stage.FRIEND, 40), (Stage.CLOSE_FRIEND, 75)],
)
def test_decay_stops_at_the_floor_of_the_stage_and_never_demotes(stage: Stage, floor: int) -> None:
    after = decay(silent(100, stage), START + timedelta(days=9999), POLICY).state
    assert after.rapport_score == floor and after.relationship_stage is stage


@pytest.mark.rule("P69")
def test_a_score_below_its_floor_is_left_alone() -> None:
    assert decay(silent(30), START + timedelta(days=70), POLICY).delta == 0


def test_someone_never_met_does_not_decay() -> None:
    assert decay(RelationshipState(rapport_score=5), START, POLICY).delta == 0


@pytest.mark.rule("P65")
@given(st.integers(0, 100), st.sampled_from(Stage), st.lists(st.integers(0, 40), max_size=12))
def test_daily_runs_and_one_run_on_demand_end_at_the_same_score(
    score: int, stage: Stage, gaps: list[int]
) -> None:
    state, at = silent(score, stage), START
    for gap in gaps:
        at += timedelta(days=gap)
        state = decay(state, at, POLICY).state
        assert decay(state, at, POLICY).state == state
    assert state.rapport_score == decay(silent(score, stage), at, POLICY).state.rapport_score


@pytest.mark.rule("P65")
def test_a_new_message_starts_the_count_of_weeks_again() -> None:
    back = START + timedelta(days=21)
    worn = decay(silent(60), back, POLICY).state
    assert (worn.rapport_score, worn.decay_applied_weeks) == (57, 3)
    met = update(worn, "hello again my dear friend", back, POLICY).state
    assert met.decay_applied_weeks == 0
    assert decay(met, back + timedelta(days=7), POLICY).state.rapport_score == met.rapport_score - 1
