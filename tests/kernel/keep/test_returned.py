"""What was over comes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from clew.kernel.keep.lifecycle import move
from clew.kernel.keep.returned import come_back, says_back
from clew.model.key import Key
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.policy import default

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOW = THEN + timedelta(days=20)
POLICY = default()


def over(key: str, value: str, attribute: str, subject: str = "self", reason: str = "user_ended") -> MemoryRecord:
    return move(held(key, value, attribute, subject), "invalidate", THEN, reason=reason)


def held(key: str, value: str, attribute: str, subject: str = "self") -> MemoryRecord:
    parsed = Key.parse(key)
    assert parsed is not None
    return MemoryRecord(
        memory_id=f"id-{key}-{value}",
        type=parsed.type,
        memory_key=key,
        memory_value=value,
        confidence=Decimal("0.70"),
        status=MemoryStatus.ACTIVE,
        created_at=THEN - timedelta(days=30),
        last_confirmed_at=THEN - timedelta(days=30),
        source_message_ids=("m1",),
        subject=subject,
        attribute=attribute,
        statement=value,
    )


MAREK = over("person:boyfriend:marek", "Marek", "name", "person:boyfriend")
HIS_JOB = over("person:boyfriend:marek:job", "welder", "job", "person:boyfriend")
WINE = over("habit:drink_wine_every_night", "drink wine every night", "routine")
CHOIR = over("pref:hobby:singing_in_a_choir", "like|singing in a choir", "hobby")
YOGA = over("habit:요가_다녀", "요가 다녀", "routine")
DENIED = over("habit:drink_wine_daily", "drink wine daily", "routine", reason="user_denied")


def back(text: str, *memories: MemoryRecord) -> set[str]:
    assert says_back(text, POLICY)
    after, _ = come_back(memories, text, "m9", NOW, POLICY)
    return {m.memory_value for m in after if m.status is MemoryStatus.ACTIVE}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Marek and I got back together", {"Marek", "welder"}),
        ("we're back together!", {"Marek", "welder"}),
        ("started drinking wine again, sigh", {"drink wine every night"}),
        ("I'm singing in the choir again", {"like|singing in a choir"}),
        ("요가 다시 시작했어", {"요가 다녀"}),
    ],
)
def test_what_ended_holds_again_with_all_that_ended_with_it(text: str, values: set[str]) -> None:
    assert back(text, MAREK, HIS_JOB, WINE, CHOIR, YOGA, DENIED) == values


def test_others_who_are_together_again_bring_nobody_back() -> None:
    assert back("Iris and Paul got back together", MAREK) == set()


def test_nobody_comes_back_beside_somebody_else_unless_named() -> None:
    jan = held("person:boyfriend:jan", "Jan", "name", "person:boyfriend")
    assert back("we're back together", MAREK, jan) == {"Jan"}


def test_what_gave_way_comes_back_in_the_place_of_what_took_it() -> None:
    law = held("fact:major", "law", "major")
    history = move(held("fact:major", "history", "major"), "supersede", THEN, by=law.memory_id)
    law = replace(law, source_message_ids=("m2",))
    assert back("I'm doing history again", history, law) == {"history"}
    assert back("I'm doing history again", replace(history, source_message_ids=("m1", "m2")), law) == {"law"}
