"""The orchestrator: an application's candidates, executor, model and enricher around the same ladder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clew.engine.grounding import Grounding, span_sink
from clew.errors import ModelRateLimited, ModelTimeout, ModelUnavailable
from clew.kernel.ground.verdict import AskEvidence
from clew.kernel.text.tokens import token_estimate
from clew.model.continuity import PendingClarifier
from clew.model.evidence import Candidate, Excerpt, Fallback, GroundOutcome
from clew.policy import default, from_tables

ROOT = Path(__file__).parents[2]
FILES = (Candidate("a", "sample1"), Candidate("b", "sample2"), Candidate("c", "notes"))


class Desk:
    """An application that remembers what it was told to do."""

    def __init__(self) -> None:
        self.done: list[tuple[str, str | None]] = []

    def act(self, chosen: Candidate, verb: str | None) -> str:
        self.done.append((chosen.id, verb))
        return f"{verb} {chosen.label}"


def at_noon() -> datetime:
    return datetime(2026, 3, 1, 12, tzinfo=UTC)


def grounding(**parts: Any) -> Grounding:
    made = Grounding(clock=at_noon, **parts)
    made.show(FILES)
    return made


def test_a_follow_up_is_executed_once_with_its_verb() -> None:
    desk = Desk()
    step = grounding(executor=desk.act).hear("open the sample2 pls")
    assert (step.verdict.outcome, step.result, desk.done) == (
        GroundOutcome.EXECUTE,
        "open sample2",
        [("b", "open")],
    )


def test_a_conversation_over_one_list() -> None:
    desk = Desk()
    talk = grounding(executor=desk.act)
    for text in ("open the second one", "delete it", "yes", "the other one", "not that one", "open notes"):
        talk.hear(text)
    assert desk.done == [("b", "open"), ("b", "delete"), ("c", "open")]


def test_a_new_list_replaces_the_old_one() -> None:
    talk = grounding(executor=Desk().act)
    talk.hear("open sample2")
    old = talk.option_set_id
    talk.show((Candidate("x", "alpha"), Candidate("y", "beta")))
    assert talk.option_set_id != old
    assert talk.hear("open it again").verdict.outcome is GroundOutcome.CLARIFY


def test_an_offer_is_taken_up_and_a_later_thanks_does_nothing() -> None:
    desk = Desk()
    talk = grounding(executor=desk.act)
    talk.offer("c")
    assert talk.hear("sounds good").verdict.choice_id == "c"
    assert talk.hear("great, thanks").verdict.outcome is GroundOutcome.ESCAPE
    assert len(desk.done) == 1
    with pytest.raises(KeyError, match="not on the table"):
        talk.offer("ghost")


def test_a_confirmation_is_answered_with_yes() -> None:
    desk = Desk()
    talk = grounding(executor=desk.act)
    asked = talk.hear("delete the sample2 backup")
    assert asked.text == "Do you mean sample2?"
    assert desk.done == []
    talk.hear("yes")
    assert desk.done == [("b", "delete")]


def test_the_answer_to_which_one_counts_what_was_asked_and_keeps_the_verb() -> None:
    desk = Desk()
    talk = Grounding(clock=at_noon, executor=desk.act)
    talk.show((Candidate("n", "notes"), *FILES[:2]))
    assert talk.hear("delete sample").text == "Which one do you mean: sample1 or sample2?"
    assert talk.hear("the first one").text == "Really delete sample1?"
    talk.hear("yes")
    talk.hear("the first one")
    assert desk.done == [("a", "delete"), ("n", None)]


def test_a_model_suggests_and_the_user_decides() -> None:
    seen: list[Mapping[str, Any]] = []

    def model(request: Mapping[str, Any]) -> dict[str, Any]:
        seen.append(request)
        return {"decision": "select", "choice_id": "c", "confidence": 0.95, "contract_version": "2.0"}

    desk = Desk()
    step = grounding(executor=desk.act, model=model).hear("the doodles")
    assert desk.done == []
    assert step.verdict.clarifier is not None
    assert step.verdict.clarifier.candidates[0].id == "c"
    assert [c["id"] for c in seen[0]["candidates"]] == ["a", "b", "c"]
    assert "recentActionTrace" in seen[0]["continuityContext"]


def test_auto_execute_needs_its_switch() -> None:
    on = from_tables({"ground": {"auto_execute_enabled": True}})
    desk = Desk()
    sure = {"decision": "select", "choice_id": "c", "confidence": 0.95}
    grounding(executor=desk.act, model=lambda request: sure, policy=on).hear("the doodles")
    assert desk.done == [("c", None)]


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (ModelTimeout("slow"), Fallback.TIMEOUT),
        (ModelRateLimited("busy"), Fallback.RATE_LIMITED),
        (ModelUnavailable("down"), Fallback.TRANSPORT_ERROR),
        (OSError("cable"), Fallback.TRANSPORT_ERROR),
    ],
)
def test_a_failing_model_degrades_to_the_clarifier(failure: Exception, reason: Fallback) -> None:
    def model(request: Mapping[str, Any]) -> None:
        raise failure

    step = grounding(model=model).hear("the doodles")
    assert (step.verdict.outcome, step.verdict.fallback) == (GroundOutcome.CLARIFY, reason)


def test_enrichment_is_fetched_once_and_settles_it() -> None:
    asked: list[AskEvidence] = []

    def enricher(ask: AskEvidence) -> dict[str, Any]:
        asked.append(ask)
        return {"chat_active_options": {"b": {"path": "reports"}}}

    desk = Desk()
    talk = Grounding(
        clock=at_noon,
        executor=desk.act,
        enricher=enricher,
        model=lambda request: {"decision": "need_more_info", "confidence": 0.5},
    )
    talk.show((Candidate("a", "sample2"), Candidate("b", "Sample 2")))
    step = talk.hear("open sample2 in reports")
    assert (desk.done, len(asked), step.verdict.llm_calls) == ([("b", "open")], 1, 1)


@pytest.mark.rule("G8")
def test_a_failed_execution_is_not_recorded_and_not_repeated_blindly() -> None:
    def broken(chosen: Candidate, verb: str | None) -> None:
        raise OSError("disk is gone")

    talk = grounding(executor=broken)
    first = talk.hear("open sample2")
    assert first.error == "disk is gone"
    assert talk.continuity.last_action is None
    assert talk.continuity.pending is PendingClarifier.REPAIR
    again = talk.hear("open sample2")
    assert again.verdict.outcome is GroundOutcome.CLARIFY
    talk.executor = Desk().act
    assert talk.hear("open sample1").verdict.choice_id == "a"


def test_why_is_answered_from_what_was_done() -> None:
    talk = grounding(executor=Desk().act)
    talk.hear("open sample2")
    step = talk.hear("why did you open that?")
    assert step.verdict.outcome is GroundOutcome.ANSWER
    assert step.verdict.answer is not None
    assert step.verdict.answer["action"]["targetRef"] == "b"


def test_the_example_agent_picks_files_when_piped(tmp_path: Path) -> None:
    for name in ("budget.csv", "sample1.txt", "sample2.txt"):
        (tmp_path / name).write_text(f"this is {name}", encoding="utf-8")
    said = "open the sample2 pls\nopen sample\nthe first\nwhy did you open that?\nthanks\n"
    command = [sys.executable, str(ROOT / "examples" / "agent" / "files.py"), str(tmp_path)]
    done = subprocess.run(command, input=said, capture_output=True, text=True, encoding="utf-8", check=True)
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("this is")] == [
        "this is sample2.txt",
        "this is sample1.txt",
    ]
    assert "Which one do you mean: sample1 or sample2?" in lines
    assert lines[-1] == "All right."


def test_the_semantic_lane_s_model_reads_a_bounded_context() -> None:
    seen: list[Mapping[str, Any]] = []

    def model(request: Mapping[str, Any]) -> dict[str, Any]:
        seen.append(request)
        return {"decision": "none", "confidence": 0}

    long = Excerpt("active_widget_snapshot", "e", None, "e", text="word " * 2000)
    history = [f"{i} " + "talk " * 200 for i in range(20)]
    step = grounding(model=model).hear("what does zeta9 mean", excerpts=[long, long], history=history)
    assert step.verdict.outcome is GroundOutcome.CLARIFY
    ground = default().ground

    def cost(text: str) -> int:
        return token_estimate(text, default().text)

    assert [cost(e["text"]) <= ground.snapshot_excerpt_max_tokens for e in seen[0]["excerpts"]] == [
        True,
        True,
    ]
    kept = seen[0]["history"]
    assert kept == history[-len(kept) :]
    assert 0 < len(kept) <= ground.chat_history_max_turns
    assert sum(map(cost, kept)) <= ground.chat_history_max_tokens
    assert (
        sum(map(cost, kept)) + sum(cost(e["text"]) for e in seen[0]["excerpts"])
        <= ground.blended_context_max_tokens
    )


def test_clearing_forgets() -> None:
    talk = grounding(executor=Desk().act)
    talk.hear("open sample2")
    talk.clear()
    assert talk.continuity.last_action is None
    assert talk.hear("open sample2").verdict.outcome is GroundOutcome.CLARIFY


def test_telemetry_goes_to_the_sink_and_to_spans() -> None:
    class Span:
        def __init__(self) -> None:
            self.events: list[tuple[str, dict[str, Any]]] = []

        def add_event(self, name: str, attributes: dict[str, Any]) -> None:
            self.events.append((name, attributes))

    span = Span()
    grounding(executor=Desk().act, sink=span_sink(span)).hear("open sample2")
    name, attributes = span.events[0]
    assert name == "deterministic_continuity_resolve"
    assert attributes["winner"] == "b"
    assert all(isinstance(v, (str, bool, int, float)) for v in attributes.values())
