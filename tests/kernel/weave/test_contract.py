"""Required test 1: per-thread-type template and form validation; the disallowed forms and their new homes."""

from __future__ import annotations

from typing import Any

import pytest

from clew.errors import InvalidPolicy
from clew.kernel.door import call
from clew.kernel.weave.contract import faults
from clew.model.thread import Form, ThreadAdd, ThreadType, Urgency
from clew.policy import Policy, default, from_tables

POLICY = default()
FILLED = {
    "MYSTERY": "Open question: the name of the masked rider",
    "INFORMATION": "Need to learn: where the ferry lands",
    "MORAL": "Open dilemma: loyalty to the crew against the truth",
    "RELATIONSHIP": "Open relationship question: Bobby's loyalty to Alicia",
    "QUEST": "Goal: open the sealed archive; success when the door stands wide",
    "RESOURCE": "Need resource: a sea-worthy boat; success when it lies at our pier",
    "DANGER": "Prevent risk: famine in the valley; avoid by sharing the harvest",
}
FREE = {
    "MYSTERY": [
        "Who sent the letter?",
        "why the bell rang at noon",
        "What is under the well?",
        "누가 편지를 보냈을까?",
    ],
    "INFORMATION": [
        "What does the seal mean?",
        "whether the ferry still runs",
        "Is the pass open in spring?",
    ],
    "MORAL": ["Should Mira burn the letters even if they clear her father?", "Can a lie be forgiven?"],
    "RELATIONSHIP": [
        "Will Alicia forgive Bobby after the harbour-gate betrayal?",
        "Does Jun still trust Mina?",
    ],
    "QUEST": ["Cross the pass; done when we reach the inn", "Follow the river until the old mill"],
    "RESOURCE": ["Need warm coats to cross the pass", "Gather timber so that the bridge can be mended"],
    "DANGER": [
        "Stop the guild from buying the wells",
        "Avoid a war with the northern clans",
        "홍수가 마을을 덮치지 않도록 막기",
    ],
}
FORMLESS = {
    "MYSTERY": "The name of the masked rider",
    "INFORMATION": "the ferry landing",
    "MORAL": "loyalty and truth",
    "RELATIONSHIP": "rebuild trust after the harbour-gate betrayal",
    "QUEST": "Goal: open the sealed archive",
    "RESOURCE": "a sea-worthy boat",
    "DANGER": "Famine in the valley",
}
CODE = {Form.QUESTION: "form_question", Form.GOAL: "form_goal", Form.PREVENTION: "form_prevention"}


def broken(kind: str, text: str, policy: Policy = POLICY) -> list[str]:
    return [f.rule for f in faults(ThreadAdd(ThreadType(kind), text), policy)]


@pytest.mark.rule("T10")
@pytest.mark.parametrize("kind", list(ThreadType))
def test_unit_each_type_has_a_template_that_its_own_validator_accepts(kind: ThreadType) -> None:
    assert POLICY.weave.templates[kind].split(":")[0].lower() in POLICY.weave.scaffold_prefixes[kind]
    assert broken(kind, FILLED[kind]) == []


@pytest.mark.rule("T10")
@pytest.mark.parametrize(("kind", "text"), [(k, t) for k, texts in FREE.items() for t in texts])
def test_free_phrasing_in_the_form_of_the_type_is_accepted(kind: str, text: str) -> None:
    assert broken(kind, text) == []


@pytest.mark.rule("T10")
@pytest.mark.parametrize("kind", list(ThreadType))
def test_a_text_without_the_form_of_its_type_breaks_exactly_that_rule(kind: ThreadType) -> None:
    assert broken(kind, FORMLESS[kind]) == [CODE[POLICY.weave.forms[kind]]]


@pytest.mark.rule("T10")
def test_a_success_clause_needs_a_condition() -> None:
    assert broken("QUEST", "Goal: open the archive; success when") == ["form_goal"]
    assert broken("MYSTERY", "Open question:   ") == ["form_question"]


@pytest.mark.rule("T10")
@pytest.mark.parametrize("kind", list(ThreadType))
def test_form_is_a_warning_by_default_and_a_rejection_by_policy(kind: ThreadType) -> None:
    rule = CODE[POLICY.weave.forms[kind]]
    add = {"add": [{"type": kind.value, "text": FORMLESS[kind]}]}
    lenient = call("threads", add, mode="strict")
    severe = from_tables({"weave": {"rules": {rule: {"strict": "reject"}}}})
    refused = call("threads", add, mode="strict", policy=severe)
    assert lenient["accepted"] and lenient["diagnostics"][0]["severity"] == "warn"
    assert not refused["accepted"] and refused["threads"] == []
    assert refused["diagnostics"][0]["code"] == POLICY.weave.rules[rule].code


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("MYSTERY", "Who sent the letter? Who read it?"),
        ("MYSTERY", "Who sent the letter and why did nobody answer?"),
        ("INFORMATION", "Need to learn: the code. The date matters as well"),
        ("QUEST", "Goal: find the amulet and rescue the prince; success when both are home"),
    ],
)
def test_two_loops_in_one_thread_are_bundled(kind: str, text: str) -> None:
    assert "form_bundled" in broken(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("MYSTERY", "What did Mr. Vane hide behind the rose and the crown?"),
        ("QUEST", "Goal: deliver salt and grain; success when both are stored and counted"),
        ("RELATIONSHIP", "Will Alicia and Bobby speak again?"),
    ],
)
def test_an_and_inside_one_loop_is_no_bundle(kind: str, text: str) -> None:
    assert "form_bundled" not in broken(kind, text)


NOT_LOOPS = {
    "current_event": [
        ("INFORMATION", "The gate is locked right now"),
        ("MYSTERY", "Guards are searching the hallway"),
        ("RELATIONSHIP", "Open relationship question: Bobby is shouting at Alicia"),
        ("INFORMATION", "성문이 지금 닫혀 있다"),
    ],
    "inventory_fact": [
        ("RESOURCE", "Alicia carries the silver key"),
        ("RESOURCE", "We have three torches"),
        ("RESOURCE", "Need resource: Bobby has the map"),
        ("QUEST", "Inventory: rope, lantern"),
        ("RESOURCE", "앨리스는 열쇠를 가지고 있다"),
    ],
    "emotional_snapshot": [
        ("RELATIONSHIP", "Alicia feels betrayed by Bobby"),
        ("MORAL", "Bobby is deeply ashamed"),
        ("RELATIONSHIP", "앨리스는 외롭다"),
    ],
    "completed_question": [
        ("MYSTERY", "Who hid the ledger? Bobby did."),
        ("MYSTERY", "The mystery of the ledger is solved"),
        ("MYSTERY", "The mystery of who hid the ledger has been solved"),
        ("QUEST", "The amulet has been returned"),
        ("INFORMATION", "Bobby explained to her why he had left"),
        ("INFORMATION", "Answered: the ferry lands at the old pier"),
        ("MYSTERY", "장부를 숨긴 사람이 밝혀졌다"),
    ],
}


@pytest.mark.parametrize(
    ("rule", "kind", "text"), [(r, k, t) for r, items in NOT_LOOPS.items() for k, t in items]
)
def test_a_fact_is_no_loop_and_the_diagnostic_says_where_it_belongs(rule: str, kind: str, text: str) -> None:
    answer = call("threads", {"add": [{"type": kind, "text": text}]}, mode="strict")
    said = {d["code"]: d for d in answer["diagnostics"]}
    code = POLICY.weave.rules[rule].code
    assert code in said and not answer["accepted"]
    home = {
        "current_event": "THREAT",
        "inventory_fact": "INVENTORY",
        "emotional_snapshot": "narrative",
        "completed_question": "resolve",
    }
    assert home[rule] in said[code]["hint"]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("MYSTERY", "Why is the gate locked right now?"),
        ("RELATIONSHIP", "Is Alicia angry with Bobby?"),
        ("QUEST", "Goal: take the silver key; success when Alicia carries it out of the tower"),
        ("MYSTERY", "Bobby is hiding something from Alicia"),
        ("MORAL", "Alicia carries a secret"),
        ("MYSTERY", "unclear who was revealed at the feast"),
        ("QUEST", "Deliver the letter that Bobby carries"),
        ("RELATIONSHIP", "trust Bobby's warning about a missing brother"),
        ("QUEST", "Decode the cipher ledger"),
        ("QUEST", "Reach the archive safely"),
        ("MYSTERY", "decode hidden ledger cipher at this point currently"),
        ("RELATIONSHIP", "Alicia must decide whether Bobby is guilty"),
    ],
)
def test_open_loops_are_not_taken_for_facts(kind: str, text: str) -> None:
    assert not {"current_event", "inventory_fact", "emotional_snapshot", "completed_question"} & set(
        broken(kind, text)
    )


@pytest.mark.parametrize(
    ("override", "complaint"),
    [
        ({"thresholds": {"MORAL": 0}}, "thresholds.MORAL"),
        ({"entry_prefixes": {"threats": "td"}}, "prefixes"),
        ({"rules": {"form_goal": {"strict": "maybe"}}}, "reject, repair, warn"),
        ({"overdue": {"HIGH": "soon"}}, "overdue"),
    ],
)
def test_a_policy_that_makes_no_sense_is_refused_by_name(override: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidPolicy, match=complaint):
        from_tables({"weave": override})


def test_a_user_may_change_one_number_of_a_table() -> None:
    changed = from_tables({"weave": {"overdue": {"HIGH": 2}}}).weave
    assert [changed.overdue[u] for u in (Urgency.HIGH, Urgency.MEDIUM, Urgency.LOW)] == [2, 7, 10]
