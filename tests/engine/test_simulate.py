"""Months in seconds: the caps hold in the engine and in the kernel, and the same seed gives the same months."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clew.engine import bootstrap
from clew.engine.simulate import Simulated, SimulatedClock, breaches, simulate
from clew.faces.cli.simulate import page, summary
from clew.model.relationship import Stage
from clew.policy import default

POLICY = default()


def run(folder: Path, seed: int, days: int = 8, users: int = 8, start: datetime | None = None) -> Simulated:
    clock = SimulatedClock(start) if start else SimulatedClock()
    parts = bootstrap.simulated(f"sqlite:///{folder}/{seed}-{days}.db", POLICY, clock, seed)
    try:
        return simulate(parts, days, users, seed)
    finally:
        parts.store.close()


def test_no_cap_gap_window_or_opener_is_ever_violated(tmp_path: Path) -> None:
    """Over the week in which Europe's clocks change."""
    done = run(tmp_path, 3, start=datetime(2026, 3, 25, tzinfo=UTC))
    assert done.violations == []
    assert done.user_days == 64 and done.evaluations == 64 * 24
    assert sum(d.sent["sent"] for d in done.days) >= 5
    skipped = {why for d in done.days for why in d.skipped}
    assert {"quiet_hours", "outside_attempt_window", "stranger", "recently_active"} <= skipped
    assert "failed" not in skipped and "missed" not in skipped
    assert any("violations" in line for line in summary(done))
    assert page(done).count("<svg") == 4


def test_the_same_seed_gives_the_same_days(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, two = run(tmp_path / "a", 5, 2, 5), run(tmp_path / "b", 5, 2, 5)
    assert one.days == two.days and one.outcomes == two.outcomes


@pytest.mark.parametrize(
    ("hours", "stage", "part"),
    [
        ([0, 5], Stage.CLOSE_FRIEND, "too soon"), ([0, 23], Stage.FRIEND, "too soon"),
        ([0, 71], Stage.ACQUAINTANCE, "one too many"), ([12], Stage.FRIEND, "is 22:00"),
        ([0], Stage.STRANGER, "one too many"),
    ],
)  # fmt: skip
def test_the_audit_would_see_each_breach(hours: list[int], stage: Stage, part: str) -> None:
    start = datetime(2026, 3, 10, 10, tzinfo=UTC)
    sent = [(start + timedelta(hours=h), stage, "UTC", f"opener {h}") for h in hours]
    assert any(part in found for found in breaches(sent, POLICY))


def test_the_audit_sees_an_opener_that_comes_again() -> None:
    start = datetime(2026, 3, 10, 10, tzinfo=UTC)
    sent = [(start + timedelta(days=d), Stage.FRIEND, "UTC", "a quiet hello") for d in (0, 2)]
    assert len(breaches(sent, POLICY)) == 1
