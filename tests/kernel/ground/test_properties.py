"""No choice outside the pool, no call on an unchanged fingerprint, budgets kept, order and time no evidence."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.ground.canonical import canonical
from clew.policy import default, from_tables
from tests.kernel.ground.asking import AT, CHAT, FRESH, WIDGET, ask

POLICY = default().ground
WORDS = [
    "open",
    "the",
    "sample2",
    "sample",
    "second",
    "that",
    "one",
    "other",
    "yes",
    "no",
    "please",
    "why",
    "what",
    "from",
    "chat",
    "not",
    "sounds",
    "good",
    "and",
    "explain",
    "cancel",
    "find",
    "else",
    "2",
    "열어줘",
    "그거",
    "?",
    ",",
]
texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=30)
labels = st.sampled_from(
    ["sample1", "sample2", "Sample 2", "notes", "open", "yes", "the other", "!!", "샘플"]
)
pools = st.lists(labels, max_size=5).map(
    lambda found: [{"id": f"c{i}", "label": label} for i, label in enumerate(found)]
)
ids = st.sampled_from(["c0", "c1", "c2", "ghost"])
kinds = st.lists(st.sampled_from(["chat_active_options", "active_widget_items", "bogus"]), max_size=3)
answers = st.lists(
    st.fixed_dictionaries(
        {
            "decision": st.sampled_from(["select", "need_more_info", "none", "request_context", "rubbish"]),
            "choice_id": ids,
            "confidence": st.sampled_from([0, 0.5, 0.6, 0.9, 1, 7]),
            "neededEvidenceTypes": kinds,
        }
    )
    | st.fixed_dictionaries(
        {"error": st.sampled_from(["timeout", "rate_limited", "transport_error", "odd"])}
    ),
    max_size=5,
)
enrichments = st.dictionaries(
    st.sampled_from(["chat_active_options", "active_widget_items", "bogus"]),
    st.dictionaries(ids, st.fixed_dictionaries({"path": st.sampled_from(["a", "b"])}), max_size=2),
    max_size=2,
)
states = st.fixed_dictionaries(
    {
        "activeOptionSetId": st.sampled_from([None, "set-1", "set-2"]),
        "activeScope": st.sampled_from([None, CHAT, WIDGET]),
        "recentRejectedChoiceIds": st.lists(ids, max_size=3),
        "lastAcceptedChoiceId": st.sampled_from([None, "c0", "ghost"]),
        "pendingClarifierType": st.sampled_from(["none", "confirmation", "selection_disambiguation"]),
    }
)
AUTO = from_tables({"ground": {"auto_execute_enabled": True}})


@settings(max_examples=80, deadline=None)
@given(texts, pools, states, answers, enrichments, st.booleans(), st.sampled_from([None, "c0", "ghost"]))
def test_bounds_hold_whatever_is_said(
    text: str,
    pool: list[Any],
    state: dict[str, Any],
    llm: list[Any],
    enrichment: dict[str, Any],
    auto: bool,
    offered: str | None,
) -> None:
    answer = ask(
        text,
        candidates=pool,
        continuity=state,
        llm=llm,
        enrichment=enrichment,
        last_offered_id=offered,
        policy=AUTO if auto else None,
    )
    assert answer["outcome"] in ("execute", "clarify", "answer", "escape")
    assert (answer["outcome"] == "execute") == ("choice_id" in answer)
    if answer["outcome"] == "execute":
        assert answer["choice_id"] in {c["id"] for c in pool if c["label"] != "!!"}
        assert state["activeOptionSetId"] in (None, "set-1")
        assert state["activeScope"] in (None, CHAT)
        assert "fallback_reason" not in answer
    assert (answer["outcome"] == "clarify") == ("clarifier" in answer)
    if answer["outcome"] == "clarify":
        assert {c["id"] for c in answer["clarifier"]["candidates"]} <= {c["id"] for c in pool}
    budget = POLICY.selection_max_llm_calls if answer["lane"] == "selection" else 3
    assert answer["llm_calls"] <= min(budget, len(llm))
    assert answer["enrichment_steps"] <= (1 if answer["lane"] == "selection" else 2)
    # A call per fingerprint at most.
    assert answer["llm_calls"] <= len(set(answer["fingerprints"]))
    for event in answer["telemetry"]:
        if event["name"].endswith("enrichment_retry_called"):
            assert event["fingerprint_before"] != event["fingerprint_after"]
    for window in ("recentAcceptedChoiceIds", "recentRejectedChoiceIds", "recentActionTrace"):
        assert len(answer["continuity"][window]) <= 5
    json.dumps(answer)


@settings(max_examples=40, deadline=None)
@given(texts, pools, states, answers)
def test_same_input_same_answer(text: str, pool: list[Any], state: dict[str, Any], llm: list[Any]) -> None:
    first = ask(text, candidates=pool, continuity=state, llm=llm)
    assert first == ask(text, candidates=[dict(c) for c in pool], continuity=state, llm=llm)


@settings(max_examples=40, deadline=None)
@given(pools, st.randoms(use_true_random=False), st.sampled_from([AT, "2027-01-01T00:00:00+09:00"]))
def test_the_fingerprint_knows_neither_order_nor_time(pool: list[Any], shuffler: Any, at: str) -> None:
    shuffled = list(pool)
    shuffler.shuffle(shuffled)
    assert ask("x", candidates=pool)["fingerprints"] == ask("x", candidates=shuffled, at=at)["fingerprints"]


@settings(max_examples=40, deadline=None)
@given(pools.filter(bool), st.sampled_from(["sublabel", "path", "type", "owner"]))
def test_the_fingerprint_knows_every_disambiguator(pool: list[Any], name: str) -> None:
    changed = [{**pool[0], name: "new"}, *pool[1:]]
    assert ask("x", candidates=pool)["fingerprints"] != ask("x", candidates=changed)["fingerprints"]


@settings(max_examples=80, deadline=None)
@given(texts)
def test_peeling_is_idempotent(text: str) -> None:
    once = canonical(text, POLICY).text
    assert canonical(once, POLICY).text == once


@settings(max_examples=40, deadline=None)
@given(texts, states)
def test_continuity_survives_the_round_trip(text: str, state: dict[str, Any]) -> None:
    out = ask(text, continuity={**FRESH, **state})["continuity"]
    again = ask("hmm", continuity=out, option_set_id=out["activeOptionSetId"])
    assert again["outcome"] == "clarify"
