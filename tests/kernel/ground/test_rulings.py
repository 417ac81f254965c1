"""Rulings G1–G19 and the constants of the specification."""

from __future__ import annotations

from fractions import Fraction

import pytest

from clew.kernel.ground.evidence import payload
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.record import offer, record, reject, reset
from clew.kernel.ground.rollout import Aggregate, aggregate, rollout_guard
from clew.kernel.ground.turn import Turn
from clew.model.continuity import ContinuityState, PendingClarifier, Scope, option_set_id
from clew.model.evidence import Candidate, EvidenceType, Excerpt, Fallback
from clew.model.fields import parse_time
from clew.policy import default, from_tables
from tests.kernel.ground.asking import (
    AT,
    CHAT,
    FRESH,
    MORE,
    PATHS,
    TWINS,
    WIDGET,
    after_opening,
    ask,
    event,
    listed,
    names,
    rules,
    shown,
)

POLICY = default().ground
ROOM = Scope("chat", "room-1")


@pytest.mark.rule("G1")
def test_the_veto_runs_on_enriched_evidence() -> None:
    answer = ask("open the sample2 in reports", candidates=TWINS, llm=[MORE], enrichment=PATHS)
    assert (answer["outcome"], answer["choice_id"], answer["llm_calls"]) == ("execute", "c1", 1)
    assert "need_more_info_veto_applied" in names(answer)


@pytest.mark.rule("G1")
def test_without_new_evidence_the_blocked_veto_is_logged() -> None:
    answer = ask("open the sample2 in reports", candidates=TWINS, llm=[MORE])
    assert event(answer, "need_more_info_veto_blocked_reason")["reason"] == "no_new_evidence"


@pytest.mark.rule("G2")
def test_enrichment_then_veto_then_retry_then_final_veto_then_clarifier() -> None:
    answer = ask("open sample2", candidates=TWINS, llm=[MORE, MORE], enrichment=PATHS)
    assert names(answer) == [
        "llm_need_more_info",
        "need_more_info_veto_blocked_reason",
        "continuity_enrichment_retry_called",
        "llm_need_more_info",
        "continuity_enrichment_budget_exhausted",
        "need_more_info_veto_blocked_reason",
        "grounded_clarifier_asked",
    ]
    retry = event(answer, "continuity_enrichment_retry_called")
    assert retry["fingerprint_before"] != retry["fingerprint_after"]
    assert (retry["retry_attempt_index"], retry["retry_budget_remaining"]) == (1, 1)
    assert retry["loop_cycle_id"] == answer["telemetry"][0]["loop_cycle_id"]


@pytest.mark.rule("G3")
def test_an_option_set_id_is_made_from_scope_and_candidates() -> None:
    made = option_set_id(ROOM, ("b", "a"))
    assert made == option_set_id(ROOM, ("a", "b"))
    assert made != option_set_id(Scope("chat", "room-2"), ("a", "b"))
    assert made != option_set_id(ROOM, ("a", "b", "c"))


@pytest.mark.rule("G4")
def test_times_are_kept_in_the_record_and_left_out_of_the_fingerprint() -> None:
    def pack(at: str) -> dict[str, object]:
        excerpt = Excerpt("active_widget_snapshot", "e", ROOM, "e", None, at=parse_time(at, "/"), text="x")
        turn = Turn(
            "x", OptionSet((Candidate("a", "A"),)), scope=ROOM, option_set_id="s", excerpts=(excerpt,)
        )
        return payload(turn, POLICY)

    assert pack("2026-01-01T00:00:00Z") == pack("2027-01-01T00:00:00Z")


@pytest.mark.rule("G5")
def test_order_is_no_evidence() -> None:
    there, back = listed("sample1", "sample2"), list(reversed(listed("sample1", "sample2")))
    assert ask("x", candidates=there)["fingerprints"] == ask("x", candidates=back)["fingerprints"]


@pytest.mark.rule("G5")
def test_the_payload_has_the_six_fields() -> None:
    turn = Turn("x", OptionSet((Candidate("a", "A b", path="p"),)), scope=ROOM, option_set_id="s")
    assert payload(turn, POLICY) == {
        "scopeBinding": {"activeScope": "chat", "instanceId": "room-1"},
        "activeOptionSetId": "s",
        "candidateIds": ["a"],
        "candidateSignatures": [{"id": "a", "labelNormalized": "ab", "path": "p"}],
        "excerptHashes": [],
        "continuitySchemaVersion": POLICY.schema_version,
    }


@pytest.mark.rule("G6")
def test_the_semantic_lane_has_one_call_and_one_per_step() -> None:
    def noise(n: int) -> dict[str, object]:
        return {"chat_active_options": {"n": n}, "chat_recoverable_options": {"n": n}}

    hint = [{**MORE, "neededEvidenceTypes": [t]} for t in ("chat_active_options", "chat_recoverable_options")]
    answer = ask("what does zeta9 mean", llm=[*hint, *[MORE] * 4], enrichment=noise(1))
    assert (answer["llm_calls"], answer["enrichment_steps"]) == (3, 2)


@pytest.mark.rule("G7")
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"decision": "select", "choice_id": "c2", "confidence": 0.59}, "low_confidence"),
        ({"decision": "none", "confidence": 0.1}, "abstain"),
        ({"decision": "none", "confidence": 0.99}, "abstain"),
        ({"decision": "need_more_info", "confidence": 0.1}, "no_new_evidence"),
    ],
)
def test_the_floor_applies_to_select_only(answer: dict[str, object], reason: str) -> None:
    assert ask("open the ledger", llm=[answer])["fallback_reason"] == reason


@pytest.mark.rule("G7")
def test_the_floor_is_inclusive_and_exact() -> None:
    at_floor = ask("open the ledger", llm=[{"decision": "select", "choice_id": "c2", "confidence": 0.6}])
    assert "fallback_reason" not in at_floor
    assert shown(at_floor)[0] == "c2"


@pytest.mark.rule("G8")
def test_a_target_tried_in_this_unresolved_cycle_is_not_tried_again() -> None:
    failed = {"key": "k", "order": ["c2"], "target": "c2"}
    answer = ask("open sample2", loop_guard=failed)
    assert answer["outcome"] == "clarify"
    assert answer["reasons"][1] == {"rule": "ground.blocked", "detail": "loop_guard_same_cycle"}
    assert ask("open sample1", loop_guard=failed)["choice_id"] == "c1"


@pytest.mark.rule("G8")
def test_a_new_turn_after_success_is_no_conflict() -> None:
    assert ask("open sample2", continuity=after_opening("c2"))["choice_id"] == "c2"


@pytest.mark.rule("G9")
def test_a_collision_is_a_command_with_several_matches_and_no_exact_one() -> None:
    on = from_tables({"ground": {"auto_execute_enabled": True}})
    sure = {"decision": "select", "choice_id": "c2", "confidence": 1.0}
    assert ask("open sample", llm=[sure], policy=on)["outcome"] == "clarify"


@pytest.mark.rule("G10")
def test_the_selection_lane_is_guarded_by_set_and_scope_not_by_age() -> None:
    assert ask("open it again", continuity=after_opening(), at="2027-03-01T10:00:00Z")["choice_id"] == "c2"
    moved = ask("open it again", continuity=after_opening(), scope=WIDGET)
    assert moved["outcome"] == "clarify"


@pytest.mark.rule("G11")
def test_windows_hold_five_newest_first() -> None:
    state = ContinuityState()
    for n in range(7):
        state = record(
            state,
            type="open",
            choice_id=f"c{n}",
            option_set_id="s",
            scope=ROOM,
            at=None,
            outcome="executed",
            policy=POLICY,
        )
        state = reject(state, (f"r{n}",), POLICY)
    assert state.accepted == ("c6", "c5", "c4", "c3", "c2")
    assert state.rejected == ("r6", "r5", "r4", "r3", "r2")
    assert [a.target for a in state.trace] == ["c6", "c5", "c4", "c3", "c2"]


@pytest.mark.rule("G12")
@pytest.mark.parametrize("decision", ["need_more_info", "request_context"])
def test_request_context_is_a_need_for_more_info(decision: str) -> None:
    llm = [{"decision": decision, "confidence": 0.5, "neededEvidenceTypes": ["chat_active_options"]}]
    answer = ask("open sample2 in reports", candidates=TWINS, llm=llm, enrichment=PATHS)
    assert (answer["outcome"], answer["enrichment_steps"]) == ("execute", 1)


@pytest.mark.rule("G12")
def test_at_most_two_evidence_types_are_fetched_and_aliases_are_not_read() -> None:
    kinds = ["scope_disambiguation_hint", "chat_recoverable_options", "chat_active_options"]
    many = {**MORE, "neededEvidenceTypes": kinds}
    assert (
        ask("open sample2 in reports", candidates=TWINS, llm=[many], enrichment=PATHS)["enrichment_steps"]
        == 0
    )
    alias = {**MORE, "neededContext": ["bogus"]}
    assert (
        ask("open sample2 in reports", candidates=TWINS, llm=[alias], enrichment=PATHS)["outcome"]
        == "execute"
    )


@pytest.mark.rule("G13")
@pytest.mark.parametrize(
    "text", ["open sample2?", "can you open sample2?", "could you please show me sample2?!"]
)
def test_a_question_mark_alone_makes_no_question(text: str) -> None:
    assert ask(text)["choice_id"] == "c2"


@pytest.mark.rule("G14")
def test_labels_that_normalise_equally_are_not_unique() -> None:
    answer = ask("open sample2", candidates=TWINS)
    assert (answer["outcome"], shown(answer)) == ("clarify", ["c1", "c2"])
    left = ask("open sample2", candidates=TWINS, continuity={**FRESH, "recentRejectedChoiceIds": ["c1"]})
    assert left["choice_id"] == "c2"


@pytest.mark.rule("G15")
@pytest.mark.parametrize(
    ("change", "blocked"),
    [
        ({"option_set_id": "new"}, "option_set_mismatch"),
        ({"option_set_id": None}, "null_option_set_id"),
        ({"scope": WIDGET}, "scope_mismatch"),
        ({"loop_guard": {"key": "k", "target": "c2"}}, "loop_guard_same_cycle"),
    ],
)
def test_safe_means_every_gate_is_open(change: dict[str, object], blocked: str) -> None:
    answer = ask("open sample2", **change)
    assert answer["outcome"] == "clarify"
    assert {"rule": "ground.blocked", "detail": blocked} in answer["reasons"]


@pytest.mark.rule("G16")
def test_flags_are_configuration_and_auto_execute_is_off() -> None:
    assert POLICY.auto_execute_enabled is False
    assert isinstance(POLICY.continuity_enabled, bool)
    off = from_tables({"ground": {"continuity_enabled": False}})
    state = {**FRESH, "recentRejectedChoiceIds": ["c1", "c3"]}
    assert ask("that one", continuity=state, policy=off)["outcome"] == "clarify"
    assert ask("open sample2", policy=off)["choice_id"] == "c2"


@pytest.mark.rule("G17")
def test_the_rollout_guard_says_which_threshold_is_crossed() -> None:
    base = Aggregate(1000, wrong_actions=5, clarifiers=100, p95_latency_ms=100)
    at_the_line = Aggregate(1000, 10, 110, retries=100, retries_unchanged=2, p95_latency_ms=350)
    assert rollout_guard(base, at_the_line, POLICY) == ()
    over = Aggregate(1000, 11, 111, retries=100, retries_unchanged=3, p95_latency_ms=351)
    crossed = rollout_guard(base, over, POLICY)
    assert [(c.rule.rsplit(".", 1)[1], c.action) for c in crossed] == [
        ("wrong_action", "rollback"),
        ("clarifier", "rollback"),
        ("latency", "rollback"),
        ("unchanged_retry", "halt"),
    ]
    assert crossed[0].measured == Fraction(6, 1000)


@pytest.mark.rule("G17")
def test_the_aggregator_counts_door_answers() -> None:
    retried = ask("open sample2", candidates=TWINS, llm=[MORE, MORE], enrichment=PATHS)
    answers = [ask("open sample2"), ask("open sample"), retried]
    assert aggregate(answers, wrong_actions=1) == Aggregate(3, 1, 2, retries=1)


@pytest.mark.rule("G18")
@pytest.mark.parametrize("text", ["open sample2", "that one", "the second one", "yes"])
def test_null_never_equals_null(text: str) -> None:
    left = {"activeOptionSetId": None, "activeScope": CHAT, "recentRejectedChoiceIds": ["c1", "c3"]}
    assert ask(text, continuity=left, option_set_id=None)["outcome"] == "clarify"
    nowhere = {"kind": "chat", "instance_id": None}
    state = {**left, "activeOptionSetId": "set-1", "activeScope": nowhere}
    assert ask(text, continuity=state, scope=nowhere)["outcome"] == "clarify"
    assert not Scope("chat").same(Scope("chat"))


@pytest.mark.rule("G18")
def test_silent_continuity_is_no_conflict_for_what_is_named_now() -> None:
    assert ask("open sample2", continuity={})["choice_id"] == "c2"
    assert ask("the second one", continuity=None)["choice_id"] == "c2"
    assert ask("that one", continuity={"recentRejectedChoiceIds": ["c1", "c3"]})["outcome"] == "clarify"


@pytest.mark.rule("G19")
@pytest.mark.parametrize("text", ["not that one", "wrong one", "no", "what else is there?", "그거 말고"])
def test_repair_and_list_navigation_produce_rejections(text: str) -> None:
    answer = ask(text, last_offered_id="c2")
    assert answer["continuity"]["recentRejectedChoiceIds"] == ["c2"]


@pytest.mark.rule("G19")
def test_naming_what_is_not_wanted_rejects_it() -> None:
    answer = ask("not sample1, please")
    assert answer["continuity"]["recentRejectedChoiceIds"] == ["c1"]
    assert answer["clarifier"]["type"] == "repair"
    assert "c1" not in shown(answer)


def test_the_constants_table_is_the_specification_s() -> None:
    table = {
        "selection_max_enrichment_steps": 1,
        "selection_max_llm_calls": 2,
        "semantic_max_enrichment_steps": 2,
        "semantic_max_llm_calls_per_step": 1,
        "chat_history_max_turns": 8,
        "chat_history_max_tokens": 1200,
        "snapshot_excerpt_max_tokens": 400,
        "blended_context_max_tokens": 1800,
        "continuity_ttl_max_turns": 3,
        "continuity_ttl_max_minutes": 10,
        "recent_action_trace_max_entries": 5,
        "needed_evidence_types_max": 2,
    }
    assert {name: getattr(POLICY, name) for name in table} == table


def test_the_enums_are_the_specification_s() -> None:
    assert {f.value for f in Fallback} == {
        "timeout",
        "rate_limited",
        "transport_error",
        "abstain",
        "low_confidence",
        "no_new_evidence",
        "budget_exhausted",
    }
    assert {e.value for e in EvidenceType} == {
        "chat_active_options",
        "chat_recoverable_options",
        "active_widget_items",
        "active_dashboard_items",
        "active_workspace_items",
        "scope_disambiguation_hint",
    }
    assert {p.value for p in PendingClarifier} == {
        "none",
        "selection_disambiguation",
        "scope_disambiguation",
        "missing_slot",
        "confirmation",
        "repair",
    }


def test_continuity_has_exactly_the_specified_fields() -> None:
    assert set(ask("open sample2")["continuity"]) == {
        "lastResolvedAction",
        "recentActionTrace",
        "lastAcceptedChoiceId",
        "recentAcceptedChoiceIds",
        "recentRejectedChoiceIds",
        "activeOptionSetId",
        "activeScope",
        "pendingClarifierType",
    }
    assert ask("open sample2")["continuity"]["lastResolvedAction"] == {
        "type": "open",
        "targetRef": "c2",
        "sourceScope": CHAT,
        "optionSetId": "set-1",
        "timestamp": AT,
        "outcome": "executed",
    }


def test_stop_resets_continuity_and_an_offer_is_remembered() -> None:
    assert ask("cancel", continuity=after_opening())["continuity"] == ContinuityState().as_dict()
    assert reset(ContinuityState(last_accepted="x")) == ContinuityState()
    state = offer(
        ContinuityState(), choice_id="c3", option_set_id="set-1", scope=ROOM, at=None, policy=POLICY
    )
    assert ask("sounds good", continuity=state.as_dict())["choice_id"] == "c3"
    assert "ground.acceptance" in rules(ask("sounds good", continuity=state.as_dict()))
