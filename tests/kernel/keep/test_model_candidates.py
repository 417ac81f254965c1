"""When a model may be asked, and what of its answer is believed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.keep.model_asking import wants_model
from clew.kernel.keep.model_candidates import ModelReading, read_answer
from clew.kernel.read.utterance import read
from clew.model.memory import Candidate, MemoryType
from clew.policy import default

P = default()
AT = datetime(2026, 11, 15, tzinfo=UTC)


@pytest.mark.rule(" 12.2")
@pytest.mark.parametrize(
    ("text", "valence", "strong", "rule"),
    [
        ("x" * 200, 0.0, False, "extract.long"),
        ("x" * 199, 0.0, False, None),
        ("x", 0.6, False, "extract.strong_emotion"),
        ("x", -0.6, False, "extract.strong_emotion"),
        ("x", 0.59, False, None),
        ("x", 0.0, True, "extract.strong_emotion"),
    ],
)
def test_the_gate_opens_for_long_or_strongly_felt_messages(
    text: str, valence: float, strong: bool, rule: str | None
) -> None:
    reason = wants_model(text, P, valence=valence, strong=strong)
    assert (reason.rule if reason else None) == rule


@pytest.mark.rule("P82")
def test_the_gate_opens_when_a_key_came_twice_within_seven_days() -> None:
    week = timedelta(days=7)
    seen = {"fact:school": [AT - week, AT], "fact:major": [AT - week - timedelta(seconds=1), AT]}
    reason = wants_model("x", P, seen=seen, at=AT)
    assert reason is not None and reason.detail == "fact:school"
    assert wants_model("x", P, seen={"fact:major": seen["fact:major"]}, at=AT) is None


def answer(*rows: tuple[str, str, str]) -> dict[str, object]:
    """Candidates by key of memory; those by attribute are tested with the endpoint."""
    return {"candidates": [{"type": t, "key": k, "value": v} for t, k, v in rows]}


def believed(given: object, text: str, stated: Sequence[Candidate] = ()) -> ModelReading:
    return read_answer(given, read(text, P), stated, P, at=AT, zone=ZoneInfo("UTC"))


def test_a_model_is_believed_only_where_the_message_says_it() -> None:
    got = believed(
        answer(
            ("PREFERENCE", "pref:food:ramen", "like|ramen"),
            ("FACT", "fact:occupation", "pilot"),
            ("FACT", "fact:favourite_number", "7"),
        ),
        "I have been eating so much ramen with my sister who lives in Busan",
    )
    found = [(c.key, str(c.confidence), c.origin) for c in got.candidates]
    assert found == [("pref:food:ramen", "0.75", "llm")]
    assert [r.rule for r in got.reasons] == ["extract.model.kept", *["extract.model.ungrounded"] * 2]
    assert got.counts == {"proposed": 3, "kept": 1, "changed": 0, "refused": 2, "known": 0}


def test_a_model_never_overrides_what_the_user_stated() -> None:
    stated = [Candidate(MemoryType.FACT, "fact:current_city", "Busan", Decimal("0.60"))]
    rows = answer(("FACT", "fact:current_city", "Haeundae"))
    got = believed(rows, "I live in Busan, Haeundae to be exact", stated)
    assert (got.candidates, [r.rule for r in got.reasons]) == ((), ["extract.model.already_stated"])


@pytest.mark.parametrize(
    "junk", [None, "text", [], {}, {"candidates": "x"}, {"candidates": [1, None, {"type": "FACT"}]}]
)
def test_an_unreadable_answer_gives_nothing_and_never_fails(junk: object) -> None:
    got = believed(junk, "hello")
    assert got.candidates == () and got.refused == got.proposed > 0


def test_more_than_the_policy_takes_are_refused_by_name() -> None:
    most = P.remember.extractor.candidates
    words = [f"thing{n}" for n in range(most + 3)]
    rows = {"candidates": [{"attribute": "possession", "value": w} for w in words]}
    got = believed(rows, f"I own {', '.join(words)}")
    assert [r.rule for r in got.reasons].count("extract.model.too_many") == 3


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=30),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
            st.sampled_from(["candidates", "subject", "name", "attribute", "value", "status", "key", "x"]), inner
        ),
        max_leaves=20,
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_a_model_answers_every_proposal_is_counted_once(junk: object) -> None:
    got = believed(junk, "I live in Busan and my sister Mina plays the cello")
    assert got.proposed == got.kept + got.changed + got.refused + got.known
