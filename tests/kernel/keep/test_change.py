"""What changes, ends, stays beside, and stays forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from clew.kernel.keep.applied_changes import Change
from clew.kernel.keep.barred_values import value_hash
from clew.kernel.keep.candidates import candidates, endings
from clew.kernel.keep.change_reader import Verdict
from clew.kernel.keep.lifecycle import restore
from clew.kernel.keep.merge import remember
from clew.kernel.keep.suppression import lift_spoken_of
from clew.model.memory import MemoryRecord, MemoryStatus, Remembered
from clew.model.profile import UserControls
from clew.model.utterance import Statement
from tests.kernel.keep.test_candidates import AT, ZONE, P, told

ACTIVE, SUPERSEDED, INVALID = MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.INVALID


class Life:
    """Messages told one after the other."""

    def __init__(self) -> None:
        self.memories: tuple[MemoryRecord, ...] = ()
        self.controls = UserControls()
        self.at = AT
        self.last: Remembered | None = None

    def tell(self, *statements: Statement, **more: Any) -> Life:
        self.at += timedelta(days=1)
        self.last = remember(
            self.memories,
            candidates(statements, self.at, ZONE, P),
            self.controls,
            message_id=f"m{self.at.day}",
            at=self.at,
            policy=P,
            endings=endings(statements, P),
            **more,
        )
        self.memories, self.controls = self.last.memories, self.last.controls
        return self

    def of(self, status: MemoryStatus = ACTIVE, prefix: str = "") -> dict[str, str]:
        return {
            m.memory_key: m.memory_value
            for m in self.memories
            if m.status is status and m.memory_key.startswith(prefix)
        }

    def reasons(self) -> Sequence[str]:
        assert self.last is not None
        return [f"{e.kind} {e.reason}" for e in self.last.events]


@pytest.mark.rule("M8", "N1")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (told("city", "Seoul"), told("city", "Porto")),
        (told("age", "30"), told("age", "31")),
        (told("employer", "Siemens"), told("employer", "Bosch")),
        (told("tech", "Python 3.11"), told("tech", "Python 3.12")),
        (told("code", "4417", "my locker code is 4417"), told("code", "5580", "my locker code is now 5580")),
        (told("like", "sushi"), told("dislike", "sushi")),
        (told("like", "teal", "I love teal"), told("dislike", "teal", "I can't stand teal")),
        (told("diet", "pork"), told("diet", "pork", status="not")),
        (told("allergy", "peanuts"), told("allergy", "peanuts", status="not")),
        (told("job", "nurse", subject="person:sister"), told("job", "baker", subject="person:sister")),
    ],
)
def test_a_changed_fact_leaves_only_the_new_one_and_the_old_is_history(
    before: Statement, after: Statement
) -> None:
    life = Life().tell(before)
    (old,) = life.memories
    life.tell(after)
    gone, new = life.memories
    assert gone.memory_id == old.memory_id and gone.status is SUPERSEDED
    assert gone.superseded_by == new.memory_id and new.status is ACTIVE


@pytest.mark.rule("M8")
@pytest.mark.parametrize(
    ("one", "two"),
    [
        (told("allergy", "peanuts"), told("allergy", "penicillin")),
        (told("language", "Turkish"), told("language", "German")),
        (told("like", "coffee"), told("like", "tea")),
        (told("like", "pop"), told("like", "k-pop")),
        (told("possession", "an old Corolla"), told("possession", "a bike")),
        (told("tech", "Python 3.12"), told("tech", "React 19")),
        (
            told("job", "nurse", subject="person:sister", name="Mina"),
            told("job", "baker", subject="person:sister", name="Yuna"),
        ),
        (told("city", "Seoul"), told("city", "Busan", subject="person:mother")),
        (told("name", "Paris", subject="person:daughter"), told("city", "Paris")),
        (told("name", "Bibimbap", subject="pet:dog"), told("like", "bibimbap")),
        (told("code", "4417", "my locker code is 4417"), told("code", "9921", "the gate code is 9921")),
        (told("condition", "asthma"), told("condition", "asthma", subject="person:son")),
    ],
)
def test_two_that_may_stand_together_both_stay(one: Statement, two: Statement) -> None:
    life = Life().tell(one).tell(two)
    assert [m.status for m in life.memories] == [ACTIVE, ACTIVE]


@pytest.mark.rule("M8")
@pytest.mark.parametrize(
    ("one", "two"),
    [
        (told("like", "sushi"), told("like", "sushi a lot")),
        (told("allergy", "peanuts"), told("allergy", "a peanut")),
        (told("possession", "an old Corolla"), told("possession", "the old Corolla")),
        (told("city", "Oslo"), told("city", "oslo")),
    ],
)
def test_the_same_thing_told_again_is_confirmed(one: Statement, two: Statement) -> None:
    life = Life().tell(one).tell(two)
    (only,) = life.memories
    assert len(only.source_message_ids) == 2 and "confirmed remember.same_value" in life.reasons()


@pytest.mark.rule("M2")
def test_my_sister_is_the_one_sister_known_by_name() -> None:
    life = Life().tell(told("job", "nurse", subject="person:sister"))
    life.tell(told("name", "Mina", subject="person:sister"))
    life.tell(told("job", "baker", subject="person:sister"))
    assert life.of() == {"person:sister:mina": "Mina", "person:sister:mina:job": "baker"}
    life.tell(told("job", "pilot", subject="person:sister", name="Yuna"))
    life.tell(told("city", "Daegu", subject="person:sister"))
    assert life.of()["person:sister:_:city"] == "Daegu"  # which of the two is open
    assert life.of()["person:sister:mina:job"] == "baker"


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    ("held", "over"),
    [
        (told("employer", "Deloitte"), told("employer", "Deloitte", "left Deloitte", status="ended")),
        (told("job", "barista"), told("job", "job", "I quit my job", status="ended")),
        (told("city", "Seoul"), told("city", "Seoul", "moved out of Seoul", status="ended")),
        (
            told("relationship", "dating Tunde"),
            told("relationship", "Tunde", "Tunde and I broke up", status="ended"),
        ),
        (
            told("name", "Tunde", subject="person:boyfriend"),
            told("relationship", "Tunde", "Tunde and I broke up", status="ended"),
        ),
        (
            told("possession", "an old Corolla"),
            told("possession", "the Corolla", "sold the Corolla", status="ended"),
        ),
        (told("sport", "climbing"), told("hobby", "climbing", "gave up climbing", status="ended")),
        (told("routine", "담배 피워"), told("routine", "담배", "담배 끊었어", status="ended")),
        (told("job", "nurse"), told("job", "nurse", "I'm not a nurse", status="not")),
        (told("work_hours", "nights"), told("job", "work", "quit work", status="ended")),
    ],
)
def test_an_ending_closes_what_it_names_or_implies(held: Statement, over: Statement) -> None:
    life = Life().tell(held)
    (before,) = life.memories
    life.tell(over)
    after = next(m for m in life.memories if m.memory_id == before.memory_id)
    assert after.status is INVALID and after.ended_at is not None
    assert after.invalid_reason == ("user_denied" if over.status == "not" else "user_ended")
    assert any(r.startswith("invalidated") for r in life.reasons())
    assert any(m.status is ACTIVE and m.statement == over.sentence for m in life.memories)


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    ("held", "over"),
    [
        (
            told("employer", "Siemens"),
            told("employer", "Deloitte", "left Deloitte years ago", status="ended"),
        ),
        (told("job", "nurse"), told("job", "doordash", "quit doordash", status="ended")),
        (told("city", "Porto"), told("city", "Seoul", "moved away from Seoul", status="ended")),
        (told("like", "jazz"), told("like", "techno", "went off techno", status="ended")),
        (
            told("job", "nurse", subject="person:sister"),
            told("job", "nurse", "stopped being a nurse", status="ended"),
        ),
        (
            told("name", "Sam", subject="person:boyfriend"),
            told("relationship", "Tunde", "Tunde and I broke up in 2019", status="ended"),
        ),
    ],
)
def test_an_ending_leaves_what_it_does_not_name(held: Statement, over: Statement) -> None:
    life = Life().tell(held)
    (before,) = life.memories
    life.tell(over)
    assert next(m for m in life.memories if m.memory_id == before.memory_id).status is ACTIVE


@pytest.mark.rule("M7")
def test_what_is_told_beside_is_not_ended_by_what_does_not_name_it() -> None:
    over = told("school", "degree", "later I did a degree in nursing", status="ended")
    life = Life().tell(told("major", "law"))
    (before,) = life.memories
    life.tell(over, changes=[Change(before.memory_id, Verdict.COEXISTS, 0.1)])
    assert next(m for m in life.memories if m.memory_id == before.memory_id).status is ACTIVE


@pytest.mark.rule("M7")
def test_what_replaces_in_the_same_message_stays() -> None:
    life = Life().tell(told("employer", "Deloitte"), told("job", "auditor"))
    text = "left Deloitte, now an analyst at EY"
    life.tell(
        told("employer", "Deloitte", text, status="ended"),
        told("employer", "EY", text),
        told("job", "analyst", text),
    )
    assert life.of(prefix="fact:") == {"fact:employer": "EY", "fact:occupation": "analyst"}
    assert life.of(SUPERSEDED) == {"fact:employer": "Deloitte", "fact:occupation": "auditor"}


@pytest.mark.rule("M7")
def test_a_death_makes_where_somebody_lived_history_and_keeps_the_name() -> None:
    life = Life().tell(
        told("name", "Werner", subject="person:husband"), told("city", "Graz", subject="person:husband")
    )
    life.tell(told("death", "passed away", "Werner passed away", subject="person:husband", status="past"))
    assert set(life.of()) == {"person:husband:werner", "person:husband:werner:death"}
    assert life.of(SUPERSEDED) == {"person:husband:werner:city": "Graz"}


def test_contradictory_facts_in_one_sentence_leave_the_last() -> None:
    life = Life().tell(told("city", "Oslo"), told("city", "Bergen"))
    assert life.of() == {"fact:current_city": "Bergen"}


# -- forgetting --------------------------------------------------------------------------------


@pytest.mark.rule("M5")
def test_a_forgotten_value_stays_barred_and_a_new_one_frees_the_key() -> None:
    life = Life()
    life.controls = UserControls(
        suppressed_memory_keys=("fact:occupation",),
        suppressed_values=(value_hash("fact:occupation", "nurse", P),),
    )
    again = candidates([told("job", "Nurse")], AT, ZONE, P)
    assert lift_spoken_of(life.controls, again, P) == (life.controls, ())
    life.tell(told("job", "Nurse"))
    assert life.of() == {} and life.reasons() == ["skipped remember.suppressed"]
    news = candidates([told("job", "baker")], AT, ZONE, P)
    lifted, events = lift_spoken_of(life.controls, news, P)
    assert [e.reason for e in events] == ["remember.spoken_of_again fact:occupation"]
    life.controls = lifted
    life.tell(told("job", "nurse"))
    assert life.reasons() == ["skipped remember.suppressed_value"]
    life.tell(told("job", "baker"))
    assert life.of() == {"fact:occupation": "baker"}


@pytest.mark.rule("M5")
def test_remember_lifts_both_bars_and_the_kernel_alone_lifts_none() -> None:
    life = Life()
    life.controls = UserControls(
        suppressed_memory_keys=("fact:occupation",),
        suppressed_values=(value_hash("fact:occupation", "nurse", P),),
    )
    life.tell(told("job", "baker"))
    assert life.reasons() == ["skipped remember.suppressed"]
    life.tell(told("job", "nurse"), explicit=True)
    assert life.of() == {"fact:occupation": "nurse"} and life.controls == UserControls()


@pytest.mark.rule("M5")
def test_hating_what_was_liked_and_forgotten_is_another_value() -> None:
    assert value_hash("pref:food:sushi", "like|sushi", P) != value_hash("pref:food:sushi", "dislike|sushi", P)


@pytest.mark.rule("M5")
def test_what_is_restored_is_barred_no_longer() -> None:
    life = Life().tell(told("job", "nurse"))
    (held,) = life.memories
    gone = replace(held, status=INVALID, ended_at=datetime(2026, 4, 1, tzinfo=UTC))
    barred = UserControls(suppressed_values=(value_hash(held.memory_key, held.memory_value, P),))
    assert restore([gone], [held.memory_id], barred, at=AT, policy=P).controls == UserControls()


def test_nothing_ends_in_a_crisis() -> None:
    life = Life().tell(told("job", "nurse"))
    life.tell(told("job", "nurse", "quit being a nurse", status="ended"), crisis=True)
    assert life.of() == {"fact:occupation": "nurse"}
