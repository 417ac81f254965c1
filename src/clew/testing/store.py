"""The store contract: a new store proves itself by subclassing `StoreContract`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from clew.engine.replay import rebuild
from clew.errors import ClewError
from clew.model.account import Lease, Message, Trace, User
from clew.model.event import Drop, Event
from clew.model.job import Job, JobKind, JobStatus
from clew.model.memory import MemoryRecord, MemoryStatus, MemoryType
from clew.model.profile import Answers, UserControls, UserState
from clew.model.relationship import RelationshipState, Stage
from clew.model.rows import (
    put_controls,
    put_memory,
    put_message,
    put_relationship,
    put_thread,
    put_trace,
    put_user,
)
from clew.model.thread import KeptThread, ThreadStatus, ThreadType, Urgency
from clew.model.topic import TopicId
from clew.ports.store import Store

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def event(kind: str, *changes: object, user_id: str = "u1") -> Event:
    return Event(kind=kind, at=AT, user_id=user_id, policy="p", changes=tuple(changes))  # type: ignore[arg-type]


def memory(memory_id: str, key: str = "fact:current_city", status: str = "ACTIVE") -> MemoryRecord:
    return MemoryRecord(
        memory_id=memory_id,
        type=MemoryType.FACT,
        memory_key=key,
        memory_value="Oslo ☃ 서울",
        confidence=Decimal("0.60"),
        status=MemoryStatus(status),
        created_at=AT,
        last_confirmed_at=AT,
        source_message_ids=("m1",),
    )


def message(number: int, conversation: str = "c1", role: str = "user") -> Message:
    return Message(
        message_id=f"{conversation}-m{number}",
        conversation_id=conversation,
        user_id="u1",
        role=role,
        text=f"line {number}",
        at=AT + timedelta(seconds=number),
        position=number,
    )


class StoreContract:
    """Subclass, and give `make_store` as a fixture that opens a fresh, empty store each time it is called."""

    @pytest.fixture
    def make_store(self) -> Iterator[Callable[[], Store]]:
        raise NotImplementedError

    @pytest.fixture
    def store(self, make_store: Callable[[], Store]) -> Store:
        return make_store()

    def test_what_is_put_is_read_back_unchanged(self, store: Store) -> None:
        user = User("u1", UserState.ONBOARDING, Answers(preferred_name="Mina 민아"), AT)
        controls = UserControls(False, AT, (TopicId.POLITICS,), ("pref:food:sushi",))
        bond = RelationshipState(Stage.FRIEND, 41, AT, None, 3, AT, 1, 2, True)
        with store.write("u1") as session:
            session.append(
                [
                    event(
                        "all",
                        put_user(user),
                        put_controls("u1", controls),
                        put_relationship("u1", "f1", bond),
                        put_memory("u1", "f1", memory("x")),
                        put_message(message(1)),
                        put_trace(Trace("m1", "c1", "u1", AT, {"a": [1, {"b": "é"}]})),
                    )
                ]
            )
        with store.read() as session:
            assert session.user("u1") == user
            assert session.controls("u1") == controls
            assert session.relationship("u1", "f1") == bond
            assert session.memories("u1", "f1") == [memory("x")]
            assert session.message("c1-m1") == message(1)
            trace = session.trace("m1")
            assert trace is not None and trace.body == {"a": [1, {"b": "é"}]}

    def test_threads_are_read_back_as_they_were_opened_and_closed(self, store: Store) -> None:
        first, second = (
            KeptThread(
                "c1", f"td-{n}", "u1", ThreadType.QUEST, f"Find the key {n}", Urgency.HIGH, ThreadStatus.OPEN,
                opened_turn=1, supersedes=(f"td-{n + 7}",), origin="user", reason=None, at=AT,
            )
            for n in (2, 10)
        )  # fmt: skip
        with store.write("u1") as session:
            session.append([event("opened", put_thread(second), put_thread(first))])
        with store.read() as session:
            assert session.threads("c1") == [first, second]
        closed = first.resolved("found it", AT + timedelta(days=1))
        with store.write("u1") as session:
            session.append([event("closed", put_thread(closed))])
        with store.read() as session:
            assert session.threads("c1") == [second]
            assert session.threads("c1", ThreadStatus.RESOLVED) == [closed]
            assert session.threads("c1", None) == [closed, second]

    def test_a_failed_write_leaves_nothing(self, store: Store) -> None:
        with pytest.raises(RuntimeError), store.write("u1") as session:
            session.append([event("one", put_message(message(1)))])
            raise RuntimeError("the power goes out")
        with store.read() as session:
            assert session.message("c1-m1") is None
            assert list(session.journal()) == []

    def test_two_active_memories_of_one_key_are_refused_by_the_database(self, store: Store) -> None:
        with store.write("u1") as session:
            session.append([event("one", put_memory("u1", "f1", memory("x")))])
        with pytest.raises(ClewError), store.write("u1") as session:
            session.append([event("two", put_memory("u1", "f1", memory("y")))])
        with store.write("u1") as session:
            session.append([event("other friend", put_memory("u1", "f2", memory("y")))])
            session.append([event("old", put_memory("u1", "f1", memory("z", status="SUPERSEDED")))])

    def test_memories_are_read_only_in_their_scope(self, store: Store) -> None:
        with store.write("u1") as session:
            session.append([event("one", put_memory("u1", "f1", memory("x")))])
        with store.read() as session:
            assert session.memories("u2", "f1") == []
            assert session.memories("u1", "f2") == []
            assert session.memories("u1", "f1", [MemoryStatus.INVALID]) == []

    def test_a_memory_named_by_id_is_found_only_in_its_own_scope(self, store: Store) -> None:
        many = [put_memory("u1", "f1", memory(f"m{n}", f"pref:food:dish_{n}")) for n in range(5)]
        theirs = put_memory("u2", "f2", memory("theirs"))
        gone = put_memory("u1", "f1", memory("gone", "pref:food:old", status="INVALID"))
        with store.write("u1") as session:
            session.append([event("one", *many, theirs, gone)])
        with store.read() as session:
            found = session.memories_matching(
                "u1", "f1", "", ids=["m0", "theirs", "gone"], per_term=10, newest=1
            )
        assert {m.memory_id for m in found} <= {f"m{n}" for n in range(5)}
        assert "m0" in {m.memory_id for m in found}

    def test_memories_are_found_by_how_their_key_begins(self, store: Store) -> None:
        """To the letter: no character of a key is a wildcard, and capitals are not small letters."""
        keys = ("fact:a_b", "fact:axb", "fact:a%c", "fact:A_b", "fact:서울_집", "pref:food:a_b", "fact:a")
        with store.write("u1") as session:
            puts = [put_memory("u1", "f1", memory(f"m{n}", key)) for n, key in enumerate(keys)]
            session.append([event("memory.kept", *puts, put_memory("u2", "f1", memory("other", "fact:a_b")))])
        with store.read() as session:
            for start, expected in (
                ("fact:a_", {"fact:a_b"}),
                ("fact:a%", {"fact:a%c"}),
                ("fact:a", {"fact:a_b", "fact:axb", "fact:a%c", "fact:a"}),
                ("fact:서", {"fact:서울_집"}),
                ("nothing", set()),
            ):
                found = session.memories_beginning("u1", "f1", [start])
                assert {m.memory_key for m in found} == expected, start

    def test_recent_gives_the_last_messages_oldest_first(self, store: Store) -> None:
        with store.write("c1") as session:
            for number in range(1, 8):
                role = "user" if number % 2 else "assistant"
                session.append([event("said", put_message(message(number, role=role)))])
            session.append([event("said", put_message(message(1, "c2")))])
        with store.read() as session:
            assert [m.position for m in session.recent("c1", 3)] == [5, 6, 7]
            assert [m.position for m in session.recent("c1", 2, "assistant")] == [4, 6]
            assert session.said("c1", 2, "assistant") == [message(4).text, message(6).text]
            assert session.said("c3", 2, "assistant") == []
            assert session.next_position("c1") == 8
            assert session.next_position("c3") == 1

    def test_the_journal_keeps_events_in_order_with_their_policy(self, store: Store) -> None:
        with store.write("u1") as session:
            session.append([replace(event("a"), note={"seed": 5}), event("b"), event("c", user_id="u2")])
        with store.read() as session:
            entries = list(session.journal())
            assert [e.event.kind for e in entries] == ["a", "b", "c"]
            assert entries[0].event.note == {"seed": 5}
            assert all(e.event.policy == "p" for e in entries)
            assert [e.event.kind for e in session.journal("u2")] == ["c"]
            assert entries[0].seq < entries[1].seq < entries[2].seq

    def test_replay_rebuilds_the_same_state(self, make_store: Callable[[], Store]) -> None:
        store, empty = make_store(), make_store()
        with store.write("u1") as session:
            session.append([event("one", put_memory("u1", "f1", memory("x")), put_message(message(1)))])
            gone = replace(memory("x"), status=MemoryStatus.SUPERSEDED, superseded_by="y")
            session.append([event("two", put_memory("u1", "f1", gone), put_memory("u1", "f1", memory("y")))])
            session.append([event("three", Drop("messages", {"message_id": "c1-m1"}))])
        comparison = rebuild(store, empty)
        assert comparison.identical, comparison.differing
        assert comparison.entries == 3

    def test_a_row_changed_behind_the_journal_is_seen_by_replay(
        self, make_store: Callable[[], Store]
    ) -> None:
        store, empty = make_store(), make_store()
        with store.write("u1") as session:
            session.append([event("one", put_message(message(1)))])
            session.apply(event("unjournaled", put_message(message(2))))  # type: ignore[attr-defined]
        assert rebuild(store, empty).differing == ("messages",)

    def test_leases_stand_outside_the_history(self, store: Store) -> None:
        lease = Lease("m1", "c1", "hello", "me|1|0", AT, AT + timedelta(seconds=120))
        with store.read() as session:
            before = session.state_hash()
        with store.write("c1") as session:
            session.put_lease(lease)
        with store.read() as session:
            assert session.lease("m1") == lease
            assert session.leases("c1") == [lease]
            assert session.state_hash() == before
            assert list(session.journal()) == []
        with store.write("c1") as session:
            session.drop_lease("m1")
        with store.read() as session:
            assert session.lease("m1") is None

    def test_a_job_stands_or_falls_with_its_write_and_has_one_holder(self, store: Store) -> None:
        job = Job("j1", JobKind.REMIND, AT, AT, user_id="u1", payload={"what": "☃"})
        with pytest.raises(RuntimeError), store.write("c1") as session:
            session.add_jobs([job])
            raise RuntimeError("the state that needs it was not written")
        with store.read() as session:
            assert session.job("j1") is None
            before = session.state_hash()
        with store.write("c1") as session:
            assert session.add_jobs([job, job]) == 1
        end = AT + timedelta(seconds=60)
        with store.write() as session:
            assert session.claim_job(AT - timedelta(seconds=1), end, "me|1|0") is None
            held = session.claim_job(AT, end, "me|1|0")
            assert held is not None and held.payload == {"what": "☃"} and held.attempts == 1
            assert session.claim_job(AT, end, "you|2|0") is None
        with store.write() as session:
            taken = session.claim_job(end, end + timedelta(seconds=60), "you|2|0")
            assert taken is not None and taken.attempts == 2
            assert session.keep_job(replace(held, status=JobStatus.DONE)) is False
            assert session.keep_job(replace(taken, status=JobStatus.DONE)) is True
        with store.read() as session:
            assert session.job_counts() == {"done": 1}
            assert session.state_hash() == before and list(session.journal()) == []

    def test_jobs_of_one_who_is_gone_are_free_at_once(self, store: Store) -> None:
        with store.write() as session:
            session.add_jobs([Job(f"j{n}", JobKind.TIDY, AT, AT) for n in range(2)])
            session.claim_job(AT, AT + timedelta(days=1), "gone|1|0")
            assert session.job_owners() == ["gone|1|0"]
            assert session.free_jobs(["gone|1|0"]) == 1
        names = set()
        for _ in range(2):
            with store.write() as session:
                found = session.claim_job(AT, AT + timedelta(days=1), "me|1|0")
                assert found is not None
                names.add(found.job_id)
        assert names == {"j0", "j1"}
        with store.write() as session:
            session.add_jobs([Job("later", JobKind.TIDY, AT + timedelta(days=9), AT)])
            assert session.next_due() == AT + timedelta(days=9)
            assert session.cancel_jobs(["later", "j0"]) == 1

    def test_writes_under_one_lock_never_overlap(self, store: Store) -> None:
        with store.write("c1") as session:
            session.append([event("said", put_message(message(1)))])

        def add() -> None:
            with store.write("c1") as session:
                number = session.next_position("c1")
                session.append([event("said", put_message(message(number)))])

        workers = [threading.Thread(target=add) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        with store.read() as session:
            assert [m.position for m in session.recent("c1", 20)] == list(range(1, 10))

    def test_erasing_a_user_leaves_only_the_tombstone(self, store: Store) -> None:
        with store.write("u1") as session:
            session.append([event("one", put_memory("u1", "f1", memory("x")), put_message(message(1)))])
            session.append([event("keep", put_memory("u2", "f2", memory("k")), user_id="u2")])
            session.erase_user("u1", event("user.erased"))
        with store.read() as session:
            assert [e.event.kind for e in session.journal()] == ["keep", "user.erased"]
            assert session.memories("u1", "f1") == []
            assert len(session.memories("u2", "f2")) == 1
