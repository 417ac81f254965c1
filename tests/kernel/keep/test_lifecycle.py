"""The table of statuses, and bringing back what was removed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from clew.errors import InvalidInput
from clew.kernel.keep.lifecycle import TRANSITIONS, as_of, current, move, restore
from clew.model.memory import EventKind, MemoryRecord, MemoryStatus, MemoryType
from clew.model.profile import UserControls

AT = datetime(2026, 11, 15, tzinfo=UTC)
RECORD = MemoryRecord(
    "a", MemoryType.FACT, "fact:school", "KAIST", Decimal("0.60"), MemoryStatus.ACTIVE, AT, AT
)
CHANGES = ("confirm", "supersede", "invalidate", "restore")


def test_every_status_has_its_row() -> None:
    assert set(TRANSITIONS) == set(MemoryStatus)


@pytest.mark.parametrize("status", MemoryStatus)
@pytest.mark.parametrize("change", CHANGES)
def test_only_listed_changes_happen(status: MemoryStatus, change: str) -> None:
    record = replace(RECORD, status=status)
    if change in TRANSITIONS[status]:
        moved = move(record, change, AT, by="b", reason="user_denied")  # type: ignore[arg-type]
        assert moved.status is TRANSITIONS[status][change]  # type: ignore[index]
        assert (moved.superseded_by is not None) == (moved.status is MemoryStatus.SUPERSEDED)
        assert (moved.invalid_reason is not None) == (moved.status is MemoryStatus.INVALID)
    else:
        with pytest.raises(InvalidInput):
            move(record, change, AT)  # type: ignore[arg-type]


def test_restoring_a_forgotten_memory_lifts_its_suppression() -> None:
    gone = move(RECORD, "invalidate", AT, reason="user_forgot")
    done = restore([gone], ["a"], UserControls(suppressed_memory_keys=("fact:school", "fact:major")), at=AT)
    assert done.memories[0].status is MemoryStatus.ACTIVE
    assert done.memories[0].invalid_reason is None
    assert done.controls.suppressed_memory_keys == ("fact:major",)
    assert [e.kind for e in done.events] == [EventKind.RESTORED]


def test_restoring_an_old_value_puts_the_new_one_behind_it() -> None:
    old = move(RECORD, "supersede", AT, by="b")
    new = replace(RECORD, memory_id="b", memory_value="MIT")
    done = restore([old, new], ["a"], UserControls(), at=AT)
    assert [m.status for m in done.memories] == [MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED]
    assert done.memories[1].superseded_by == "a"


def test_restoring_what_is_active_or_unknown_does_nothing() -> None:
    done = restore([RECORD], ["a", "zzz"], UserControls(), at=AT)
    assert done.memories == (RECORD,)
    assert [e.kind for e in done.events] == [EventKind.SKIPPED, EventKind.SKIPPED]


def test_what_was_true_then_is_found_by_its_interval() -> None:
    later = AT + timedelta(days=10)
    old = replace(move(RECORD, "supersede", later, by="b"))
    new = replace(RECORD, memory_id="b", memory_value="MIT", created_at=later, last_confirmed_at=later)
    ids = [tuple(m.memory_id for m in as_of([old, new], AT + timedelta(days=d))) for d in (-1, 0, 9, 10, 20)]
    assert ids == [(), ("a",), ("a",), ("b",), ("b",)]


def test_a_restored_value_was_away_while_another_held_its_key() -> None:
    """A, then B, then A again: at every moment one value is current."""
    there, back = AT + timedelta(days=10), AT + timedelta(days=20)
    old = move(RECORD, "supersede", there, by="b")
    new = replace(RECORD, memory_id="b", memory_value="MIT", created_at=there, last_confirmed_at=there)
    done = restore([old, new], ["a"], UserControls(), at=back)
    ids = [tuple(m.memory_id for m in as_of(done.memories, AT + timedelta(days=d))) for d in (5, 15, 25)]
    assert ids == [("a",), ("b",), ("a",)]


@pytest.mark.rule("P76")
def test_recall_sees_only_active_unpaused_unsuppressed_memories() -> None:
    records = [
        RECORD,
        replace(RECORD, memory_id="b", memory_key="fact:major"),
        replace(RECORD, memory_id="c", memory_key="fact:timezone", paused=True),
        replace(RECORD, memory_id="d", memory_key="fact:occupation", status=MemoryStatus.INVALID),
    ]
    assert [m.memory_id for m in current(records, UserControls(suppressed_memory_keys=("fact:major",)))] == [
        "a"
    ]
