"""Memories in the chat: grouped by whose life they are about, in plain words, changed by number or by words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, tzinfo

from clew.engine import rights
from clew.engine.pointing import memory_item, show
from clew.engine.texts import topic_name
from clew.engine.withdraw import withdraw
from clew.faces.cli.sitting import Chat
from clew.kernel.keep.telling import group_for, tell, who, words_of
from clew.kernel.text.tokens import content_words
from clew.model.memory import SELF, EventKind, MemoryRecord, MemoryStatus
from clew.policy import Policy


def grouped(records: Iterable[MemoryRecord], language: str, policy: Policy) -> dict[str, list[MemoryRecord]]:
    """By a heading: the groups of the user's own life, then each of their people and pets."""
    words = words_of(language, policy)
    order = list(words.groups)
    out: dict[str, list[MemoryRecord]] = {}

    def place(record: MemoryRecord) -> tuple[int, int, str, str]:
        group = group_for(record, policy)
        at = order.index(group) if group in order else len(order)
        return (record.subject != SELF, at, record.subject, record.created_at.isoformat())

    for record in sorted(records, key=place):
        own = record.subject == SELF
        heading = words.groups.get(group_for(record, policy), "") if own else who(record, language, policy)
        out.setdefault(heading[:1].upper() + heading[1:], []).append(record)
    return out


def list_(room: Chat, rest: str) -> None:
    keys = rest == "keys" or room.verbose
    search = "" if rest == "keys" else rest
    language, policy = room.language, room.parts.policy
    found = rights.memories(room.parts, room.scope)
    if search:
        found = [m for m in found if fits(m, search, language, policy)]
    groups = grouped(found, language, policy)
    ordered = [m for group in groups.values() for m in group]
    room.listed = tuple(ordered)
    show(room.parts, room.conversation, "memories", [memory_item(room.parts, m, language) for m in ordered])
    if not ordered:
        room.show(f"Nothing remembered matches {search!r}." if search else "Nothing is remembered yet.")
    number = 0
    for heading, group in groups.items():
        room.show(heading)
        for memory in group:
            number += 1
            room.show(f"  {number}. {line_of(memory, language, policy, keys=keys, zone=room.zone)}")


def line_of(
    memory: MemoryRecord, language: str, policy: Policy, *, keys: bool = False, zone: tzinfo = UTC
) -> str:
    marks = "".join(m for m, on in ((" (paused)", memory.paused), (" (pinned)", memory.pinned)) if on)
    key = f"  [{memory.memory_key} = {memory.memory_value}, {memory.confidence}]" if keys else ""
    return f"{tell(memory, language, policy, zone=zone)}{marks}{key}"


def forget(room: Chat, rest: str) -> None:
    if not rest:
        room.show("Say what: /forget 2 (a number from /memories) or /forget sushi")
        return
    if (chosen := _pick(room, rest)) is None:
        return
    gone = rights.forget(room.parts, room.scope, chosen.memory_id)
    room.listed = tuple(m for m in room.listed if m.memory_id != chosen.memory_id)
    what = _told(room, chosen)
    room.show(f"Forgotten: {what}. /undo brings it back." if gone else f"Already forgotten: {what}.")


def edit(room: Chat, rest: str) -> None:
    name, equals, value = rest.partition("=")
    if not equals or not value.strip() or not name.strip():
        room.show("Like this: /edit 2 = Porto, or /edit where I live = Porto")
        return
    if (chosen := _pick(room, name.strip())) is None:
        return
    events = rights.edit(room.parts, room.scope, chosen.memory_id, value.strip())
    if not events:
        room.show("It says that already.")
        return
    ids = [e.memory_id for e in events if e.kind == "created" and e.memory_id]
    with room.parts.store.read() as session:
        new = session.memories_about(room.scope.user_id, room.scope.friend_id, ids=ids)
    room.show(f"Now: {'; '.join(_told(room, m) for m in new)}. /undo takes it back.")


def pin(room: Chat, rest: str) -> None:
    if (chosen := _pick(room, rest)) is not None:
        marked = rights.pin(room.parts, room.scope, chosen.memory_id, not chosen.pinned)
        _replace(room, marked)
        room.show(f"{'Pinned' if marked.pinned else 'No longer pinned'}: {_told(room, marked)}.")


def pause(room: Chat, rest: str) -> None:
    if (chosen := _pick(room, rest)) is not None:
        marked = rights.pause(room.parts, room.scope, chosen.memory_id, not chosen.paused)
        _replace(room, marked)
        room.show(f"{'Paused' if marked.paused else 'In use again'}: {_told(room, marked)}.")


def restore(room: Chat, rest: str) -> None:
    """Without words it lists what could come back."""
    everything = rights.memories(room.parts, room.scope, status=None)
    gone = [m for m in everything if m.status is not MemoryStatus.ACTIVE]
    language, policy = room.language, room.parts.policy
    if not rest:
        room.listed = tuple(gone)
        for number, memory in enumerate(gone, 1):
            room.show(f"{number}. {line_of(memory, language, policy, zone=room.zone)}")
        room.show("/restore N brings one back." if gone else "Nothing was forgotten or replaced.")
        return
    listed = [m for m in room.listed if m.status is not MemoryStatus.ACTIVE] or gone
    chosen = _chosen(room, rest, listed, gone)
    if chosen is not None:
        rights.bring_back(room.parts, room.scope, [chosen.memory_id])
        room.show(f"Remembered again: {_told(room, chosen)}.")


def unsay(room: Chat, rest: str) -> None:
    """The last message, its reply, and every memory that rested on it alone."""
    with room.parts.store.read() as session:
        past = session.recent(room.conversation.conversation_id, 1, "user")
    if not past:
        room.show("There is nothing to take back.")
        return
    events = withdraw(room.parts, room.scope, [past[-1].message_id])
    ids = [e.memory_id for e in events if e.memory_id]
    with room.parts.store.read() as session:
        gone = session.memories_about(room.scope.user_id, room.scope.friend_id, ids=ids)
    lost = [_told(room, m) for m in gone if m.status is not MemoryStatus.ACTIVE]
    room.last_message_id = None
    said = past[-1].text if len(past[-1].text) <= 60 else past[-1].text[:59] + "…"
    room.show(f"Taken back: {said}" + (f" (and with it: {'; '.join(lost)})" if lost else ""))


def undo(room: Chat, rest: str) -> None:
    events = rights.undo(room.parts, room.scope)
    if not events:
        room.show("Nothing to undo.")
        return
    ids = [e.memory_id for e in events if e.memory_id]
    with room.parts.store.read() as session:
        found = {m.memory_id: m for m in session.memories_about(room.scope.user_id, room.scope.friend_id, ids=ids)}
    told = [
        f"{'back' if e.kind == EventKind.RESTORED else 'gone'}: "
        f"{_told(room, found[e.memory_id]) if e.memory_id in found else _closed(room, e.reason)}"
        for e in events
    ]
    room.show(f"Undone; {'; '.join(dict.fromkeys(told))}")


def _closed(room: Chat, reason: str) -> str:
    """A topic or a thing that was closed and is open again."""
    thing = reason.partition(" ")[2]
    return topic_name(thing, room.language, room.parts.policy) or rights.unnamed(reason)


def _told(room: Chat, memory: MemoryRecord) -> str:
    said = tell(replace(memory, status=MemoryStatus.ACTIVE), room.language, room.parts.policy, zone=room.zone)
    return f"{said[:1].lower()}{said[1:]}"


def _replace(room: Chat, marked: MemoryRecord) -> None:
    room.listed = tuple(marked if m.memory_id == marked.memory_id else m for m in room.listed)


def _pick(room: Chat, rest: str) -> MemoryRecord | None:
    held = rights.memories(room.parts, room.scope)
    if not room.listed:
        groups = grouped(held, room.language, room.parts.policy)
        room.listed = tuple(m for group in groups.values() for m in group)
    return _chosen(room, rest, room.listed, held)


def _chosen(
    room: Chat, rest: str, listed: Iterable[MemoryRecord], held: Iterable[MemoryRecord]
) -> MemoryRecord | None:
    """By its number in the last list, or by words that its sentence holds."""
    numbered = list(listed)
    if rest.isascii() and rest.isdigit():
        if 1 <= int(rest) <= len(numbered):
            return numbered[int(rest) - 1]
        room.show(f"There is no number {rest} in the list.")
        return None
    language, policy = room.language, room.parts.policy
    found = [m for m in held if fits(m, rest, language, policy)]
    if len(found) == 1:
        return found[0]
    if not found:
        room.show(f"Nothing remembered matches {rest!r}." if rest else "Say which: a number, or words.")
    else:
        room.listed = tuple(found)
        room.show("Which one?")
        for number, memory in enumerate(found, 1):
            room.show(f"{number}. {line_of(memory, language, policy, zone=room.zone)}")
    return None


def fits(memory: MemoryRecord, said: str, language: str, policy: Policy) -> bool:
    """Its words or its key hold what was said: "sushi", "where I live", "fact:current_city"."""
    held = f"{tell(memory, language, policy)} {memory.memory_key} {memory.memory_value}".lower().replace("_", " ")
    if said.lower().replace("_", " ") in held:
        return True
    wanted = content_words(said)
    return bool(wanted) and wanted <= content_words(held)
