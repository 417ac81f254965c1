"""Bad input: a clear outcome or a clear error, never an execution."""

from __future__ import annotations

from typing import Any

import pytest

from clew.errors import InvalidInput
from clew.policy import from_tables
from tests.kernel.ground.asking import MORE, TWINS, ask, listed, rules


def test_duplicate_ids_are_named_and_never_execute() -> None:
    pool = [{"id": "a", "label": "sample1"}, {"id": "a", "label": "sample2"}, {"id": "b", "label": "notes"}]
    for text in ("open sample1", "open sample2", "the first one"):
        answer = ask(text, candidates=pool)
        assert answer["outcome"] == "clarify"
        assert "ground.duplicate_id" in rules(answer)
    assert ask("open notes", candidates=pool)["choice_id"] == "b"
    with pytest.raises(InvalidInput, match="repeats the id 'a'") as caught:
        ask("open sample1", candidates=pool, mode="strict")
    assert caught.value.pointer == "/candidates/1/id"


@pytest.mark.parametrize("label", ["", "   ", "!!!"])
def test_labels_with_nothing_to_call_them_by_never_execute(label: str) -> None:
    pool = [{"id": "a", "label": label}, {"id": "b", "label": "notes"}]
    for text in ("the first one", label, "open", "not notes, the other one"):
        answer = ask(text, candidates=pool, last_offered_id="a")
        assert answer["outcome"] != "execute"
        assert "ground.empty_label" in rules(answer)
    with pytest.raises(InvalidInput, match="nothing to call it by") as caught:
        ask("x", candidates=pool, mode="strict")
    assert caught.value.pointer == "/candidates/0/label"


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"decision": "open everything"},
        {"decision": "select"},
        {"decision": "select", "choice_id": "ghost", "confidence": 1},
        {"decision": "select", "choice_id": 7, "confidence": 1},
        {"decision": "select", "choice_id": "c1", "confidence": "high"},
        {"decision": "select", "choice_id": "c1", "confidence": 9},
        {"decision": "select", "choice_id": "c1", "confidence": 1, "contract_version": "1.0"},
        {"error": "meteor"},
    ],
)
def test_a_model_answer_outside_the_contract_is_an_abstention(answer: dict[str, Any]) -> None:
    on = from_tables({"ground": {"auto_execute_enabled": True}})
    out = ask("open the ledger", llm=[answer], policy=on)
    assert (out["outcome"], out["fallback_reason"]) == ("clarify", "abstain")


def test_fifty_thousand_candidates_are_too_many_to_be_bounded() -> None:
    pool = listed(*(f"sample{i}" for i in range(50_000)))
    answer = ask("open sample7", candidates=pool)
    assert (answer["outcome"], answer["detail"]) == ("clarify", "too_many_candidates")
    assert "50000" in answer["clarifier"]["text"]
    with pytest.raises(InvalidInput, match="50000 items") as caught:
        ask("open sample7", candidates=pool, mode="strict")
    assert caught.value.pointer == "/candidates"


def test_an_unknown_evidence_type_is_refused_by_name() -> None:
    hint = {**MORE, "neededEvidenceTypes": ["the_whole_internet"]}
    answer = ask(
        "open sample2", candidates=TWINS, llm=[hint], enrichment={"the_whole_internet": {"c1": {"path": "x"}}}
    )
    assert (answer["outcome"], answer["enrichment_steps"]) == ("clarify", 0)
    assert answer["detail"] == "invalid_needed_context"
    assert "ground.unknown_evidence_type" in rules(answer)
    with pytest.raises(InvalidInput, match="the_whole_internet"):
        ask("x", enrichment={"the_whole_internet": {}}, mode="strict")


def test_enrichment_adds_no_candidates() -> None:
    new = {"chat_active_options": {"c9": {"label": "ledger", "path": "ledger"}}}
    sure = {"decision": "select", "choice_id": "c9", "confidence": 1}
    answer = ask("open the ledger", llm=[MORE, sure], enrichment=new)
    assert answer["outcome"] == "clarify"
    assert "ground.candidate_freeze" in rules(answer)


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"text": None}, "/text"),
        ({"text": 7}, "/text"),
        ({"candidates": "all"}, "/candidates"),
        ({"candidates": [{"label": "x"}]}, "/candidates/0/id"),
        ({"candidates": [{"id": "", "label": "x"}]}, "/candidates/0/id"),
        ({"candidates": [{"id": "a"}]}, "/candidates/0/label"),
        ({"candidates": ["a"]}, "/candidates/0"),
        ({"continuity": []}, "/continuity"),
        ({"continuity": {"pendingClarifierType": "odd"}}, "/continuity/pendingClarifierType"),
        (
            {"continuity": {"lastResolvedAction": {"targetRef": 7}}},
            "/continuity/lastResolvedAction/targetRef",
        ),
        (
            {"continuity": {"recentActionTrace": [{"timestamp": "noon"}]}},
            "/continuity/recentActionTrace/0/timestamp",
        ),
        ({"scope": {"kind": 1}}, "/scope/kind"),
        ({"at": "yesterday"}, "/at"),
        ({"enrichment": 3}, "/enrichment"),
    ],
)
def test_a_malformed_object_is_an_error_that_names_the_field(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        ask("x", **change)
    assert caught.value.pointer == pointer
