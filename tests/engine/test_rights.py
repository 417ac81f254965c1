"""A user's own memories: look, edit, pause, forget, restore, undo, export, import, erase."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from clew.engine import archive, rights
from clew.engine.parts import Parts
from clew.engine.replay import rebuild
from clew.engine.rights import Scope
from clew.engine.story import kept_line, one_line
from clew.errors import InvalidInput, NotFound
from clew.model.account import Conversation
from clew.model.memory import MemoryStatus
from clew.testing.parts import make_parts, onboard, say

Engine = Callable[..., Parts]
CANARY = "Ulaanbaatar"


@pytest.fixture
def parts(engine: Engine) -> Parts:
    return engine()


@pytest.fixture
def conversation(parts: Parts) -> Conversation:
    conversation = onboard(parts)
    say(parts, conversation, f"I live in {CANARY}", 1)
    say(parts, conversation, "I love ramen", 2)
    return conversation


@pytest.fixture
def scope(conversation: Conversation) -> Scope:
    return Scope.of(conversation)


def one(parts: Parts, scope: Scope, word: str) -> str:
    found = rights.memories(parts, scope, search=word)
    assert len(found) == 1, found
    return found[0].memory_id


def test_memories_are_listed_and_searched(parts: Parts, scope: Scope) -> None:
    assert len(rights.memories(parts, scope)) == 2
    assert [m.memory_key for m in rights.memories(parts, scope, search="RAMEN")] == ["pref:food:ramen"]
    assert rights.memories(parts, Scope("someone", "else")) == []


def test_an_edit_supersedes_and_keeps_the_old_value(parts: Parts, scope: Scope) -> None:
    memory_id = one(parts, scope, CANARY)
    before = parts.clock.now()
    parts.clock.pass_(days=1)  # type: ignore[attr-defined]
    rights.edit(parts, scope, memory_id, "Erdenet")
    assert [m.memory_value for m in rights.memories(parts, scope, search="city")] == ["Erdenet"]
    old = rights.memories(parts, scope, search="city", at=before)
    assert [m.memory_id for m in old] == [memory_id]


def test_a_paused_memory_is_not_used(parts: Parts, conversation: Conversation, scope: Scope) -> None:
    rights.pause(parts, scope, one(parts, scope, "ramen"))
    outcome = say(parts, conversation, "do you remember what ramen means to me?", 9)
    assert outcome.surfaced_memory_ids == ()
    assert all("ramen" not in h["key"] for h in outcome.trace["recall"]["hits"])


def test_forgetting_bars_the_key_and_undo_brings_it_back(
    parts: Parts, conversation: Conversation, scope: Scope
) -> None:
    memory_id = one(parts, scope, "ramen")
    rights.forget(parts, scope, memory_id)
    assert rights.memories(parts, scope, search="ramen") == []
    say(parts, conversation, "I love ramen", 3)
    assert rights.memories(parts, scope, search="ramen") == [], "a suppressed key must not be learned again"
    assert rights.undo(parts, scope)
    assert one(parts, scope, "ramen") == memory_id
    with parts.store.read() as session:
        assert session.controls(scope.user_id).suppressed_memory_keys == ()


def test_undo_takes_back_what_was_just_learned(parts: Parts, scope: Scope) -> None:
    rights.undo(parts, scope)
    assert rights.memories(parts, scope, search="ramen") == []
    assert len(rights.memories(parts, scope, search=CANARY)) == 1
    rights.undo(parts, scope)
    assert rights.memories(parts, scope) == []
    assert rights.undo(parts, scope) == ()


def test_undo_looks_past_a_mere_confirmation(parts: Parts, conversation: Conversation, scope: Scope) -> None:
    say(parts, conversation, "I love ramen", 3)
    undone = rights.undo(parts, scope)
    assert rights.told(parts, scope, undone) == ["invalidated pref:food:ramen = like|ramen"]
    assert rights.memories(parts, scope, search="ramen") == []


def test_what_is_closed_or_forgotten_is_named_in_plain_words(parts: Parts, conversation: Conversation) -> None:
    say(parts, conversation, "my wife is called Anna", 3)
    closed = say(parts, conversation, "don't bring up Anna", 4)
    assert kept_line(closed.told) == "will not bring up: your wife is called Anna"
    gone = say(parts, conversation, "forget that I love ramen", 5)
    assert kept_line(gone.told).startswith("forgotten: you like ramen")
    assert "bring up" not in kept_line(gone.told) and ":ramen" not in kept_line(gone.told)


def test_a_topic_closed_in_words_is_named_and_reopened_by_undo(
    parts: Parts, conversation: Conversation, scope: Scope
) -> None:
    outcome = say(parts, conversation, "don't bring up politics again", 3)
    assert "suppressed the topic politics" in one_line(outcome.told)
    assert kept_line(outcome.told) == "will not bring up: politics"
    undone = rights.undo(parts, scope)
    assert rights.told(parts, scope, undone) == ["restored the topic politics"]
    with parts.store.read() as session:
        assert session.controls(scope.user_id).suppressed_topics == ()
    assert len(rights.memories(parts, scope, search="ramen")) == 1, "nothing else was taken back"


@pytest.mark.parametrize(
    ("text", "asked"),
    [("forget everything about Anna", "clarify_forget"), ("don't bring that up again", "clarify_topic")],
)
def test_a_request_that_fits_nothing_asks_back_in_its_own_words(
    parts: Parts, conversation: Conversation, text: str, asked: str
) -> None:
    say(parts, conversation, "hmm, nice weather today", 3)
    outcome = say(parts, conversation, text, 4)
    assert outcome.reply in parts.policy.engine.texts[asked]["en"]
    assert outcome.memory_events == ()


def test_a_wish_not_to_bring_that_up_closes_what_was_just_told(parts: Parts, conversation: Conversation) -> None:
    say(parts, conversation, "my wife is called Anna", 3)
    say(parts, conversation, "I am allergic to peanuts", 4)
    assert kept_line(say(parts, conversation, "don't bring that up again", 5).told) == "will not bring up: you are allergic to peanuts"


def test_an_export_writes_over_nothing(parts: Parts, conversation: Conversation, tmp_path: Path) -> None:
    precious = tmp_path / "precious.db"
    precious.write_text("mine")
    with pytest.raises(InvalidInput, match="exists"):
        archive.export_user(parts, "u1", precious)
    assert precious.read_text() == "mine"
    with pytest.raises(InvalidInput, match="cannot write"):
        archive.export_user(parts, "u1", tmp_path / "nowhere" / "x.zip")


def test_a_deleted_memory_is_gone_from_tables_and_journal(
    parts: Parts, conversation: Conversation, scope: Scope, fresh_url: str
) -> None:
    memory_id = one(parts, scope, "ramen")
    rights.delete(parts, scope, memory_id)
    with parts.store.read() as session:
        assert session.memories_about(scope.user_id, scope.friend_id, ids=[memory_id]) == []
        puts = [
            c for e in session.journal() for c in e.event.changes if getattr(c, "table", "") == "memories"
        ]
        assert all(getattr(c, "row", {}).get("memory_id") != memory_id for c in puts)
    target = make_parts(fresh_url).store
    assert rebuild(parts.store, target).identical
    target.close()
    with pytest.raises(NotFound):
        rights.bring_back(parts, scope, [memory_id])


def test_unknown_ids_are_not_found(parts: Parts, scope: Scope) -> None:
    for act in (rights.pause, rights.pin, rights.forget, rights.delete):
        with pytest.raises(NotFound):
            act(parts, scope, "nope")
    with pytest.raises(NotFound):
        rights.forget(parts, Scope("u1", "another friend"), one(parts, scope, "ramen"))


def test_an_export_has_the_same_bytes_twice_and_comes_back_whole(
    parts: Parts, conversation: Conversation, tmp_path: Path
) -> None:
    first, second = tmp_path / "a.zip", tmp_path / "b.zip"
    archive.export_user(parts, "u1", first)
    archive.export_user(parts, "u1", second)
    assert first.read_bytes() == second.read_bytes()
    other = make_parts(f"sqlite:///{tmp_path}/other.db")
    archive.import_bundle(other, first)
    with parts.store.read() as here, other.store.read() as there:
        assert here.state_hash() == there.state_hash()
    with pytest.raises(InvalidInput, match="already here"):
        archive.import_bundle(other, first)
    again = tmp_path / "c.zip"
    archive.export_user(other, "u1", again)
    assert again.read_bytes() == first.read_bytes()
    other.store.close()


@pytest.mark.parametrize(
    "damage", ["truncate", "no_zip", "edited", "bad_status", "foreign_row", "unknown_table"]
)
def test_a_broken_bundle_imports_nothing(
    parts: Parts, conversation: Conversation, tmp_path: Path, damage: str
) -> None:
    from clew.formats.bundle import read_bundle, write_bundle

    good = tmp_path / "good.zip"
    archive.export_user(parts, "u1", good)
    data = good.read_bytes()
    if damage == "truncate":
        data = data[: len(data) // 2]
    elif damage == "no_zip":
        data = b"hello"
    elif damage == "edited":
        bad = tmp_path / "edited.zip"
        with zipfile.ZipFile(good) as old, zipfile.ZipFile(bad, "w") as new:
            for item in old.namelist():
                text = old.read(item)
                new.writestr(item, text.replace(b"ramen", b"sushi") if item == "memories.jsonl" else text)
        data = bad.read_bytes()
    else:
        rows = read_bundle(data)
        if damage == "bad_status":
            rows["memories"][0]["status"] = "MAYBE"
        elif damage == "foreign_row":
            rows["memories"][0]["user_id"] = "somebody else"
        else:
            rows["passwords"] = [{"user_id": "u1"}]
        data = write_bundle(rows, "p")
    broken = tmp_path / "broken.zip"
    broken.write_bytes(data)
    other = make_parts(f"sqlite:///{tmp_path}/other.db")
    with pytest.raises(InvalidInput):
        archive.import_bundle(other, broken)
    with other.store.read() as session:
        assert session.users() == []
        assert list(session.journal()) == []
    other.store.close()


def test_forgetting_an_old_value_leaves_the_new_one_in_use(
    parts: Parts, conversation: Conversation, scope: Scope
) -> None:
    old = one(parts, scope, CANARY)
    say(parts, conversation, "I live in Erdenet", 3)
    assert rights.forget(parts, scope, old)
    with parts.store.read() as session:
        assert session.controls("u1").suppressed_memory_keys == ()
    assert "erdenet" in (say(parts, conversation, "where do I live?", 4).reply or "").lower()


def test_a_correction_says_what_it_did(parts: Parts, conversation: Conversation, scope: Scope) -> None:
    texts = parts.policy.engine.texts
    assert say(parts, conversation, "forget everything", 3).reply in texts["clarify_everything"]["en"]
    assert len(rights.memories(parts, scope)) == 2
    say(parts, conversation, "what do you remember about me?", 4)
    # What was spoken of last is not taken for what is named and not held.
    assert say(parts, conversation, "forget my bicycle", 5).reply in texts["clarify_forget"]["en"]
    assert len(rights.memories(parts, scope)) == 2


def test_a_fact_is_corrected_however_many_memories_there_are(engine: Engine) -> None:
    """ "Where I was born" shares no word with Lima, and the newest memories are not all of them."""
    from clew.kernel.keep.keys import build
    from clew.model.event import Event
    from clew.model.memory import MemoryRecord, MemoryType
    from clew.model.rows import put_memory

    parts = engine()
    conversation = onboard(parts)
    scope = Scope.of(conversation)
    say(parts, conversation, "I was born in Lima and live in Oslo", 1)
    parts.clock.pass_(days=1)  # type: ignore[attr-defined]
    at = parts.clock.now()
    more = [f"dish {n}" for n in range(parts.policy.engine.memories_newest + 50)]
    puts = [
        put_memory(
            scope.user_id,
            scope.friend_id,
            MemoryRecord(
                memory_id=f"d{n}",
                type=MemoryType.PREFERENCE,
                memory_key=build(MemoryType.PREFERENCE, "food", dish, policy=parts.policy) or "",
                memory_value=f"like|{dish}",
                confidence=Decimal("0.60"),
                status=MemoryStatus.ACTIVE,
                created_at=at,
                last_confirmed_at=at,
            ),
        )
        for n, dish in enumerate(more)
    ]
    with parts.store.write("user:u1") as session:
        session.append([Event("learned", at, "u1", "p", changes=tuple(puts))])
    say(parts, conversation, "forget where I was born", 2)
    assert rights.memories(parts, scope, search="Lima") == []
    say(parts, conversation, "change my address to Bergen", 3)
    assert [m.memory_value for m in rights.memories(parts, scope, search="city")] == ["Bergen"]


def test_an_edited_preference_is_known_by_its_new_item(parts: Parts, scope: Scope) -> None:
    rights.edit(parts, scope, one(parts, scope, "ramen"), "udon")
    held = {m.memory_key: m.memory_value for m in rights.memories(parts, scope)}
    assert "pref:food:ramen" not in held and held["pref:food:udon"] == "like|udon"
    rights.undo(parts, scope)
    assert [m.memory_key for m in rights.memories(parts, scope, search="pref")] == ["pref:food:ramen"]


def test_an_edit_into_something_known_leaves_one_of_them(
    parts: Parts, conversation: Conversation, scope: Scope
) -> None:
    say(parts, conversation, "I hate udon", 3)
    rights.edit(parts, scope, one(parts, scope, "ramen"), "udon")
    assert [m.memory_value for m in rights.memories(parts, scope, search="pref")] == ["like|udon"]


@pytest.mark.parametrize(
    ("word", "value"), [("ramen", "love|udon"), ("ramen", "like|"), (CANARY, "like|"), (CANARY, "  ")]
)
def test_an_edit_that_gives_no_value_is_refused(parts: Parts, scope: Scope, word: str, value: str) -> None:
    memory_id = one(parts, scope, word)
    with pytest.raises(InvalidInput) as why:
        rights.edit(parts, scope, memory_id, value)
    assert why.value.pointer == "/value"
    assert one(parts, scope, word) == memory_id


def _bundle(parts: Parts, tmp_path: Path) -> dict[str, list[dict[str, object]]]:
    from clew.formats.bundle import read_bundle

    good = tmp_path / "good.zip"
    archive.export_user(parts, "u1", good)
    return read_bundle(good.read_bytes())


@pytest.mark.parametrize(
    ("table", "field", "value", "pointer"),
    [
        ("memories", "status", "MAYBE", "/memories.jsonl/1/status"),
        ("memories", "confidence", "7", "/memories.jsonl/1/confidence"),
        ("memories", "confidence", "NaN", "/memories.jsonl/1/confidence"),
        ("memories", "memory_key", "weird:key", "/memories.jsonl/1/memory_key"),
        ("memories", "memory_key", "fact:favourite_number", "/memories.jsonl/1/memory_key"),
        ("memories", "memory_value", "", "/memories.jsonl/1/memory_value"),
        ("memories", "memory_id", "", "/memories.jsonl/1/memory_id"),
        ("memories", "created_at", "2026-01-01T00:00:00", "/memories.jsonl/1/created_at"),
        ("memories", "created_at", "yesterday", "/memories.jsonl/1/created_at"),
        ("memories", "friend_id", "nobody", "/memories.jsonl/1/friend_id"),
        ("messages", "conversation_id", "nowhere", "/messages.jsonl/1/conversation_id"),
        ("messages", "role", "wizard", "/messages.jsonl/1/role"),
    ],
)
def test_a_bundle_with_one_bad_field_names_it_and_imports_nothing(
    parts: Parts, conversation: Conversation, tmp_path: Path, table: str, field: str, value: str, pointer: str
) -> None:
    from clew.formats.bundle import write_bundle

    rows = _bundle(parts, tmp_path)
    rows[table][0][field] = value
    rows[table].sort(key=lambda r: r[field] != value)
    bad = tmp_path / "bad.zip"
    bad.write_bytes(write_bundle(rows, "p"))
    other = make_parts(f"sqlite:///{tmp_path}/other.db")
    with pytest.raises(InvalidInput) as why:
        archive.import_bundle(other, bad)
    assert (why.value.pointer or "").split("/")[-1] == pointer.split("/")[-1]
    assert (why.value.pointer or "").startswith(f"/{table}.jsonl/")
    with other.store.read() as session:
        assert session.users() == []
    other.store.close()


@pytest.mark.parametrize("table", ["memories", "messages", "friends", "traces"])
def test_a_row_twice_is_no_bundle(
    parts: Parts, conversation: Conversation, tmp_path: Path, table: str
) -> None:
    from clew.engine.bundle_rows import judged

    rows = _bundle(parts, tmp_path)
    rows[table].append(dict(rows[table][0]))
    with pytest.raises(InvalidInput, match="twice"):
        judged(rows, parts.policy)


def test_two_current_values_of_one_key_are_no_bundle(
    parts: Parts, conversation: Conversation, tmp_path: Path
) -> None:
    from clew.engine.bundle_rows import judged

    rows = _bundle(parts, tmp_path)
    rows["memories"].append({**rows["memories"][0], "memory_id": "another"})
    with pytest.raises(InvalidInput, match="ACTIVE twice"):
        judged(rows, parts.policy)


def test_what_was_said_with_a_line_separator_comes_back(engine: Engine, tmp_path: Path) -> None:
    parts = engine()
    said = "I love ramen\u2028and rain"
    say(parts, onboard(parts), said, 1)
    bundle = tmp_path / "a.zip"
    archive.export_user(parts, "u1", bundle)
    other = make_parts(f"sqlite:///{tmp_path}/other.db")
    archive.import_bundle(other, bundle)
    with parts.store.read() as here, other.store.read() as there:
        assert here.state_hash() == there.state_hash()
    other.store.close()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b'{"text": "\\ud800"}', "lone surrogate"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not an object"),
    ],
)
def test_a_line_that_is_no_row_is_named(line: bytes, said: str) -> None:
    from clew.formats.bundle import _lines

    with pytest.raises(InvalidInput, match=said) as why:
        _lines("messages.jsonl", b'{"text": "fine"}\n' + line + b"\n")
    assert why.value.pointer == "/messages.jsonl/2"


def test_an_erased_user_is_in_no_file(parts: Parts, conversation: Conversation, tmp_path: Path) -> None:
    other = onboard(parts, "u2")
    say(parts, other, "I live in Bergen", 77)
    receipt = archive.erase_user(parts, "u1")
    assert receipt.clean, receipt.as_dict()
    assert receipt.removed["messages"] == 4
    for file in tmp_path.glob("clew.db*"):
        assert CANARY.encode() not in file.read_bytes(), file
    with parts.store.read() as session:
        assert session.user("u1") is None
        assert session.user("u2") is not None
        assert [m.memory_value for m in session.memories("u2", other.friend_id, [MemoryStatus.ACTIVE])] == [
            "Bergen"
        ]
        last = list(session.journal())[-1].event
    assert last.kind == "user.erased"
    assert last.user_id != "u1"


@pytest.mark.rule("P85")
def test_what_is_no_longer_current_is_found_by_no_word(
    parts: Parts, conversation: Conversation, scope: Scope
) -> None:
    """The words that lead to a memory go in the same transaction as its status."""
    say(parts, conversation, "actually I live in Bergen", 8)
    rights.forget(parts, scope, one(parts, scope, "ramen"))
    with parts.store.read() as session:
        for word, left in ((CANARY, 0), ("ramen", 0), ("Bergen", 1)):
            found = session.memories_matching(scope.user_id, scope.friend_id, word, per_term=10, newest=0)
            assert len(found) == left, word
