"""The thirteen blockers of the selection lane, under their numbers."""

from __future__ import annotations

import pytest

from clew.policy import default, from_tables
from tests.kernel.ground.asking import (
    CHAT,
    FRESH,
    MORE,
    PATHS,
    TWINS,
    WIDGET,
    ask,
    listed,
    names,
    rules,
    shown,
)

SURE = {"decision": "select", "choice_id": "c2", "confidence": 0.99}


@pytest.mark.rule("selection-1")
@pytest.mark.parametrize(
    "text", ["open the sample2 pls", "Sample 2", "sample-2?", "could you open sample2 for me, thank you"]
)
def test_sample2_resolves(text: str) -> None:
    assert ask(text)["choice_id"] == "c2"


@pytest.mark.rule("selection-2")
def test_true_ambiguity_clarifies() -> None:
    answer = ask("open sample2", candidates=TWINS)
    assert answer["clarifier"]["type"] == "selection_disambiguation"
    assert shown(answer) == ["c1", "c2"]


@pytest.mark.rule("selection-3")
def test_a_stale_set_id_blocks() -> None:
    answer = ask(
        "that one", continuity={**FRESH, "recentRejectedChoiceIds": ["c1", "c3"]}, option_set_id="other"
    )
    assert answer["outcome"] == "clarify"


@pytest.mark.rule("selection-4")
def test_questions_and_interrupts_bypass() -> None:
    assert ask("which of them is newest?")["outcome"] == "answer"
    assert ask("forget it")["outcome"] == "escape"


@pytest.mark.rule("selection-5")
def test_only_ids_of_the_pool_execute() -> None:
    ghost = {**FRESH, "lastResolvedAction": {"type": "open", "targetRef": "gone", "outcome": "executed"}}
    assert ask("open it again", continuity=ghost)["outcome"] == "clarify"


@pytest.mark.rule("selection-6")
def test_a_scope_cue_is_judged_before_anything_executes() -> None:
    answer = ask("open sample2 from this widget")
    assert answer["outcome"] == "clarify"
    assert answer["clarifier"]["type"] == "scope_disambiguation"
    assert ask("open sample2 from this widget", scope=WIDGET, continuity={})["choice_id"] == "c2"


@pytest.mark.rule("selection-7")
def test_scopes_are_not_mixed() -> None:
    elsewhere = {**FRESH, "activeScope": WIDGET, "recentRejectedChoiceIds": ["c1", "c3"]}
    answer = ask("that one", continuity=elsewhere)
    assert answer["outcome"] == "clarify"
    needed = {**MORE, "neededEvidenceTypes": ["active_widget_items"]}
    items = {"active_widget_items": {"c1": {"path": "x"}}}
    mixed = ask("open sample2", candidates=TWINS, llm=[needed], enrichment=items)
    assert mixed["enrichment_steps"] == 0
    assert "ground.evidence_out_of_scope" in rules(mixed)


@pytest.mark.rule("selection-8")
def test_no_second_call_on_an_unchanged_fingerprint() -> None:
    answer = ask("open sample2", candidates=TWINS, llm=[MORE, SURE])
    assert answer["llm_calls"] == 1


@pytest.mark.rule("selection-9")
def test_the_budget_is_kept() -> None:
    answer = ask("open sample2", candidates=TWINS, llm=[MORE] * 5, enrichment=PATHS)
    assert (answer["llm_calls"], answer["enrichment_steps"]) == (2, 1)


@pytest.mark.rule("selection-10")
def test_auto_execute_is_off_and_opens_only_its_own_gate() -> None:
    on = from_tables({"ground": {"auto_execute_enabled": True}})
    off = default()
    assert ask("open the budget", llm=[SURE], policy=off)["outcome"] == "clarify"
    assert ask("open the budget", llm=[SURE], policy=on)["choice_id"] == "c2"
    # No other path is opened: collisions, low confidence, failures, stale sets and repeats still ask.
    assert ask("open sample2", candidates=TWINS, llm=[SURE], policy=on)["outcome"] == "clarify"
    assert ask("open the budget", llm=[{**SURE, "confidence": 0.84}], policy=on)["outcome"] == "clarify"
    assert ask("open the budget", llm=[{"error": "timeout"}], policy=on)["outcome"] == "clarify"
    assert ask("open the budget", llm=[SURE], option_set_id="new", policy=on)["outcome"] == "clarify"
    first = ask("open the budget", llm=[{**SURE, "confidence": 0.7}], policy=on)
    again = ask("open the budget", llm=[SURE], policy=on, loop_guard=first["loop_guard"])
    assert again["outcome"] == "clarify"


@pytest.mark.rule("selection-11")
def test_the_loop_guard_reuses_the_order_and_asks_no_model() -> None:
    first = ask("open the budget", llm=[SURE])
    assert shown(first)[0] == "c2"
    again = ask("Open the budget, please", llm=[SURE], loop_guard=first["loop_guard"])
    assert again["llm_calls"] == 0
    assert shown(again) == shown(first)
    assert again["detail"] == "loop_guard"
    other = ask("open the ledger", llm=[SURE], loop_guard=first["loop_guard"])
    assert other["llm_calls"] == 1


@pytest.mark.rule("selection-12")
def test_a_polite_scoped_command_stays_scoped() -> None:
    answer = ask("could you please open sample2 from chat")
    assert answer["choice_id"] == "c2"
    unbound = ask("could you please open the ledger from chat")
    assert unbound["outcome"] == "clarify"


@pytest.mark.rule("selection-13")
def test_that_one_from_chat_stays_scoped() -> None:
    left = {**FRESH, "recentRejectedChoiceIds": ["c1", "c3"]}
    assert ask("that one from chat", continuity=left)["choice_id"] == "c2"
    assert ask("that one from the dashboard", continuity=left)["outcome"] == "clarify"


def test_words_decide_even_when_one_candidate_is_left() -> None:
    """After two rejections "open the dashboard" must not open the remaining one."""
    left = {**FRESH, "recentRejectedChoiceIds": ["c1", "c3"]}
    assert ask("open the dashboard", continuity=left)["outcome"] == "clarify"


def test_no_model_means_a_clarifier_in_the_same_context_and_no_escape() -> None:
    answer = ask("open the ledger")
    assert (answer["outcome"], answer["detail"]) == ("clarify", "no_model")


@pytest.mark.parametrize("error", ["timeout", "rate_limited", "transport_error"])
def test_a_failing_model_never_executes(error: str) -> None:
    answer = ask("open the ledger", llm=[{"error": error}])
    assert (answer["outcome"], answer["fallback_reason"]) == ("clarify", error)


@pytest.mark.parametrize(
    ("labels", "text", "reason"),
    [
        ((), "open it", "no_candidate"),
        (("sample1", "sample2"), "open sample", "no_model"),
    ],
)
def test_the_classifier_says_why_it_asks(labels: tuple[str, ...], text: str, reason: str) -> None:
    assert ask(text, candidates=listed(*labels))["detail"] == reason


def test_repeats_after_success_are_no_conflict() -> None:
    first = ask("open sample2")
    again = ask("open sample2", continuity=first["continuity"], loop_guard=first["loop_guard"])
    assert again["choice_id"] == "c2"


def test_telemetry_carries_scope_set_and_names_of_both_plans() -> None:
    event = ask("open sample2")["telemetry"][0]
    assert event["activeOptionSetId"] == "set-1"
    assert event["activeScope"] == CHAT
    assert event["winner"] == "c2"
    assert event["lane_name"] == "selection_deterministic_continuity_resolve"
    assert names(ask("open the ledger", llm=[SURE]))[0] == "llm_select"
