"""The eighteen blockers of the semantic lane, under their numbers."""

from __future__ import annotations

from typing import Any

import pytest

from clew.kernel.ground.slots import SOURCE_PRIORITY
from clew.policy import from_tables
from tests.kernel.ground.asking import AT, CHAT, FRESH, MORE, WIDGET, after_opening, ask, names, opened

LATER = "2026-03-01T10:09:00Z"
TOO_LATE = "2026-03-01T10:11:00Z"


def excerpt(identity: str = "e1", **changes: Any) -> dict[str, Any]:
    return {
        "sourceType": "active_widget_snapshot",
        "sourceId": identity,
        "scope": CHAT,
        "excerptId": identity,
        "excerptHash": f"hash-{identity}",
        "entityKeys": ["summary155"],
        "timestamp": AT,
        **changes,
    }


@pytest.mark.rule("semantic-1")
@pytest.mark.parametrize("text", ["why did you open sample2?", "what did you do?", "why?", "왜 그랬어"])
def test_the_last_action_is_explained_directly(text: str) -> None:
    answer = ask(text, continuity=after_opening())
    assert answer["outcome"] == "answer"
    assert answer["answer"]["action"]["targetRef"] == "c2"
    assert "semantic_followup_answered" in names(answer)


@pytest.mark.rule("semantic-2")
def test_the_trace_is_summarised() -> None:
    state = {**FRESH, "recentActionTrace": [opened("c2"), opened("c1")]}
    answer = ask("summarize what we did", continuity=state)
    assert [a["targetRef"] for a in answer["answer"]["actions"]] == ["c2", "c1"]


@pytest.mark.rule("semantic-3")
def test_an_empty_trace_asks_once() -> None:
    answer = ask("summarize what we did")
    assert answer["outcome"] == "clarify"
    assert answer["clarifier"]["type"] == "missing_slot"
    assert names(answer).count("semantic_followup_single_clarifier_asked") == 1


@pytest.mark.rule("semantic-4")
def test_one_excerpt_answers() -> None:
    answer = ask("what does summary155 mean", evidence=[excerpt()])
    assert answer["outcome"] == "answer"
    assert answer["answer"]["evidence"]["excerptId"] == "e1"


@pytest.mark.rule("semantic-5")
def test_several_excerpts_of_one_rank_clarify() -> None:
    answer = ask("what does summary155 mean", evidence=[excerpt("e1"), excerpt("e2")])
    assert answer["outcome"] == "clarify"
    assert "continuity_slot_non_unique_scoped_evidence" in names(answer)


@pytest.mark.rule("semantic-6")
@pytest.mark.parametrize("decision", ["select", "answer", "none", "need_more_info"])
def test_the_lane_never_executes(decision: str) -> None:
    llm = [{"decision": decision, "choice_id": "c1", "confidence": 1.0}]
    for state in (FRESH, after_opening()):
        answer = ask("why did you do that?", continuity=state, llm=llm)
        assert answer["outcome"] in ("answer", "clarify")
        assert "choice_id" not in answer


@pytest.mark.rule("semantic-7")
def test_a_command_with_a_target_is_handed_to_selection() -> None:
    answer = ask("open sample2 and explain why", continuity=after_opening("c1"))
    assert (answer["outcome"], answer["choice_id"], answer["lane"]) == ("execute", "c2", "selection")
    assert "semantic_followup_handoff_to_selection_lane" in names(answer)


@pytest.mark.rule("semantic-8")
def test_all_missing_slots_are_packed_into_one_clarifier() -> None:
    answer = ask("what does that mean?")
    assert answer["clarifier"]["text"].count(",") == 1
    assert answer["reasons"][0]["detail"] == "entityReferent, scopedEvidence"


@pytest.mark.rule("semantic-9")
@pytest.mark.parametrize(
    ("state", "at", "why"),
    [
        (after_opening(), TOO_LATE, "ttl_expired"),
        (after_opening(turn=1), LATER, "ttl_expired"),
        (after_opening(sourceScope=WIDGET), LATER, "blocked_conflict"),
    ],
)
def test_old_or_conflicting_continuity_is_not_borrowed(state: dict[str, Any], at: str, why: str) -> None:
    answer = ask("why?", continuity=state, at=at, turn=5)
    assert answer["outcome"] == "clarify"
    assert f"continuity_slot_{why}" in names(answer)


@pytest.mark.rule("semantic-9")
def test_fresh_continuity_is_borrowed_to_the_last_minute_and_turn() -> None:
    edge = after_opening(turn=2)
    assert ask("why?", continuity=edge, at="2026-03-01T10:10:00Z", turn=5)["outcome"] == "answer"


@pytest.mark.rule("semantic-9")
def test_an_explicit_other_target_is_a_conflict() -> None:
    answer = ask("why did you open sample1?", continuity=after_opening("c2"))
    assert answer["outcome"] == "clarify"
    assert "continuity_slot_blocked_conflict" in names(answer)


@pytest.mark.rule("semantic-10")
@pytest.mark.parametrize("pending", ["selection_disambiguation", "scope_disambiguation"])
def test_a_pending_arbitration_blocks_the_lane(pending: str) -> None:
    answer = ask("why did you open sample2?", continuity={**after_opening(), "pendingClarifierType": pending})
    assert (answer["outcome"], answer["detail"]) == ("clarify", "selection_pending")
    assert answer["clarifier"]["type"] == pending


@pytest.mark.rule("semantic-11")
def test_the_referent_priority_is_strict() -> None:
    state = after_opening("c2")
    named = ask("what does sample1 mean?", continuity=state, active_entity="c3")
    active = ask("what does it mean?", continuity=state, active_entity="c3")
    last = ask("what does it mean?", continuity=state)
    assert [a["answer"]["referent"] for a in (named, active, last)] == ["c1", "c3", "c2"]


@pytest.mark.rule("semantic-12")
def test_a_scoped_question_stays_semantic() -> None:
    answer = ask("why did you open sample2 from chat?", continuity=after_opening())
    assert (answer["outcome"], answer["lane"]) == ("answer", "semantic")


@pytest.mark.rule("semantic-13")
def test_unique_means_one_referent_and_one_excerpt() -> None:
    same = ask("what does summary155 mean", evidence=[excerpt(), excerpt()])
    assert same["outcome"] == "answer"
    none = ask("what does summary155 mean", evidence=[excerpt(entityKeys=["other7"])])
    assert none["outcome"] == "clarify"


@pytest.mark.rule("semantic-14")
def test_conflicting_sources_go_by_priority() -> None:
    found = [excerpt(f"e{i}", sourceType=kind) for i, kind in enumerate(reversed(SOURCE_PRIORITY))]
    answer = ask("what does summary155 mean", evidence=found)
    assert answer["answer"]["evidence"]["sourceType"] == SOURCE_PRIORITY[0]


@pytest.mark.rule("semantic-15")
def test_evidence_of_another_scope_is_excluded() -> None:
    assert ask("what does summary155 mean", evidence=[excerpt(scope=WIDGET)])["outcome"] == "clarify"
    mixed = [excerpt("e1"), excerpt("e2", scope=WIDGET)]
    assert ask("what does summary155 mean", evidence=mixed)["answer"]["evidence"]["excerptId"] == "e1"
    other = {**FRESH, "recentActionTrace": [opened("c1", sourceScope=WIDGET)]}
    assert ask("summarize", continuity=other)["outcome"] == "clarify"


@pytest.mark.rule("semantic-16")
def test_an_unchanged_fingerprint_stops_the_lane() -> None:
    answer = ask("what does zeta9 mean", llm=[MORE, {"decision": "answer", "confidence": 1}])
    assert (answer["outcome"], answer["fallback_reason"]) == ("clarify", "no_new_evidence")
    assert answer["llm_calls"] == 1
    assert "semantic_enrichment_fingerprint_unchanged" in names(answer)


@pytest.mark.rule("semantic-16")
def test_new_evidence_settles_the_question_without_another_call() -> None:
    found = {"chat_active_options": {"excerpts": [excerpt(entityKeys=["zeta9"])]}}
    answer = ask("what does zeta9 mean", llm=[MORE, MORE], enrichment=found)
    assert (answer["outcome"], answer["llm_calls"], answer["enrichment_steps"]) == ("answer", 1, 1)
    assert answer["answer"]["evidence"]["excerptId"] == "e1"


@pytest.mark.rule("semantic-17")
def test_the_budget_of_the_lane_is_kept() -> None:
    one_step = from_tables({"ground": {"semantic_max_enrichment_steps": 1}})
    noise = {"chat_active_options": {"note": "nothing of use"}}
    answer = ask("what does zeta9 mean", llm=[MORE] * 9, enrichment=noise, policy=one_step)
    assert answer["outcome"] == "clarify"
    assert answer["fallback_reason"] == "budget_exhausted"
    assert (answer["llm_calls"], answer["enrichment_steps"]) == (2, 1)
    assert "semantic_enrichment_budget_exhausted" in names(answer)


@pytest.mark.rule("semantic-18")
@pytest.mark.parametrize("clause", ["explain why", "tell me what it is for", "why"])
def test_a_mixed_request_executes_and_keeps_its_explanation(clause: str) -> None:
    answer = ask(f"open sample2 and {clause}")
    assert answer["choice_id"] == "c2"
    assert answer["explain"] == clause


def test_the_flag_off_leaves_one_plain_answer_and_no_lane() -> None:
    off = from_tables({"ground": {"semantic_enabled": False}})
    answer = ask("why did you open sample2?", continuity=after_opening(), policy=off)
    assert (answer["outcome"], answer["lane"]) == ("answer", "selection")
