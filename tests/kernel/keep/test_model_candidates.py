"""When a model may be asked, and what of its answer is believed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from clew.kernel.keep.model_candidates import read_answer, wants_model
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
    return {"candidates": [{"type": t, "key": k, "value": v} for t, k, v in rows]}


def test_a_model_is_believed_only_where_the_message_says_it() -> None:
    text = "I have been eating so much ramen with my sister who lives in Busan"
    got, reasons = read_answer(
        answer(
            ("PREFERENCE", "pref:food:ramen", "like|ramen"),
            ("FACT", "fact:occupation", "pilot"),
            ("FACT", "fact:favourite_number", "7"),
        ),
        text,
        (),
        P,
    )
    assert [(c.key, str(c.confidence), c.origin) for c in got] == [("pref:food:ramen", "0.75", "llm")]
    assert [r.rule for r in reasons] == ["extract.model.ungrounded", "extract.model.unmappable"]


def test_a_model_never_overrides_what_the_user_stated() -> None:
    text = "I live in Busan, I moved from Seoul"
    stated = [Candidate(MemoryType.FACT, "fact:current_city", "Busan", Decimal("0.60"))]
    got, reasons = read_answer(answer(("FACT", "fact:current_city", "Seoul")), text, stated, P)
    assert (got, [r.rule for r in reasons]) == ((), ["extract.model.already_stated"])


@pytest.mark.parametrize(
    "junk", [None, "text", [], {}, {"candidates": "x"}, {"candidates": [1, None, {"type": "FACT"}]}]
)
def test_an_unreadable_answer_gives_nothing_and_never_fails(junk: object) -> None:
    assert read_answer(junk, "hello", (), P)[0] == ()
