"""Required test 4: the fixture of duplicate relationship and explanation loops (ruling T12)."""

from __future__ import annotations

from typing import Any

import pytest

STATE = [
    {
        "id": "td-13",
        "type": "RELATIONSHIP",
        "text": "Open relationship question: will Alicia rebuild trust with Bobby after the harbour-gate betrayal?",
        "urgency": "MEDIUM",
    },
    {
        "id": "td-14",
        "type": "INFORMATION",
        "text": "Need to learn: how Alicia will explain the missing ledger to Bobby",
        "urgency": "MEDIUM",
    },
]
REWORDED = {
    "RELATIONSHIP": "Will Alicia ever rebuild her trust with Bobby after the betrayal at the harbour gate?",
    "INFORMATION": "How will Alicia explain the missing customs ledger to Bobby?",
}
DISTINCT = {
    "RELATIONSHIP": "Will Alicia trust Bobby's warning about her missing brother?",
    "INFORMATION": "Need to learn: who taught Bobby the smugglers' cipher",
}
OLD = {"RELATIONSHIP": "td-13", "INFORMATION": "td-14"}


@pytest.mark.rule("T12")
@pytest.mark.parametrize("kind", ["RELATIONSHIP", "INFORMATION"])
def test_regression_a_reworded_loop_without_resolve_is_rejected(kind: str, strict: Any) -> None:
    answer = strict(threads=STATE, add=[{"type": kind, "text": REWORDED[kind]}])
    assert not answer["accepted"] and answer["threads"] == STATE
    assert {d["code"] for d in answer["diagnostics"]} == {
        "THREAD_DUPLICATE_LIKE_ADD",
        "THREAD_MISSING_EQUIVALENT_RESOLVE",
    }
    assert {d["thread_id"] for d in answer["diagnostics"]} == {OLD[kind]}


@pytest.mark.rule("T12")
@pytest.mark.parametrize("kind", ["RELATIONSHIP", "INFORMATION"])
def test_regression_the_same_add_with_its_resolve_is_accepted(kind: str, strict: Any) -> None:
    answer = strict(threads=STATE, add=[{"type": kind, "text": REWORDED[kind]}], resolve=[OLD[kind]])
    assert answer["accepted"] and answer["diagnostics"] == []
    assert answer["added"][0]["supersedes"] == [OLD[kind]]


@pytest.mark.rule("T12")
@pytest.mark.parametrize("kind", ["RELATIONSHIP", "INFORMATION"])
def test_regression_a_distinct_loop_with_shared_entities_is_accepted(kind: str, strict: Any) -> None:
    answer = strict(threads=STATE, add=[{"type": kind, "text": DISTINCT[kind]}])
    assert answer["accepted"] and answer["diagnostics"] == []


@pytest.mark.parametrize("kind", ["RELATIONSHIP", "INFORMATION"])
def test_regression_repair_replaces_what_strict_rejects(kind: str, repair: Any) -> None:
    answer = repair(threads=STATE, add=[{"type": kind, "text": REWORDED[kind]}])
    assert answer["accepted"] and answer["resolved"] == [OLD[kind]]
    assert {d["severity"] for d in answer["diagnostics"]} == {"repair"}


def test_bare_phrases_as_the_first_implementation_used_them(strict: Any) -> None:
    state = [{"id": "td-13", "type": "RELATIONSHIP", "text": "rebuild trust after the harbour-gate betrayal"}]
    again = strict(
        threads=state, add=[{"type": "RELATIONSHIP", "text": "rebuild the trust after harbour-gate betrayal"}]
    )
    other = strict(
        threads=state, add=[{"type": "RELATIONSHIP", "text": "trust Bobby's warning about a missing brother"}]
    )
    assert not again["accepted"] and other["accepted"]
