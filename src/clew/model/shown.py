"""What Clew listed last, so that "forget the second one" has something to point at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from clew.frozen import dataclass
from clew.model.canonical import canonical_json, iso
from clew.model.event import Put
from clew.model.fields import parse_time

Kind = Literal["memories", "threads", "personas"]


@dataclass(frozen=True, slots=True)
class Item:
    id: str
    label: str
    sublabel: str = ""


@dataclass(frozen=True, slots=True)
class ShownList:
    """A list as it was shown; `last` is the item acted on last, which "it" points at.

    What a reply tells in a row is a list too, though nobody asked for one: only counting points into it.
    """

    kind: Kind
    at: datetime
    items: tuple[Item, ...]
    last: str | None = None
    told: bool = False

    def item(self, item_id: str) -> Item:
        return next(i for i in self.items if i.id == item_id)

    def pointed_at(self, item_id: str) -> ShownList:
        return replace(self, last=item_id)


def put_shown(conversation_id: str, user_id: str, shown: ShownList) -> Put:
    body = {
        "kind": shown.kind,
        "at": iso(shown.at),
        "items": [{"id": i.id, "label": i.label, "sublabel": i.sublabel} for i in shown.items],
        "last": shown.last,
        **({"told": True} if shown.told else {}),
    }
    row = {"conversation_id": conversation_id, "user_id": user_id, "body": canonical_json(body)}
    return Put("continuity", row)


def shown_of(body: Mapping[str, Any]) -> ShownList:
    items = tuple(Item(i["id"], i["label"], i["sublabel"]) for i in body["items"])
    return ShownList(body["kind"], parse_time(body["at"], "/at"), items, body["last"], body.get("told", False))
