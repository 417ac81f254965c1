"""Private files, files of others, damaged pages, and a journal that cannot be changed unseen."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from clew.adapters.store import tables
from clew.adapters.store.sql import SqlStore
from clew.engine.archive import export_user
from clew.errors import ClewError, StoreConflict, StoreCorrupt
from clew.model.rows import put_message
from clew.testing.parts import make_parts, onboard, say
from clew.testing.store import event, message

OLD = Path(__file__).parents[1] / "fixtures" / "clew_v0003.db"


@pytest.fixture(params=[0o000, 0o022, 0o277])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_database_and_export_are_the_owners_alone_whatever_the_umask(
    tmp_path: Path, umask: None
) -> None:
    parts = make_parts(f"sqlite:///{tmp_path}/a/b/clew.db")
    onboard(parts)
    files = sorted(p.name for p in (tmp_path / "a" / "b").iterdir())
    assert files == ["clew.db", "clew.db-shm", "clew.db-wal"]
    export_user(parts, "u1", tmp_path / "a" / "u1.zip")
    assert {_mode(tmp_path / "a" / "b" / name) for name in files} == {0o600}
    assert _mode(tmp_path / "a" / "u1.zip") == 0o600
    assert _mode(tmp_path / "a") == _mode(tmp_path / "a" / "b") == 0o700
    parts.store.close()


def test_a_database_of_an_earlier_version_is_closed_to_others_once(tmp_path: Path) -> None:
    file = tmp_path / "clew.db"
    shutil.copy(OLD, file)
    file.chmod(0o644)
    SqlStore(f"sqlite:///{file}").close()
    assert _mode(file) == 0o600
    file.chmod(0o640)  # its owner wants it so
    SqlStore(f"sqlite:///{file}").close()
    assert _mode(file) == 0o640


@pytest.mark.parametrize("mark", [0, 42])
def test_another_programs_database_is_left_untouched(tmp_path: Path, mark: int) -> None:
    file = tmp_path / "photos.db"
    with sqlite3.connect(file) as other:
        other.execute(f"PRAGMA application_id={mark}")
        other.execute("CREATE TABLE users (id INTEGER, name TEXT)")
        other.execute("CREATE TABLE alembic_version (version_num TEXT)")
    other.close()
    before = file.read_bytes()
    with pytest.raises(StoreCorrupt, match="another program"):
        SqlStore(f"sqlite:///{file}")
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_new_database_and_an_adopted_one_say_whose_they_are(tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path / "old.db")
    for name in ("old.db", "new.db"):
        SqlStore(f"sqlite:///{tmp_path / name}").close()
        with sqlite3.connect(tmp_path / name) as connection:
            assert connection.execute("PRAGMA application_id").fetchone() == (0x434C4557,)
        connection.close()


def test_a_damaged_page_is_always_called_that(tmp_path: Path) -> None:
    """Any page, overwritten in any way: what cannot be read is StoreCorrupt, never another error."""
    whole = tmp_path / "whole.db"
    shutil.copy(OLD, whole)
    SqlStore(f"sqlite:///{whole}").close()
    data = whole.read_bytes()
    chance, pages, seen = random.Random(5), len(data) // 4096, 0
    for number in range(60):
        page = chance.randrange(pages)
        start = page * 4096 + (0 if number % 3 else chance.randrange(4096))
        length = min(4096 - start % 4096, chance.choice([16, 200, 4096]))
        rubbish = (b"\0" * length, chance.randbytes(length), b"\xff" * length)[number % 3]
        file = tmp_path / f"damaged-{number}.db"
        file.write_bytes(data[:start] + rubbish + data[start + length :])
        if number % 10 == 9:
            file.write_bytes(data[: start + 100])
        try:
            store = SqlStore(f"sqlite:///{file}")
            try:
                with store.read() as session:
                    session.users()
                    for user in ("u-mina", "u-jun"):
                        for c in session.conversations_of(user):
                            session.memories(user, c.friend_id)
                            session.recent(c.conversation_id, 1000)
                            session.traces(c.conversation_id)
                    list(session.journal())
                    if session.chain_faults():
                        seen += 1
            finally:
                store.close()
        except StoreCorrupt:
            seen += 1
        except ClewError as why:
            pytest.fail(f"page {page}, {number}: {why!r}")
        file.unlink()
    assert seen > 20


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlStore]:
    url = (
        f"sqlite:///{tmp_path}/clew.db"
        if request.param == "sqlite"
        else request.getfixturevalue("fresh_postgres")()
    )
    made = SqlStore(url)
    yield made
    made.close()


def test_what_was_said_is_never_written_over(store: SqlStore) -> None:
    with store.write("user:u1") as session:
        session.append([event("said", put_message(message(1)))])
    with pytest.raises(StoreConflict), store.write("user:u1") as session:
        session.append([event("said", put_message(message(1)))])
    with store.read() as session:
        assert len(list(session.journal())) == 1
        assert session.chain_faults() == []


J = tables.JOURNAL
Forgery = Callable[[sa.Connection], object]
FORGERIES: dict[str, Forgery] = {
    "a changed note": lambda c: c.execute(sa.update(J).where(J.c.seq == 2).values(note='{"a":1}')),
    "a changed time": lambda c: c.execute(sa.update(J).where(J.c.seq == 2).values(at="2020-01-01T00:00:00Z")),
    "content and digest changed": lambda c: c.execute(
        sa.update(J).where(J.c.seq == 2).values(note="{}", kind="x", digest="0" * 64)
    ),
    "an entry in the middle gone": lambda c: c.execute(sa.delete(J).where(J.c.seq == 2)),
    "the last entry gone": lambda c: c.execute(sa.delete(J).where(J.c.seq == 4)),
    "made hollow without a tombstone": lambda c: c.execute(
        sa.update(J).where(J.c.seq == 2).values(kind="erased", changes="[]", note="{}", salt="")
    ),
    "given to another user": lambda c: c.execute(
        sa.update(J).where(J.c.seq == 4).values(user_id="u2", number=1)
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES.keys())
def test_a_journal_changed_behind_our_back_is_found(store: SqlStore, forgery: Forgery) -> None:
    with store.write("user:u1") as session:
        session.append([event(f"said {n}", put_message(message(n))) for n in range(1, 5)])
    with store.read() as session:
        assert session.chain_faults() == []
    with store.engine.begin() as connection:
        forgery(connection)
    with store.read() as session:
        assert session.chain_faults()


def test_erasures_keep_the_chain(store: SqlStore) -> None:
    parts = make_parts(store.url)
    from clew.engine import archive, rights

    for user in ("u1", "u2"):
        conversation = onboard(parts, user)
        say(parts, conversation, "I live in Trondheim", 1 if user == "u1" else 2)
        scope = rights.Scope.of(conversation)
        (kept,) = rights.memories(parts, scope)
        removed = rights.delete(parts, scope, kept.memory_id)
        assert removed["traces"] == 1 and removed["journal"] >= 2
        with parts.store.read() as session:
            assert session.chain_faults() == []
            told = repr(session.traces(conversation.conversation_id)).lower()
            journal = repr([e.event for e in session.journal(user) if e.event.kind != "message.received"])
        assert "trondheim" not in told
        # What was said in the conversation stays: the message, and the reply that quotes it.
        assert "Trondheim" not in journal.replace(repr(_reply(parts, conversation.conversation_id)), "")
    for _ in range(2):
        archive.erase_user(parts, "u1")
        with parts.store.read() as session:
            assert session.chain_faults() == []
        onboard(parts, "u1")
    parts.store.close()


def _reply(parts: object, conversation: str) -> str:
    with parts.store.read() as session:  # type: ignore[attr-defined]
        return str(session.recent(conversation, 1)[0].text)


def test_a_read_sees_one_moment(store: SqlStore) -> None:
    with store.read() as session:
        before = session.state_hash()
        with store.write("user:u1") as other:
            other.append([event("said", put_message(message(1)))])
        assert session.state_hash() == before
        assert list(session.journal()) == []
