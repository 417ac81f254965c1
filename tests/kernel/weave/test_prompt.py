"""Acceptance 3: the prompts say exactly what the reconciler enforces, and their examples prove it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from clew.kernel.door import call
from clew.kernel.weave.narrate import narrate
from clew.kernel.weave.prompt import contract_prompt, page_rules
from clew.kernel.weave.shelves import read_story
from clew.model.fields import Fields
from clew.model.thread import PageKind, Thread, ThreadType, Urgency
from clew.policy import default, from_tables
from clew.policy.weave import LoopExample

POLICY = default()
OPEN = {"id": "td-1", "type": "MYSTERY", "text": "Who lit the signal fire on the night of the raid?"}
NEAR = {"type": "MYSTERY", "text": "Who really lit the signal fire on the night of the raid?"}
FAR = {"type": "MYSTERY", "text": "Who lit the signal fire on the eve of the raid?"}


def add(kind: str, text: str, **more: Any) -> dict[str, Any]:
    return {"threads": {"add": [{"type": kind, "text": text, **more}]}}


# One page for every rule that breaks it; state only where the rule needs an open thread.
BREAKING: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "duplicate_active": ({"threads": [OPEN]}, {"threads": {"add": [NEAR]}}),
    "missing_resolve": ({"threads": [OPEN]}, {"threads": {"add": [NEAR]}}),
    "licence_used": (
        {"threads": [OPEN]},
        {
            "threads": {
                "add": [
                    {"type": "MYSTERY", "text": "Who lit the signal fire on this winter night of looting"},
                    {"type": "MYSTERY", "text": "Who lit a lamp on the night of the raid?"},
                ],
                "resolve": ["td-1"],
            }
        },
    ),
    "noop_replacement": (
        {"threads": [OPEN]},
        {"threads": {"add": [{"type": "MYSTERY", "text": OPEN["text"]}], "resolve": ["td-1"]}},
    ),
    "duplicate_batch": ({}, {"threads": {"add": [NEAR, FAR]}}),
    "duplicate_across_types": ({}, {"threads": {"add": [NEAR, {**NEAR, "type": "INFORMATION"}]}}),
    "hazard": ({}, add("DANGER", "Gunfire in the hallway")),
    "form_question": ({}, add("MYSTERY", "the masked rider")),
    "form_goal": ({}, add("QUEST", "Goal: reach the pass")),
    "form_prevention": ({}, add("DANGER", "Famine in the valley")),
    "form_bundled": ({}, add("MYSTERY", "Who came? Who left?")),
    "current_event": ({}, add("INFORMATION", "The gate is locked right now")),
    "inventory_fact": ({}, add("RESOURCE", "Alicia carries the silver key")),
    "emotional_snapshot": ({}, add("MORAL", "Alicia is ashamed")),
    "completed_question": ({}, add("MYSTERY", "The mystery of the fire is solved")),
    "high_limit": (
        {},
        {
            "threads": {
                "add": [
                    {**NEAR, "urgency": "HIGH"},
                    {"type": "MYSTERY", "text": "Where is Bobby?", "urgency": "HIGH"},
                ]
            }
        },
    ),
    "unknown_id": ({}, {"threads": {"resolve": ["td-4"]}}),
    "carries_id": ({}, add("MYSTERY", "Who came?", id="td-3")),
    "unknown_type": ({}, add("RUMOUR", "Who came?")),
    "unknown_urgency": ({}, add("MYSTERY", "Who came?", urgency="SOON")),
    "empty_text": ({}, add("MYSTERY", " ")),
    "malformed_add": ({}, {"threads": {"add": [4]}}),
    "duplicate_canon": ({}, {"canon": {"world": ["Magic fades at noon", "magic fades at noon!"]}}),
    "promise_by_payoff": ({}, {"promises": {"remove": ["pr-1"]}}),
    "malformed_entry": ({}, {"threats": {"add": [{"text": "wolves"}]}}),
    "duplicate_entry": ({}, {"health": {"add": ["broken arm", "Broken arm."]}}),
    "promise_limit": ({}, {"promises": {"add": [f"the {n} bell will ring" for n in "abcdefghi"]}}),
}


def reported(state: dict[str, Any], page: dict[str, Any]) -> set[str]:
    story = read_story(Fields(state), POLICY.weave)
    return {d.rule.removeprefix("weave.") for d in narrate(story, Fields(page), POLICY, "strict").diagnostics}


def said(page: PageKind) -> set[str]:
    return set(re.findall(r"\[weave\.(\w+) ", contract_prompt(page, POLICY.weave)))


@pytest.mark.rule(" acceptance 3")
@pytest.mark.parametrize("rule", BREAKING)
def test_every_rule_the_prompt_says_is_enforced(rule: str) -> None:
    assert rule in reported(*BREAKING[rule])


@pytest.mark.rule(" acceptance 3")
def test_prompt_and_reconciler_hold_exactly_the_same_rules() -> None:
    on_opening = {rule for rule, (state, _) in BREAKING.items() if not state}
    assert said(PageKind.OPENING) == on_opening
    assert said(PageKind.CONTINUATION) == set(BREAKING)
    unsaid = set(POLICY.weave.rules) - set(BREAKING)
    assert unsaid == {"malformed_state"}, "every rule about a proposal is said somewhere"
    assert said(PageKind.OPENING) == set(page_rules(PageKind.OPENING, POLICY.weave))


@pytest.mark.rule(" acceptance 3")
@pytest.mark.parametrize("example", POLICY.weave.examples, ids=lambda e: e.text[:50])
def test_every_example_of_the_prompt_gets_the_verdict_it_shows(example: LoopExample) -> None:
    state = [{"id": "td-1", "type": example.type.value, "text": example.beside}] if example.beside else []
    payload = {"threads": state, "add": [{"type": example.type.value, "text": example.text}]}
    found = [d["rule"] for d in call("threads", payload, mode="strict")["diagnostics"]]
    assert (f"weave.{example.rule}" in found) if example.rule else found == []
    assert example.text in contract_prompt(PageKind.CONTINUATION, POLICY.weave)


def test_numbers_and_words_in_the_prompt_come_from_policy() -> None:
    text = contract_prompt(PageKind.CONTINUATION, POLICY.weave)
    for number in ("0.58", "0.62", "0.66", *POLICY.weave.stop_phrases, *POLICY.weave.templates.values()):
        assert number in text
    changed = from_tables({"weave": {"thresholds": {"MORAL": 0.75}, "high_per_page": 2}})
    other = contract_prompt(PageKind.CONTINUATION, changed.weave)
    assert "0.75 for MORAL" in other and "At most 2 new HIGH" in other
    assert "{" not in text


def test_the_opening_asks_for_no_resolve_and_the_continuation_lists_what_presses_first() -> None:
    threads = (
        Thread("td-1", ThreadType.QUEST, "Cross the pass", Urgency.LOW, age=3),
        Thread("td-2", ThreadType.MYSTERY, "Who came?", Urgency.HIGH, age=6),
    )
    text = contract_prompt(PageKind.CONTINUATION, POLICY.weave, threads)
    assert text.index("td-2 MYSTERY HIGH, overdue") < text.index("td-1 QUEST LOW: Cross")
    assert "td-2" not in contract_prompt(PageKind.OPENING, POLICY.weave, threads)
