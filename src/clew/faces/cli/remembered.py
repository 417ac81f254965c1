"""Memories in the chat: grouped by whose life they are about, in plain words, changed by number or by words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, tzinfo

from clew.engine import rights, service
from clew.engine.episodes import Talk
from clew.engine.pointing import memory_item, show
from clew.engine.texts import politely, say, topic_name
from clew.engine.withdraw import withdraw
from clew.faces.cli.sitting import Chat
from clew.kernel.keep.keys import attribute_for
from clew.kernel.keep.telling import group_for, tell, who, words_of
from clew.kernel.language.packs import pack
from clew.kernel.text.tokens import content_words
from clew.model.key import Key
from clew.model.memory import SELF, EventKind, MemoryEvent, MemoryRecord, MemoryStatus
from clew.policy import Policy


def grouped(records: Iterable[MemoryRecord], language: str, policy: Policy) -> dict[str, list[MemoryRecord]]:
    """By a heading: the groups of the user's own life, then each of their people and pets."""
    words = words_of(language, policy)
    order = list(words.groups)
    records = list(records)
    names: dict[str, set[str]] = {}
    for record in records:
        if (name := _name(record)) is not None:
            names.setdefault(record.subject, set()).add(name)

    def bearer(record: MemoryRecord) -> tuple[str, str]:
        """Of whom only one is known by name, what was told before the name is told of the same one."""
        known = names.get(record.subject, set())
        return record.subject, _name(record) or (next(iter(known)) if len(known) == 1 else "")

    def place(record: MemoryRecord) -> tuple[int, int, str, str]:
        group = group_for(record, policy)
        at = order.index(group) if group in order else len(order)
        first = "" if record.attribute == "name" else record.created_at.isoformat()
        return (record.subject != SELF, 0 if record.subject != SELF else at, ":".join(bearer(record)), first)

    headings: dict[tuple[str, str], str] = {}
    out: dict[str, list[MemoryRecord]] = {}
    for record in sorted(records, key=place):
        own = record.subject == SELF
        # Everything of one person under one heading, also what they are called.
        named = replace(record, attribute="note")
        heading = words.groups.get(group_for(record, policy), "") if own else who(named, language, policy)
        heading = heading if own else headings.setdefault(bearer(record), heading)
        out.setdefault(heading[:1].upper() + heading[1:], []).append(record)
    return out


def _name(record: MemoryRecord) -> str | None:
    key = Key.parse(record.memory_key)
    return key.name if key and record.subject != SELF else None


def talk_line(talk: Talk) -> str:
    """One session: the day it began, and what it was about."""
    return f"{talk.started_at:%Y-%m-%d %H:%M}  {talk.summary}{'' if talk.ended_at else '  (going on)'}"


def _episodes(room: Chat) -> None:
    for talk in service.episodes(room.parts, service.place_of(room.parts, room.conversation.conversation_id)):
        room.show(talk_line(talk))


def list_(room: Chat, rest: str) -> None:
    if rest == "episodes":
        _episodes(room)
        return
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
        _say(room, "no_match" if search else "none", what=search)
    number, polite = 0, politely(language, room.heard, ())
    for heading, group in groups.items():
        room.show(heading)
        for memory in group:
            number += 1
            line = line_of(memory, language, policy, keys=keys, zone=room.zone, polite=polite)
            room.show(f"  {number}. {line}")


def _say(room: Chat, what_is_said: str, language: str | None = None, **fields: str) -> None:
    room.show(_words(what_is_said, language or room.language, room.parts.policy).format(**fields))


def _words(name: str, language: str, policy: Policy) -> str:
    return say(f"memories_{name}", language, "", policy)


def line_of(
    memory: MemoryRecord,
    language: str,
    policy: Policy,
    *,
    keys: bool = False,
    zone: tzinfo = UTC,
    polite: bool = False,
) -> str:
    """One memory as one says it to its owner."""
    on = [name for name in ("paused", "pinned") if getattr(memory, name)]
    marks = "".join(f" ({_words(f'mark_{name}', language, policy)})" for name in on)
    key = f"  [{memory.memory_key} = {memory.memory_value}, {memory.confidence}]" if keys else ""
    told, speech = tell(memory, language, policy, zone=zone), pack(language)
    return f"{speech.spoken(told, polite) if speech else told}{marks}{key}"


def forget(room: Chat, rest: str) -> None:
    if not rest:
        _say(room, "forget_how")
        return
    if (chosen := _pick(room, rest)) is None:
        return
    gone = rights.forget(room.parts, room.scope, chosen.memory_id)
    room.listed = tuple(m for m in room.listed if m.memory_id != chosen.memory_id)
    what = _told(room, chosen)
    _say(room, "forgotten" if gone else "forgotten_already", what=what)


def edit(room: Chat, rest: str) -> None:
    name, equals, value = rest.partition("=")
    if not equals or not value.strip() or not name.strip():
        _say(room, "edit_how")
        return
    if (chosen := _pick(room, name.strip())) is None:
        return
    events = rights.edit(room.parts, room.scope, chosen.memory_id, value.strip())
    if not events:
        _say(room, "edited_same")
        return
    ids = [e.memory_id for e in events if e.kind == "created" and e.memory_id]
    with room.parts.store.read() as session:
        new = session.memories_about(room.scope.user_id, room.scope.friend_id, ids=ids)
    _say(room, "edited", what="; ".join(_told(room, m) for m in new))


def pin(room: Chat, rest: str) -> None:
    if (chosen := _pick(room, rest)) is not None:
        marked = rights.pin(room.parts, room.scope, chosen.memory_id, not chosen.pinned)
        _replace(room, marked)
        _say(room, "pinned" if marked.pinned else "unpinned", what=_told(room, marked))


def pause(room: Chat, rest: str) -> None:
    if (chosen := _pick(room, rest)) is not None:
        marked = rights.pause(room.parts, room.scope, chosen.memory_id, not chosen.paused)
        _replace(room, marked)
        _say(room, "paused" if marked.paused else "resumed", what=_told(room, marked))


def restore(room: Chat, rest: str) -> None:
    """Without words it lists what could come back."""
    everything = rights.memories(room.parts, room.scope, status=None)
    gone = [m for m in everything if m.status is not MemoryStatus.ACTIVE]
    language, policy = room.language, room.parts.policy
    if not rest:
        room.listed = tuple(gone)
        for number, memory in enumerate(gone, 1):
            room.show(f"{number}. {line_of(memory, language, policy, zone=room.zone)}")
        _say(room, "gone_how" if gone else "gone_none")
        return
    listed = [m for m in room.listed if m.status is not MemoryStatus.ACTIVE] or gone
    chosen = _chosen(room, rest, listed, gone)
    if chosen is not None:
        rights.bring_back(room.parts, room.scope, [chosen.memory_id])
        _say(room, "restored", what=_told(room, chosen))


def unsay(room: Chat, rest: str) -> None:
    """The last message, its reply, and every memory that rested on it alone."""
    with room.parts.store.read() as session:
        past = session.recent(room.conversation.conversation_id, 1, "user")
    if not past:
        _say(room, "unsaid_none")
        return
    language = room.language  # that of the message which goes
    events = withdraw(room.parts, room.scope, [past[-1].message_id])
    ids = [e.memory_id for e in events if e.memory_id]
    with room.parts.store.read() as session:
        gone = session.memories_about(room.scope.user_id, room.scope.friend_id, ids=ids)
    lost = [_told(room, m, language) for m in gone if m.status is not MemoryStatus.ACTIVE]
    room.last_message_id = None
    said = past[-1].text if len(past[-1].text) <= 60 else past[-1].text[:59] + "…"
    _say(room, "unsaid_with" if lost else "unsaid", language, what=said, lost="; ".join(lost))


def undo(room: Chat, rest: str) -> None:
    events = rights.undo(room.parts, room.scope)
    if not events:
        _say(room, "undone_none")
        return
    ids = [e.memory_id for e in events if e.memory_id]
    with room.parts.store.read() as session:
        found = {m.memory_id: m for m in session.memories_about(room.scope.user_id, room.scope.friend_id, ids=ids)}
    told = []
    for event in events:
        way = _words("back" if event.kind == EventKind.RESTORED else "gone", room.language, room.parts.policy)
        held = found.get(event.memory_id or "")
        told.append(way.format(what=_told(room, held) if held else _closed(room, event)))
    _say(room, "undone", what="; ".join(dict.fromkeys(told)))


def _closed(room: Chat, event: MemoryEvent) -> str:
    """A topic or a thing that was closed and is open again."""
    return topic_name(event.topic or "", room.language, room.parts.policy) or rights.unnamed(event)


def _told(room: Chat, memory: MemoryRecord, language: str | None = None) -> str:
    whole = replace(memory, status=MemoryStatus.ACTIVE)
    said = tell(whole, language or room.language, room.parts.policy, zone=room.zone)
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
        _say(room, "no_number", what=rest)
        return None
    language, policy = room.language, room.parts.policy
    found = [m for m in held if fits(m, rest, language, policy)]
    if len(found) == 1:
        return found[0]
    if not found:
        _say(room, "no_match" if rest else "say_which", what=rest)
    else:
        room.listed = tuple(found)
        _say(room, "which")
        for number, memory in enumerate(found, 1):
            room.show(f"{number}. {line_of(memory, language, policy, zone=room.zone)}")
    return None


def fits(memory: MemoryRecord, said: str, language: str, policy: Policy) -> bool:
    """Its words or its key hold what was said: "sushi", "where I live", "fact:current_city"."""
    held = f"{tell(memory, language, policy)} {memory.memory_key} {memory.memory_value}".lower().replace("_", " ")
    if said.lower().replace("_", " ") in held:
        return True
    wanted = content_words(said)
    if wanted and wanted <= content_words(held):
        return True
    return memory.subject == SELF and _asks_for(said.lower().strip(), memory, policy)


def _asks_for(said: str, memory: MemoryRecord, policy: Policy) -> bool:
    """How one asks for it: "my job", "where I live", 사는 곳."""
    attribute, group = attribute_for(memory, policy), group_for(memory, policy)
    little = {w for words in policy.checks.languages.values() for w in words.asking}
    little |= set(policy.remember.correct.target_stop)
    for words in policy.attributes.languages.values():
        if said == words.groups.get(group, "").lower():
            return True
        for name in words.asked.get(attribute, ()):
            if name in said and set(said.replace(name, " ", 1).split()) <= little:
                return True
    return False
