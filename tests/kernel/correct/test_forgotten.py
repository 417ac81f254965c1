"""What was forgotten holds back earlier words, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from clew.kernel.correct.forgotten import NOTHING, forgotten_in
from clew.kernel.correct.forgotten_marks import forgotten_words, unrecorded
from clew.kernel.correct.nearest import held_in
from clew.model.memory import MemoryRecord, MemoryStatus, MemoryType
from clew.policy import default

P = default()
AT = datetime(2026, 3, 14, tzinfo=UTC)
HELD = MemoryRecord(
    "a", MemoryType.FACT, "fact:occupation", "nurse", Decimal("0.80"), MemoryStatus.INVALID, AT, AT, ("m1",),
    invalid_reason="user_forgot", ended_at=AT + timedelta(days=1),
)  # fmt: skip


@pytest.mark.rule("M5")
@pytest.mark.parametrize(
    ("text", "days", "held_back"),
    [
        ("I'm a nurse at St Mary's", 0, True),
        ("nurses get no sleep", 0, True),
        ("I'm a nurse again", 2, False),  # said afterwards, of their own accord
        ("I live in Oslo", 0, False),
    ],
)
def test_earlier_words_that_hold_it_stay_back(text: str, days: int, held_back: bool) -> None:
    assert forgotten_in([HELD], P).holds(text, AT + timedelta(days=days)) is held_back


@pytest.mark.rule("M5")
def test_the_message_that_told_it_stays_back_whatever_its_words() -> None:
    assert forgotten_in([HELD], P).holds("long shift today", AT, "m1")


def test_what_is_over_denied_or_brought_back_holds_nothing_back() -> None:
    kept = [
        replace(HELD, invalid_reason="user_ended"),
        replace(HELD, invalid_reason="user_denied"),
        replace(HELD, status=MemoryStatus.ACTIVE, invalid_reason=None, ended_at=None),
    ]
    assert forgotten_in(kept, P) == NOTHING


@pytest.mark.rule("M5")
def test_another_memory_of_the_same_words_is_told_by_its_value_alone() -> None:
    city = replace(
        HELD, memory_id="b", memory_key="fact:current_city", memory_value="Oslo", status=MemoryStatus.ACTIVE,
        invalid_reason=None, ended_at=None, statement="I'm a nurse in Oslo",
    )  # fmt: skip
    (clean,) = forgotten_in([HELD], P).memories([city])
    assert clean.statement is None and clean.memory_value == "Oslo"


@pytest.mark.rule("M5")
def test_what_no_memory_held_leaves_only_a_mark() -> None:
    made = forgotten_words("Marcus from accounting", ("m3",), "m4", AT, P)
    assert made is not None
    gone = forgotten_in([made[0]], P)
    assert gone.holds("I met Marcus from accounting", AT)
    assert not gone.holds("accounting is dull", AT)


@pytest.mark.rule("M4")
def test_off_the_record_keeps_the_id_and_no_words() -> None:
    first = unrecorded(None, "m1", AT)
    both = unrecorded(first, "m2", AT)
    assert both.source_message_ids == ("m1", "m2") and both.memory_value == "off the record"
    assert forgotten_in([both], P).holds("anything", AT, "m2")
    assert not forgotten_in([both], P).holds("off the record", AT, "m9")


def test_a_word_is_held_whatever_ending_it_has() -> None:
    assert held_in({"잘린"}, {"이마트에서", "잘렸어"}) == {"잘린"}
    assert held_in({"gambling"}, {"i", "gambled", "a", "lot"}) == set()
    assert held_in({"sacked"}, {"they", "sack", "people"}) == {"sacked"}
    assert held_in({"bi"}, {"i", "study", "biology"}) == set()
