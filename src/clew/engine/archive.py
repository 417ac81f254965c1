"""A user's whole history out, in, and gone: export, import, erase with a receipt."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clew.engine.bundle_rows import judged
from clew.engine.held_texts import let_go
from clew.engine.parts import Parts, user_lock
from clew.engine.reminding import job_of
from clew.engine.resettle import resettled
from clew.errors import InvalidInput, NotFound
from clew.formats.bundle import read_bundle, write_bundle
from clew.frozen import dataclass
from clew.model.canonical import sha256
from clew.model.event import Add, Event
from clew.model.rows import grown
from clew.ports.index import TurnIndex
from clew.ports.store import Store

# The name of the conversation, and of the friend, that nobody named.
MAIN = "main"


@dataclass(frozen=True, slots=True)
class Receipt:
    """Each place, how much was removed there, and that a search found nothing afterwards."""

    user: str
    removed: Mapping[str, int]
    searched: Mapping[str, int]
    # Whether the space they stood in was overwritten; another reader can be in the way, then erase again.
    rewritten: bool = True
    # Places that no search of ours can reach, in sentences.
    elsewhere: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        return self.rewritten and not any(self.searched.values())

    def as_dict(self) -> dict[str, Any]:
        return {
            "user": self.user,
            "removed": dict(self.removed),
            "found_afterwards": dict(self.searched),
            "rewritten": self.rewritten,
            "clean": self.clean,
            "kept_elsewhere": list(self.elsewhere),
        }


def export_user(parts: Parts, user_id: str, target: Path) -> int:
    """Write the bundle whole or not at all, over nothing that is there; gives its size."""
    if target.exists():
        raise InvalidInput(f"{target} exists; name another file", pointer="FILE")
    with parts.store.read() as session:
        if session.user(user_id) is None:
            raise NotFound(f"no user {user_id!r}", pointer="/user_id")
        data = write_bundle(session.export_rows(user_id), parts.policy.fingerprint)
    try:
        _write_private(target, data)
    except OSError as why:
        raise InvalidInput(f"cannot write {target}: {why.strerror}", pointer="FILE") from None
    return len(data)


def import_bundle(parts: Parts, source: Path, *, into: str | None = None) -> dict[str, int]:
    """Every row is checked before the first is written, and all are written together.

    `into` is the id of the user whose they become; without it they stay those of the user they name.
    """
    try:
        found = read_bundle(source.read_bytes())
    except OSError as why:
        raise InvalidInput(f"cannot read {source}: {why.strerror}", pointer="/") from None
    rows = {table: [grown(table, row) for row in lines] for table, lines in found.items()}
    user_id = judged(rows, parts.policy)
    if into is not None and into != user_id:
        user_id, rows = into, resettled(rows, into, (MAIN, *(t.id for t in parts.policy.cast.templates)))
    changes = [Add(table, row) for table, lines in sorted(rows.items()) for row in lines]
    with parts.store.write(user_lock(user_id)) as session:
        if session.user(user_id) is not None:
            raise InvalidInput(f"user {user_id} is already here; erase them first", pointer="/users.jsonl")
        for table, lines in sorted(rows.items()):
            if taken := next(session.taken(table, lines), None):
                raise InvalidInput(
                    f"{table}: {taken} is already here and belongs to another user", pointer=f"/{table}.jsonl"
                )
        session.append(
            [
                Event(
                    kind="bundle.imported",
                    at=parts.clock.now(),
                    user_id=user_id,
                    policy=parts.policy.fingerprint,
                    changes=tuple(changes),
                )
            ]
        )
        # What was promised elsewhere is kept here.
        session.add_jobs([job_of(r) for r in session.reminders_of(user_id)])
    return {table: len(found) for table, found in sorted(rows.items())}


def erase_user(parts: Parts, user_id: str) -> Receipt:
    """Remove every row of the user, then look for their words in what is left.

    Asked again after a death or a reader in between, only what was left undone is done: the file is rewritten.
    """
    at, mark = parts.clock.now(), sha256(user_id)
    removed: dict[str, int] = {}
    found, told = _findable(parts, user_id)
    with parts.store.write(user_lock(user_id)) as session:
        words = _words(session.export_rows(user_id)) + told + _long(session.loose_texts(user_id))
        if session.user(user_id) is not None:
            removed = session.erase_user(
                user_id, Event(kind="user.erased", at=at, user_id=mark, policy=parts.policy.fingerprint)
            )
        elif not any((removed := session.erase_loose(user_id)).values()) and not session.erased_before(mark):
            raise NotFound(f"no user {user_id!r}", pointer="/user_id")
    return _receipt(parts.store, parts.index, mark, {**removed, **found}, words)


def _findable(parts: Parts, user_id: str) -> tuple[dict[str, int], list[str]]:
    """Remove what the index holds of a user's conversations and transcripts: (rows by table, what was told there)."""
    removed: Counter[str] = Counter()
    told: list[str] = []
    if parts.index is not None:
        with parts.store.read() as session:
            talks = [c.conversation_id for c in session.conversations_of(user_id)]
        for transcript in parts.index.owned(user_id):
            told += [turn.line.text for turn in parts.index.turns(transcript)]
            removed.update(parts.index.erase(transcript))
        for talk in talks:
            removed.update(parts.index.erase(talk))
    return dict(removed), _telling(told) if told else []


def erase_history(store: Store, index: TurnIndex, conversation: str) -> Receipt:
    """Remove an ingested conversation with its words and vectors, then look for what was said in it."""
    said = [] if index.is_chat(conversation) else [turn.line.text for turn in index.turns(conversation)]
    if not said:
        raise NotFound(f"no conversation {conversation!r} has been ingested", pointer="--conversation")
    removed = index.erase(conversation)
    return _receipt(store, index, sha256(conversation), removed, _telling(said))


def _receipt(
    store: Store, index: TurnIndex | None, mark: str, removed: Mapping[str, int], words: list[str]
) -> Receipt:
    rewritten = store.vacuum()
    left = store.find_words(words)
    let_go()
    beside = index.search.kept_elsewhere if index is not None and index.search is not None else ()
    return Receipt(mark, removed, left, rewritten, (*store.kept_elsewhere, *beside))


def _write_private(target: Path, data: bytes) -> None:
    """Whole or not at all, and never readable by others, not even while it is written."""
    half = target.with_name(target.name + ".part")
    half.unlink(missing_ok=True)
    made = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(made, "wb") as out:
        os.fchmod(made, 0o600)  # whatever the umask took away
        out.write(data)
        out.flush()
        os.fsync(made)
    half.replace(target)


def _words(rows: Mapping[str, list[dict[str, Any]]]) -> list[str]:
    """Texts that only this user could have left behind."""
    told = [r["text"] for table in ("messages", "threads", "outreach", "reminders") for r in rows.get(table, ())]
    told += [r["memory_value"].partition("|")[2] or r["memory_value"] for r in rows.get("memories", ())]
    return _telling(told)


def _telling(said: list[str]) -> list[str]:
    return _long(said) or sorted(set(said))


def _long(said: list[str]) -> list[str]:
    """Long enough that nobody else will have said the same."""
    return sorted({t for t in said if len(t) >= 12})
