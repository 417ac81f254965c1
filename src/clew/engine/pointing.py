"""What was listed last, and follow-ups that point at it: "forget the second one"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from clew.engine import rights
from clew.engine.parts import Parts, user_lock
from clew.engine.rights import Scope
from clew.engine.weaving import propose
from clew.kernel.correct.commands import hear_command
from clew.kernel.ground.pick import pick
from clew.model.account import Conversation
from clew.model.canonical import canonical_json, iso
from clew.model.event import Event, Put
from clew.model.evidence import Candidate
from clew.model.fields import parse_time
from clew.model.memory import MemoryRecord
from clew.model.plan import Snippet

Kind = Literal["memories", "threads"]


@dataclass(frozen=True, slots=True)
class Item:
    id: str
    label: str
    sublabel: str = ""


@dataclass(frozen=True, slots=True)
class Pointed:
    """What a follow-up did, or which items it may have meant."""

    said: str
    item: Item | None = None
    done: bool = False


def memory_item(memory: MemoryRecord) -> Item:
    return Item(memory.memory_id, Snippet.of(memory).words, memory.memory_key)


def show(parts: Parts, conversation: Conversation, kind: Kind, items: Sequence[Item]) -> None:
    """Remember what is on the table; a new list replaces the old one."""
    at = parts.clock.now()
    body = {
        "kind": kind,
        "at": iso(at),
        "items": [{"id": i.id, "label": i.label, "sublabel": i.sublabel} for i in items],
        "last": None,
    }
    _keep(parts, conversation, body)


def follow(parts: Parts, conversation: Conversation, text: str) -> Pointed | None:
    """Act on the one item that is meant; None when the text points at nothing on the table."""
    with parts.store.read() as session:
        table = session.continuity(conversation.conversation_id)
        said = session.recent(conversation.conversation_id, 1)
    if not table or not table["items"] or _stale(parts, table):
        return None
    items = {i["id"]: Item(i["id"], i["label"], i["sublabel"]) for i in table["items"]}
    found = pick(
        text,
        [Candidate(i.id, i.label, sublabel=i.sublabel or None) for i in items.values()],
        parts.policy.ground,
        last=table["last"],
    )
    verbs = parts.policy.engine.pointing[table["kind"]]
    fresh = not said or said[-1].at <= parse_time(table["at"], "/at")
    if found.reason.startswith("ground.deictic") and not (fresh and _only_points(parts, text)):
        return None
    if found.choice_id is None:
        if found.verb in verbs and len(found.matches) > 1:
            return Pointed("Which one: " + ", ".join(items[i].label for i in found.matches) + "?")
        return None
    if found.verb is not None and found.verb not in verbs:
        return None
    # "I love ramen" is something said, whatever is listed; only a bare number right after the list is a choice.
    if found.verb is None and not (fresh and found.reason == "ground.ordinal"):
        return None
    item = items[found.choice_id]
    _keep(parts, conversation, {**table, "last": item.id})
    if found.verb is None:
        return Pointed(f"{item.label} ({item.sublabel})" if item.sublabel else item.label, item)
    if table["kind"] == "memories":
        if not rights.forget(parts, Scope.of(conversation), item.id):
            return Pointed(f"{item.sublabel} = {item.label} was already forgotten.", item)
        return Pointed(f"Forgotten: {item.sublabel} = {item.label}. /undo brings it back.", item, True)
    propose(parts, conversation, resolve=[item.id])
    return Pointed(f"Closed: {item.label}", item, True)


def _only_points(parts: Parts, text: str) -> bool:
    """ "Forget that" may mean what is listed; "forget that I live in Rome" names its own memory (ruling P73)."""
    return hear_command(text, parts.policy).named is None


def _stale(parts: Parts, table: dict[str, Any]) -> bool:
    shown = parse_time(table["at"], "/at")
    return parts.clock.now() - shown > timedelta(minutes=parts.policy.engine.list_minutes)


def _keep(parts: Parts, conversation: Conversation, body: dict[str, Any]) -> None:
    row = {
        "conversation_id": conversation.conversation_id,
        "user_id": conversation.user_id,
        "body": canonical_json(body),
    }
    with parts.store.write(user_lock(conversation.user_id)) as session:
        session.append(
            [
                Event(
                    kind="list.shown",
                    at=parts.clock.now(),
                    user_id=conversation.user_id,
                    policy=parts.policy.fingerprint,
                    changes=(Put("continuity", row),),
                )
            ]
        )
