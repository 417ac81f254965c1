"""Bad input at the door: per-item diagnostics, nothing applied in strict mode, nothing lost in repair."""

from __future__ import annotations

from typing import Any

import pytest

from clew.errors import InvalidInput
from clew.kernel.door import call

LOOP = {"id": "td-1", "type": "MYSTERY", "text": "Who lit the fire?", "urgency": "LOW", "note": "kept"}
GOOD = {"type": "INFORMATION", "text": "Where does the tunnel lead?"}
BAD = [
    ({"type": "RUMOUR", "text": "Who lies?"}, "THREAD_UNKNOWN_TYPE"),
    ({"text": "Who lies?"}, "THREAD_UNKNOWN_TYPE"),
    ({"type": "QUEST", "text": "   "}, "THREAD_EMPTY_TEXT"),
    ({"type": "QUEST"}, "THREAD_EMPTY_TEXT"),
    ({**GOOD, "id": "td-5"}, "THREAD_ADD_CARRIES_ID"),
    ({**GOOD, "urgency": "SOON"}, "THREAD_UNKNOWN_URGENCY"),
    ("Who lies?", "THREAD_MALFORMED_ADD"),
    ({"type": "QUEST", "text": 7}, "THREAD_MALFORMED_ADD"),
    (None, "THREAD_MALFORMED_ADD"),
]


@pytest.mark.parametrize(("item", "code"), BAD)
def test_a_bad_add_is_diagnosed_by_index_and_a_strict_proposal_is_not_applied(
    item: Any, code: str, strict: Any
) -> None:
    answer = strict(
        threads=[LOOP], add=[{"type": "MYSTERY", "text": "Why did the bell ring?"}, item], resolve=["td-1"]
    )
    assert not answer["accepted"] and answer["threads"] == [LOOP]
    assert [(d["code"], d["index"]) for d in answer["diagnostics"]] == [(code, 1)]


@pytest.mark.parametrize(("item", "code"), BAD)
def test_repair_mends_or_skips_the_bad_add_and_keeps_the_rest(item: Any, code: str, repair: Any) -> None:
    answer = repair(threads=[LOOP], add=[item, {"type": "MYSTERY", "text": "Why did the bell ring?"}])
    assert answer["accepted"] and code in [d["code"] for d in answer["diagnostics"]]
    texts = [a["text"] for a in answer["added"]]
    assert texts[-1] == "Why did the bell ring?"
    assert len(texts) == (2 if code in ("THREAD_ADD_CARRIES_ID", "THREAD_UNKNOWN_URGENCY") else 1)


@pytest.mark.parametrize("bad", ["th-3", "cn-1", "inv-2", "hp-1", "cs-9", "pr-4", "td-99", "x", 5, "", None])
def test_a_foreign_or_unknown_id_is_diagnosed(bad: Any, strict: Any, repair: Any) -> None:
    refused = strict(threads=[LOOP], resolve=["td-1", bad])
    assert not refused["accepted"] and refused["threads"] == [LOOP]
    mended = repair(threads=[LOOP], resolve=["td-1", bad])
    assert mended["resolved"] == ["td-1"]
    assert [d["code"] for d in mended["diagnostics"]] == ["UNKNOWN_STATE_ID"]


def test_ten_thousand_adds_are_each_answered(strict: Any) -> None:
    adds = [
        {"type": "MYSTERY", "text": f"Who opened door{i} in corridor{i} at bell{i}?"} for i in range(9_999)
    ]
    answer = strict(add=[*adds, {"type": "NOPE", "text": "x"}])
    assert not answer["accepted"] and answer["threads"] == []
    assert [d["index"] for d in answer["diagnostics"]] == [9_999]


@pytest.mark.parametrize("words", ["need", "is a", "keep", "learned x", "a?", "가나", "can you", "w1 w2 w3"])
def test_an_overlong_text_is_answered(words: str, strict: Any) -> None:
    """Patterns that look ahead must not look at everything from everywhere."""
    for kind in ("RESOURCE", "DANGER", "MYSTERY"):
        answer = strict(add=[{"type": kind, "text": f"{words} " * 4_000}])
        assert len(answer["added"]) + len(answer["diagnostics"]) >= 1


def test_a_text_of_invisible_characters_is_empty(strict: Any) -> None:
    answer = strict(add=[{"type": "MYSTERY", "text": "\u200b \ufeff"}])
    assert [d["code"] for d in answer["diagnostics"]] == ["THREAD_EMPTY_TEXT"]


def test_what_cannot_be_read_in_the_state_is_carried_on(strict: Any, repair: Any) -> None:
    odd = {"id": "td-2", "type": "OLD", "text": "Who?"}
    answer = repair(threads=[odd, LOOP, 3], add=[GOOD])
    assert answer["threads"][:3] == [odd, LOOP, 3] and answer["accepted"]
    assert [d["code"] for d in answer["diagnostics"]] == ["THREAD_MALFORMED_STATE"] * 2
    assert not strict(threads=[odd], add=[GOOD])["accepted"]


def test_an_untyped_thread_of_old_counts_as_information(strict: Any) -> None:
    answer = strict(threads=[{"id": "td-1", "text": "Where does the tunnel lead?"}], add=[GOOD])
    assert not answer["accepted"] and answer["threads"][0]["type"] == "INFORMATION"


@pytest.mark.parametrize(
    ("payload", "pointer"),
    [
        ({"threads": {}}, "/threads"),
        ({"add": "x"}, "/add"),
        ({"resolve": 3}, "/resolve"),
        ({"next_id": "4"}, "/next_id"),
        ({"next_id": True}, "/next_id"),
    ],
)
def test_only_a_malformed_object_is_an_error(payload: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInput) as why:
        call("threads", payload)
    assert why.value.pointer == pointer


def test_nothing_proposed_is_accepted_and_changes_nothing(strict: Any) -> None:
    answer = strict()
    assert answer["accepted"] and (answer["threads"], answer["next_id"]) == ([], 1)
    assert answer["reasons"] == [{"rule": "weave.accepted", "detail": "0 added, 0 resolved"}]


def test_texts_are_trimmed_and_extra_fields_of_the_state_stay(strict: Any) -> None:
    answer = strict(threads=[LOOP], add=[{"type": "INFORMATION", "text": "  Where \n does\tit lead? "}])
    assert answer["threads"][0] == LOOP
    assert answer["added"][0]["text"] == "Where does it lead?"
