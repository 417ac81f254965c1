"""The rollout guard: two aggregates in, the crossed thresholds out (Step 7, ruling G17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from clew.policy.ground import GroundPolicy


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Counts over routed turns; rates are ratios of integers until they are shown."""

    turns: int
    wrong_actions: int = 0
    clarifiers: int = 0
    retries: int = 0
    retries_unchanged: int = 0
    p95_latency_ms: int = 0

    def __post_init__(self) -> None:
        if (
            self.turns < 0
            or min(self.wrong_actions, self.clarifiers, self.retries, self.retries_unchanged) < 0
        ):
            raise ValueError("counts must not be negative")


@dataclass(frozen=True, slots=True)
class Crossing:
    """One crossed threshold; `action` is rollback or halt."""

    rule: str
    action: str
    measured: Fraction
    threshold: Fraction


def rollout_guard(baseline: Aggregate, current: Aggregate, policy: GroundPolicy) -> tuple[Crossing, ...]:
    """Each threshold is strict: exactly at the line is not over it."""
    out: list[Crossing] = []
    wrong = _rate(current.wrong_actions, current.turns) - _rate(baseline.wrong_actions, baseline.turns)
    if wrong > policy.rollback_wrong_action:
        out.append(Crossing("ground.rollout.wrong_action", "rollback", wrong, policy.rollback_wrong_action))
    asked = _relative(_rate(baseline.clarifiers, baseline.turns), _rate(current.clarifiers, current.turns))
    if asked is not None and asked > policy.rollback_clarifier:
        out.append(Crossing("ground.rollout.clarifier", "rollback", asked, policy.rollback_clarifier))
    slower = Fraction(current.p95_latency_ms - baseline.p95_latency_ms)
    if slower > policy.rollback_latency_ms:
        out.append(
            Crossing("ground.rollout.latency", "rollback", slower, Fraction(policy.rollback_latency_ms))
        )
    unchanged = _rate(current.retries_unchanged, current.retries)
    if unchanged > policy.halt_unchanged_retry:
        out.append(Crossing("ground.rollout.unchanged_retry", "halt", unchanged, policy.halt_unchanged_retry))
    return tuple(out)


def aggregate(
    answers: Iterable[Mapping[str, Any]], *, wrong_actions: int = 0, p95_latency_ms: int = 0
) -> Aggregate:
    """Count door answers; which actions were wrong only the application knows."""
    turns = clarifiers = retries = unchanged = 0
    for answer in answers:
        turns += 1
        clarifiers += answer["outcome"] == "clarify"
        names = [event["name"] for event in answer["telemetry"]]
        stopped = sum(n.endswith("enrichment_fingerprint_unchanged") for n in names)
        retries += sum(n.endswith("enrichment_retry_called") for n in names) + stopped
        # The loop never calls again on an unchanged fingerprint, so this counts violations only.
        unchanged += _called_unchanged(answer)
    return Aggregate(turns, wrong_actions, clarifiers, retries, unchanged, p95_latency_ms)


def _called_unchanged(answer: Mapping[str, Any]) -> int:
    return sum(
        event["name"].endswith("enrichment_retry_called")
        and event.get("fingerprint_before") == event.get("fingerprint_after")
        for event in answer["telemetry"]
    )


def _rate(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


def _relative(before: Fraction, after: Fraction) -> Fraction | None:
    """No baseline, nothing to compare with, unless there is something now."""
    if before:
        return (after - before) / before
    return Fraction(1) if after else None
