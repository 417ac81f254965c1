"""Required test 3: replacement enforcement (must resolve old td-*); rulings T4–T6, T13, T14."""

from __future__ import annotations

from typing import Any

import pytest

from clew.kernel.weave.licence import Licences

LOOP = {
    "id": "td-7",
    "type": "MYSTERY",
    "text": "Who lit the signal fire on the night of the raid?",
    "urgency": "LOW",
}
NEAR = {"type": "MYSTERY", "text": "Who really lit the signal fire on the night of the raid?"}
OTHER = {"type": "MYSTERY", "text": "Where does the chapel tunnel lead?"}


def codes(answer: dict[str, Any]) -> list[str]:
    return [d["code"] for d in answer["diagnostics"]]


@pytest.mark.rule(" acceptance 1")
def test_duplicate_open_loops_are_rejected_deterministically(strict: Any) -> None:
    answers = [strict(threads=[LOOP], add=[NEAR]) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert codes(answers[0]) == ["THREAD_DUPLICATE_LIKE_ADD", "THREAD_MISSING_EQUIVALENT_RESOLVE"]
    assert {d["thread_id"] for d in answers[0]["diagnostics"]} == {"td-7"}


@pytest.mark.rule(" acceptance 2")
def test_unit_replacement_must_resolve_the_old_td(strict: Any) -> None:
    refused = strict(threads=[LOOP], add=[NEAR], resolve=[])
    accepted = strict(threads=[LOOP], add=[NEAR], resolve=["td-7"])
    assert not refused["accepted"] and accepted["accepted"]
    assert accepted["added"] == [{"id": "td-8", **NEAR, "urgency": "LOW", "supersedes": ["td-7"]}]
    assert [t["id"] for t in accepted["threads"]] == ["td-8"] and accepted["resolved"] == ["td-7"]


@pytest.mark.rule("T4")
def test_in_strict_mode_one_reject_applies_nothing(strict: Any) -> None:
    answer = strict(threads=[LOOP], add=[OTHER, NEAR], resolve=[], next_id=20)
    assert answer["threads"] == [LOOP] and answer["added"] == [] and answer["resolved"] == []
    assert answer["next_id"] == 20
    assert all(d["severity"] in ("reject", "repair", "warn") for d in answer["diagnostics"])
    assert [d["index"] for d in answer["diagnostics"]] == [1, 1]


@pytest.mark.rule("T4")
def test_in_repair_mode_a_rejected_item_does_not_take_the_others_with_it(repair: Any) -> None:
    hazard = {"type": "DANGER", "text": "Gunfire in the hallway"}
    answer = repair(threads=[LOOP], add=[hazard, OTHER])
    assert answer["accepted"] and [a["text"] for a in answer["added"]] == [OTHER["text"]]
    alone = repair(threads=[LOOP], add=[hazard])
    assert not alone["accepted"] and alone["threads"] == [LOOP]


@pytest.mark.rule("T5")
def test_every_open_equivalent_must_be_resolved(strict: Any, repair: Any) -> None:
    twin = {**LOOP, "id": "td-9", "text": "Who lit the signal fire on the night of the great raid?"}
    half = strict(threads=[LOOP, twin], add=[NEAR], resolve=["td-7"])
    assert not half["accepted"]
    assert [d["thread_id"] for d in half["diagnostics"]] == ["td-9", "td-9"]
    whole = strict(threads=[LOOP, twin], add=[NEAR], resolve=["td-9", "td-7"])
    assert whole["added"][0]["supersedes"] == ["td-7", "td-9"]
    mended = repair(threads=[LOOP, twin], add=[NEAR])
    assert sorted(mended["resolved"]) == ["td-7", "td-9"]
    assert mended["added"][0]["supersedes"] == ["td-7", "td-9"]


@pytest.mark.rule("T5")
def test_a_licence_moves_when_another_add_can_use_only_that_one() -> None:
    licences = Licences()
    assert licences.grant(0, (10, 11))
    assert licences.grant(1, (10,))
    assert not licences.grant(2, (10, 11))
    assert licences.grant(3, (11, 12))
    assert licences.lineage() == {0: (11,), 1: (10,), 3: (12,)}


@pytest.mark.rule("T5")
def test_what_is_left_of_the_resolves_goes_to_the_first_that_fits() -> None:
    licences = Licences()
    assert licences.grant(0, (5, 6, 7)) and licences.grant(1, (7, 8))
    assert licences.lineage() == {0: (5, 6), 1: (7, 8)}


@pytest.mark.rule("T6")
def test_a_refresh_with_the_same_token_sequence_is_refused(strict: Any, repair: Any) -> None:
    same = {
        "type": "MYSTERY",
        "text": "Open question: who lit the signal-fire, for now, on the night of the raid",
    }
    refused = strict(threads=[LOOP], add=[same], resolve=["td-7"])
    assert codes(refused) == ["THREAD_NOOP_REPLACEMENT"] and not refused["accepted"]
    dropped = repair(threads=[LOOP], add=[same], resolve=["td-7"])
    assert dropped["accepted"] and dropped["threads"] == [LOOP] and dropped["resolved"] == []
    turned = strict(
        threads=[LOOP],
        add=[{"type": "MYSTERY", "text": "On the night of the raid, who lit the signal fire?"}],
        resolve=["td-7"],
    )
    assert turned["accepted"]


@pytest.mark.rule("T6")
def test_a_no_op_beside_a_real_refinement_does_not_hold_the_resolve_back(repair: Any) -> None:
    answer = repair(threads=[LOOP], add=[{"type": "MYSTERY", "text": LOOP["text"]}, NEAR], resolve=["td-7"])
    assert [t["id"] for t in answer["threads"]] == ["td-8"]
    assert answer["added"][0]["supersedes"] == ["td-7"]


@pytest.mark.rule("T13")
def test_across_question_types_the_stricter_threshold_only_warns(strict: Any) -> None:
    words = "amber birch cedar dune ember fjord grove heath islet jetty knoll ledge".split()
    state = [{"id": "td-1", "type": "RELATIONSHIP", "text": " ".join(words)}]
    for shared, warned in ((7, False), (8, True)):
        answer = strict(threads=state, add=[{"type": "MYSTERY", "text": " ".join(words[:shared])}])
        told = [d for d in answer["diagnostics"] if d["code"] == "THREAD_DUPLICATE_LIKE_ADD"]
        assert answer["accepted"] and bool(told) is warned
        assert all(d["severity"] == "warn" and d["thread_id"] == "td-1" for d in told)


@pytest.mark.rule("T13")
def test_goal_types_are_not_compared_with_each_other(strict: Any) -> None:
    text = "Secure the harbour boat; success when it is ours"
    answer = strict(
        threads=[{"id": "td-1", "type": "QUEST", "text": text}], add=[{"type": "RESOURCE", "text": text}]
    )
    assert answer["accepted"] and answer["diagnostics"] == []


@pytest.mark.rule("T14")
def test_the_first_of_a_batch_wins_even_when_a_middle_one_was_refused(repair: Any) -> None:
    answer = repair(add=[OTHER, {**OTHER, "text": "Where does that chapel tunnel lead?"}, NEAR])
    assert [a["text"] for a in answer["added"]] == [OTHER["text"], NEAR["text"]]
    assert [(d["code"], d["index"]) for d in answer["diagnostics"]] == [("THREAD_DUPLICATE_LIKE_ADD", 1)]


def test_a_successor_keeps_its_predecessors_high_without_counting_as_new(strict: Any) -> None:
    high = {**LOOP, "urgency": "HIGH"}
    answer = strict(threads=[high], add=[NEAR, {**OTHER, "urgency": "HIGH"}], resolve=["td-7"])
    assert answer["accepted"] and [a["urgency"] for a in answer["added"]] == ["HIGH", "HIGH"]


def test_numbers_are_never_used_again(strict: Any) -> None:
    first = strict(threads=[LOOP], resolve=["td-7"])
    assert first["threads"] == [] and first["next_id"] == 8
    second = strict(threads=first["threads"], add=[OTHER], next_id=first["next_id"])
    assert second["added"][0]["id"] == "td-8" and second["next_id"] == 9
    behind = strict(threads=[LOOP], add=[OTHER], next_id=3)
    assert behind["added"][0]["id"] == "td-8"


def test_texts_without_a_word_equal_only_themselves(repair: Any) -> None:
    answer = repair(
        add=[
            {"type": "MYSTERY", "text": "!?"},
            {"type": "MYSTERY", "text": " !? "},
            {"type": "MYSTERY", "text": "??"},
        ]
    )
    assert [a["text"] for a in answer["added"]] == ["!?", "??"]
