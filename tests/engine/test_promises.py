"""One id in every spelling, leases that tell the truth, nobody's rows but one's own, receipts that hold."""

from __future__ import annotations

import json
import sqlite3
import threading
import uuid
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from clew.adapters.store.sql import SqlStore
from clew.engine import archive, claim, identity, rights
from clew.engine.parts import Parts
from clew.errors import InvalidInput, MessageReused, NotFound, StoreLocked, TurnInProgress
from clew.formats.bundle import read_bundle, write_bundle
from clew.model.account import Lease
from clew.model.canonical import derived_id
from clew.model.exchange import Incoming
from clew.policy import Policy
from clew.ports.llm import WriterAnswer, WriterRequest
from clew.testing.fakes import HeldClock, HeldProcess
from clew.testing.parts import make_parts, message_id, onboard, say

Engine = Callable[..., Parts]


def test_every_spelling_of_a_uuid_is_one_id(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    name = "6f1c2a34-9b7e-4c1d-8a55-0d3e2b1f4a6c"
    first = say(parts, conversation, "hello there", name)
    for spelling in (name.upper(), "{" + name + "}", f"urn:uuid:{name}", name.replace("-", "")):
        again = say(parts, conversation, "hello there", spelling)
        assert again.replayed and (again.reply_id, again.message_id) == (first.reply_id, name)


def test_a_message_may_bear_the_id_that_a_reply_would_have_had(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    theirs = derived_id("reply", message_id(1))
    say(parts, conversation, "I came first", theirs)
    outcome = say(parts, conversation, "hello there", 1)
    assert outcome.reply_id not in (None, theirs)
    with parts.store.read() as session:
        first = session.message(theirs)
        assert first is not None and (first.text, first.role) == ("I came first", "user")


def test_the_id_of_a_reply_is_no_message(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    outcome = say(parts, conversation, "hello there", 1)
    with pytest.raises(MessageReused, match="reply"):
        say(parts, conversation, str(outcome.reply), str(outcome.reply_id))


def test_a_lease_from_a_clock_that_ran_ahead_holds_nobody_up(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    ahead = replace(
        parts, clock=HeldClock(parts.clock.now() + timedelta(days=3)), process=HeldProcess("far|2|0")
    )
    incoming = Incoming(message_id(1), conversation.conversation_id, "hello")
    assert isinstance(claim.claim(ahead, incoming, ahead.clock.now()), Lease)
    assert say(parts, conversation, "hello", 1).reply


def test_the_last_day_of_the_calendar_is_a_day(engine: Engine) -> None:
    parts = engine(clock=HeldClock(datetime(9999, 12, 31, 12, 0, tzinfo=UTC)))
    conversation = onboard(parts)
    incoming = Incoming(message_id(1), conversation.conversation_id, "hello")
    parts.clock.at = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)  # type: ignore[attr-defined]
    assert isinstance(claim.claim(parts, incoming, parts.clock.now()), Lease)


def _hasty(policy: Policy, seconds: float) -> Policy:
    return replace(policy, engine=replace(policy.engine, lease_seconds=seconds))  # type: ignore[arg-type]


def test_the_lease_of_a_slow_writer_is_renewed(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    parts = replace(parts, policy=_hasty(parts.policy, 0.3))
    ends: list[datetime] = []

    class Slow:
        name = "slow"

        def write(self, request: WriterRequest) -> WriterAnswer:
            for _ in range(3):
                threading.Event().wait(0.25)
                parts.clock.pass_(seconds=0.25)  # type: ignore[attr-defined]
                with parts.store.read() as session:
                    held = session.lease(message_id(1))
                assert held is not None
                ends.append(held.expires_at)
            with pytest.raises(TurnInProgress):
                say(replace(parts, process=HeldProcess("other|2|0")), conversation, "hello", 1)
            return WriterAnswer("All quiet here, tell me more about it.", "slow")

    assert say(replace(parts, writer=Slow()), conversation, "hello", 1).reply
    assert ends == sorted(ends) and ends[-1] > ends[0]


def test_a_write_back_that_cannot_be_written_leaves_the_message_free(
    engine: Engine, monkeypatch: Any
) -> None:
    """Not even the giving back of the lease gets through; the process lives, and the id may run at once."""
    parts = engine()
    conversation = onboard(parts)

    class Blocked:
        name = "blocked"

        def write(self, request: WriterRequest) -> WriterAnswer:
            def locked(*names: str) -> Any:
                raise StoreLocked("database is locked by another process; try again")

            monkeypatch.setattr(parts.store, "write", locked)
            return WriterAnswer("All quiet here, tell me more about it.", "blocked")

    with pytest.raises(StoreLocked):
        say(replace(parts, writer=Blocked()), conversation, "hello", 1)
    monkeypatch.undo()
    assert [x.text for x in claim.unanswered(parts, conversation.conversation_id)] == ["hello"]
    assert say(parts, conversation, "hello", 1).reply


# -- nobody's rows but one's own ---------------------------------------------------------------


@pytest.fixture
def bundle(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """A bundle of another database whose rows a test may forge."""

    def make(forge: Callable[[dict[str, list[dict[str, Any]]]], None]) -> Path:
        parts = make_parts(f"sqlite:///{tmp_path}/source.db", process=HeldProcess("source|5|0", seed=900))
        conversation = onboard(parts, "mallory")
        say(parts, conversation, "I love ramen", str(uuid.uuid4()))
        archive.export_user(parts, "mallory", tmp_path / "whole.zip")
        parts.store.close()
        rows = read_bundle((tmp_path / "whole.zip").read_bytes())
        forge(rows)
        (tmp_path / "forged.zip").write_bytes(write_bundle(rows, "p"))
        return tmp_path / "forged.zip"

    yield make


def _renamed(rows: dict[str, list[dict[str, Any]]], name: str, to: str) -> None:
    for found in rows.values():
        for row in found:
            if name in row:
                row[name] = to


@pytest.mark.parametrize("table", ["conversations", "friends", "messages", "memories", "traces"])
def test_a_bundle_that_names_anothers_key_is_refused_whole(
    engine: Engine, bundle: Callable[..., Path], table: str
) -> None:
    parts = engine()
    conversation = onboard(parts, "victim")
    outcome = say(parts, conversation, "I live in Trondheim", 1)
    with parts.store.read() as session:
        (memory,) = session.memories(conversation.user_id, conversation.friend_id)
        before = session.state_hash()
    theirs = {
        "conversations": ("conversation_id", conversation.conversation_id),
        "friends": ("friend_id", conversation.friend_id),
        "messages": ("message_id", str(outcome.reply_id)),
        "memories": ("memory_id", memory.memory_id),
        "traces": ("message_id", message_id(1)),
    }[table]

    def forge(rows: dict[str, list[dict[str, Any]]]) -> None:
        if table in ("conversations", "friends"):
            _renamed(rows, *theirs)
        else:
            rows[table][0][theirs[0]] = theirs[1]

    with pytest.raises(InvalidInput, match=theirs[1]):
        archive.import_bundle(parts, bundle(forge))
    with parts.store.read() as session:
        assert session.state_hash() == before
        assert session.user("mallory") is None


def test_an_honest_bundle_of_the_version_before_is_taken_in(
    engine: Engine, bundle: Callable[..., Path]
) -> None:
    def forge(rows: dict[str, list[dict[str, Any]]]) -> None:
        for row in rows["memories"]:
            for name in (
                "subject",
                "attribute",
                "statement",
                "when_start",
                "when_end",
                "when_text",
                "sensitive",
            ):
                del row[name]
        for row in rows["messages"]:
            del row["generation"]

    parts = engine()
    archive.import_bundle(parts, bundle(forge))
    with parts.store.read() as session:
        (conversation,) = session.conversations_of("mallory")
        (memory,) = session.memories("mallory", conversation.friend_id)
        assert memory.subject == "self" and not memory.sensitive


def test_ids_of_friends_and_conversations_cannot_be_worked_out() -> None:
    """Two databases, one user, one seed: what is the same would be guessable."""
    from clew.adapters.system import SystemProcess

    class Seeded(SystemProcess):
        def seed(self) -> int:
            return 7

    found = set()
    for _ in range(2):
        parts = make_parts("sqlite:///:memory:", process=Seeded())
        identity.sign_up(parts, "u1")
        identity.start_onboarding(parts, "u1")
        conversation = onboard(parts)
        found |= {conversation.conversation_id, conversation.friend_id}
        parts.store.close()
    assert len(found) == 4


# -- erasure -----------------------------------------------------------------------------------


def test_erasing_again_finishes_what_a_reader_held_up(tmp_path: Path) -> None:
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db")
    parts.store.close()
    parts = replace(parts, store=SqlStore(parts.store.url, wait_seconds=0.1))
    say(parts, onboard(parts), "My secret place is Hallormsstadaskogur", 1)
    reader = sqlite3.connect(tmp_path / "clew.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM messages").fetchone()
    assert not archive.erase_user(parts, "u1").clean
    assert not archive.erase_user(parts, "u1").clean, "the reader is still there"
    reader.close()
    receipt = archive.erase_user(parts, "u1")
    assert receipt.clean and not any(receipt.removed.values())
    assert b"Hallormsstad" not in (tmp_path / "clew.db").read_bytes()
    with pytest.raises(NotFound):
        archive.erase_user(parts, "nobody")
    parts.store.close()


def test_a_database_given_as_a_uri_is_searched_too(tmp_path: Path) -> None:
    make_parts(f"sqlite:///{tmp_path}/clew.db").store.close()
    parts = make_parts(f"sqlite:///file:{tmp_path}/clew.db?uri=true")
    say(parts, onboard(parts), "My secret place is Hallormsstadaskogur", 1)
    assert sum(parts.store.find_words(["Hallormsstadaskogur"]).values()) > 0
    receipt = archive.erase_user(parts, "u1")
    assert receipt.clean and "clew.db" in receipt.searched
    parts.store.close()


def test_the_receipt_says_what_a_server_may_still_hold(engine: Engine) -> None:
    parts = engine()
    say(parts, onboard(parts), "I live in Trondheim", 1)
    told = archive.erase_user(parts, "u1").as_dict()
    sqlite = parts.store.url.startswith("sqlite")
    assert sqlite == (told["kept_elsewhere"] == [])
    assert sqlite or "log" in json.dumps(told["kept_elsewhere"])
    assert told["clean"]


@pytest.mark.parametrize(("text", "word"), [("I love ramen", "ramen"), ("나 김치 좋아해", "김치")])
def test_a_deleted_memory_leaves_no_trace_of_its_value(engine: Engine, text: str, word: str) -> None:
    parts = engine()
    conversation = onboard(parts)
    say(parts, conversation, text, 1)
    say(parts, conversation, "what do you know about me?", 2)
    scope = rights.Scope.of(conversation)
    (memory,) = rights.memories(parts, scope)
    rights.delete(parts, scope, memory.memory_id)
    with parts.store.read() as session:
        assert word not in repr(session.traces(conversation.conversation_id))
        for entry in session.journal("u1"):
            if entry.event.kind not in ("message.received", "reply.written"):
                assert word not in repr(entry.event), entry.event.kind
        assert session.chain_faults() == []


def test_zip_members_are_private_too(tmp_path: Path) -> None:
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db")
    onboard(parts)
    archive.export_user(parts, "u1", tmp_path / "u1.zip")
    parts.store.close()
    with zipfile.ZipFile(tmp_path / "u1.zip") as bundle:
        assert {info.external_attr >> 16 for info in bundle.infolist()} == {0o600}
