"""Threat versus danger (rulings T1, T2, acceptance 4)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.kernel.door import call
from clew.kernel.weave.cues import read
from clew.kernel.weave.hazard import hazard
from clew.model.thread import ThreadAdd, ThreadType
from clew.policy import default

FIXTURES = json.loads(
    (Path(__file__).parents[2] / "vectors" / "weave_hazard.json").read_text(encoding="utf-8")
)
CODE = "THREAD_DANGER_IMMEDIATE_HAZARD"


def codes(kind: str, text: str) -> list[str]:
    answer = call("threads", {"add": [{"type": kind, "text": text}]}, mode="strict")
    return [d["code"] for d in answer["diagnostics"]]


@pytest.mark.rule("T1")
@pytest.mark.rule(" acceptance 4")
@pytest.mark.parametrize("text", FIXTURES["immediate"])
def test_an_immediate_hazard_is_no_danger_thread(text: str) -> None:
    assert CODE in codes("DANGER", text)


@pytest.mark.rule("T1")
@pytest.mark.rule(" acceptance 4")
@pytest.mark.parametrize("text", FIXTURES["looming"])
def test_a_looming_risk_with_its_prevention_is_a_danger_thread(text: str) -> None:
    assert CODE not in codes("DANGER", text)


@pytest.mark.rule("T1")
def test_the_bare_template_prefix_is_no_prevention_but_avoid_by_is() -> None:
    assert CODE in codes("DANGER", "Prevent risk: gunfire in the hallway")
    assert CODE not in codes("DANGER", "Prevent risk: gunfire in the hallway; avoid by staying low")


@pytest.mark.rule("T2")
@pytest.mark.parametrize("phrase", ["right now", "currently"])
def test_stop_phrases_are_seen_although_dedup_would_remove_them(phrase: str) -> None:
    reading = read(ThreadAdd(ThreadType.DANGER, f"Raiders at the ford {phrase.upper()}"), default())
    found = hazard(reading, default().weave)
    assert found.immediate and phrase in [c.found for c in found.cues]


def test_only_danger_threads_are_scored() -> None:
    assert CODE not in codes("MYSTERY", "Who fired in the hallway right now?")
