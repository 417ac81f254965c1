"""The hash chain over a user's journal: a changed, missing or added entry breaks it.

An entry's digest is taken over its content and a random salt; its link is taken over the link before it and its
digest. When an erasure replaces an entry's content, the digest of the old content stays, so the chain holds, and
a tombstone further down the same chain names the entry with the digest of what stands there now.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from clew.frozen import dataclass
from clew.model.canonical import canonical_json, sha256

START = "0" * 64
# The kind of an entry whose content was erased with its user.
ERASED = "erased"
_CONTENT = ("kind", "at", "user_id", "policy", "message_id", "changes", "note")


@dataclass(frozen=True, slots=True)
class Head:
    """The end of one user's chain: how many entries, and the last link."""

    number: int = 0
    link: str = START


def digest_of(row: Mapping[str, Any], salt: str) -> str:
    return sha256(salt + canonical_json([row[name] for name in _CONTENT]))


def link_of(before: str, digest: str) -> str:
    return sha256(before + digest)


def forged(row: Mapping[str, Any], head: Head) -> tuple[dict[str, Any], Head]:
    """The row with its place in the chain, and the chain's new end."""
    salt = secrets.token_hex(16)
    digest = digest_of(row, salt)
    link = link_of(head.link, digest)
    after = Head(head.number + 1, link)
    return {**row, "number": after.number, "salt": salt, "digest": digest, "link": link}, after


def resalted(row: Mapping[str, Any]) -> tuple[str, str]:
    """A new salt for replaced content, and the digest that a tombstone will name."""
    salt = secrets.token_hex(16)
    return salt, digest_of(row, salt)


def hollow(at: str) -> dict[str, Any]:
    """What stands in the journal for an entry of an erased user."""
    return {
        "kind": ERASED, "at": at, "policy": "", "message_id": None, "changes": "[]", "note": "{}", "salt": "",
    }  # fmt: skip


def faults(rows: Iterable[Mapping[str, Any]], heads: Mapping[str, Head]) -> Iterator[str]:
    """What is wrong with the chains, in words that name the user and the entry; nothing when all hold.

    `rows` come in the order of the journal.
    """
    ends: dict[str, Head] = {}
    unproved: dict[tuple[str, int], tuple[int, str | None]] = {}
    for row in rows:
        user, number = row["user_id"], row["number"]
        before = ends.get(user, Head())
        where = f"journal entry {row['seq']} of user {user}"
        if number != before.number + 1:
            yield f"{where} has number {number}, expected {before.number + 1}: an entry is missing or was added"
        if row["link"] != link_of(before.link, row["digest"] or ""):
            yield f"{where} does not follow from the one before it"
        ends[user] = Head(number or 0, row["link"] or "")
        if row["kind"] == ERASED:
            unproved[user, number] = (row["seq"], None)
        elif digest_of(row, row["salt"] or "") != row["digest"]:
            unproved[user, number] = (row["seq"], digest_of(row, row["salt"] or ""))
        for name, said in _replaced(row):
            held = unproved.get((user, name))
            if held is not None and held[1] == said:
                del unproved[user, name]
    for (user, _), (seq, _found) in sorted(unproved.items()):
        yield f"journal entry {seq} of user {user} was changed, and no tombstone says so"
    for user in sorted(set(ends) | set(heads)):
        if ends.get(user, Head()) != heads.get(user, Head()):
            yield f"the journal of user {user} does not end where it was left: entries are missing or were added"


def _replaced(row: Mapping[str, Any]) -> Iterator[tuple[int, str | None]]:
    """The entries a tombstone speaks for: by number, with the digest of what stands there now."""
    if "replaced" not in row["note"] and "erased_until" not in row["note"]:
        return
    note = json.loads(row["note"])
    for number, digest in note.get("replaced", {}).items():
        yield int(number), digest
    for number in range(1, int(note.get("erased_until", 0)) + 1):
        yield number, None
