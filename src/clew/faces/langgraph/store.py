"""A LangGraph BaseStore on Clew.

Any namespace holds items as every store does, searched by meaning where there is an embedder. The namespace
`("clew", user, friend, "memories")` is the user's memory itself: a put is learned (and may supersede), a delete
forgets, and a search gives what is current only.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from clew.engine import rights, service
from clew.engine.bootstrap import open_doors
from clew.engine.service import Place
from clew.engine.vectors import vectors_of
from clew.errors import InvalidInput
from clew.faces.python.opening import Opened, message_uuid
from clew.faces.python.results import Item as MemoryItem
from clew.kernel.text.tokens import content_words
from clew.model.canonical import iso

_OWNER = "langgraph"


class ClewStore(BaseStore):
    """`ClewStore("talk.db")`: a path, a database URL, or nothing for the data folder."""

    supports_ttl = False

    def __init__(self, db: Any = None, **more: Any) -> None:
        self._opened = Opened(db, **more)
        self._parts = self._opened.parts
        self._tables = open_doors(self._parts.store)

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> ClewStore:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return [self._do(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _do(self, op: Op) -> Result:
        match op:
            case GetOp():
                return self._get(op)
            case PutOp():
                self._put(op)
                return None
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
        raise InvalidInput(f"no operation {type(op).__name__}", pointer="/op")

    # -- memories -----------------------------------------------------------------------------

    def _place(self, namespace: tuple[str, ...]) -> Place | None:
        """The memory a namespace names; None for any other namespace."""
        if not namespace or namespace[0] != "clew":
            return None
        if len(namespace) != 4 or namespace[3] != "memories":
            raise InvalidNamespaceError('under "clew" stands ("clew", user, friend, "memories")')
        friend = None if namespace[2] == service.MAIN else namespace[2]
        return service.arrive(self._parts, namespace[1], friend=friend)

    def _get(self, op: GetOp) -> Item | None:
        if place := self._place(op.namespace):
            held = [m for m in service.memories(self._parts, place) if op.key in (m.memory_key, m.memory_id)]
            return _memory(op.namespace, MemoryItem.of(held[0])) if held else None
        row = self._tables.item(_OWNER, _space(op.namespace), op.key)
        return _item(row) if row is not None else None

    def _put(self, op: PutOp) -> None:
        _checked(op.namespace)
        place = self._place(op.namespace)
        if place is None:
            row = (_space(op.namespace), op.key, None if op.value is None else dict(op.value))
            self._tables.put_items(_OWNER, [row], iso(self._parts.clock.now()))
            return
        if op.value is None:
            for m in service.memories(self._parts, place):
                if op.key in (m.memory_key, m.memory_id):
                    rights.forget(self._parts, place.scope, m.memory_id)
            return
        value = op.value
        if isinstance(value.get("text"), str):
            name = message_uuid(op.key, place.conversation.conversation_id)
            service.learn(self._parts, place, value["text"], message_id=name)
        elif "value" in value:
            service.put(self._parts, place, op.key, str(value["value"]))
        else:
            raise InvalidInput('a memory is {"text": …}, or {"value": …} under a memory key', pointer="/value")

    def _search(self, op: SearchOp) -> list[SearchItem]:
        place = self._place(op.namespace_prefix)
        if place is None:
            return self._search_items(op)
        found: list[SearchItem] = []
        if op.query:
            for hit in service.find(self._parts, place, op.query, k=min(100, op.limit + op.offset), kinds=("memory",)):
                memory = MemoryItem.of(service.memory(self._parts, place, hit.id))
                found.append(_memory(op.namespace_prefix, memory, hit.score))
        else:
            held = service.memories(self._parts, place)
            found = [_memory(op.namespace_prefix, MemoryItem.of(m)) for m in held]
        kept = [i for i in found if _fits(i.value, op.filter)]
        return kept[op.offset : op.offset + op.limit]

    # -- loose items --------------------------------------------------------------------------

    def _search_items(self, op: SearchOp) -> list[SearchItem]:
        rows = self._tables.items(_OWNER, _space(op.namespace_prefix))
        items = [_item(r) for r in rows]
        items = [i for i in items if _fits(i.value, op.filter)]
        scores: list[float | None] = [None] * len(items)
        if op.query:
            scores = list(self._scores(op.query, [_words(i.value) for i in items]))
            order = sorted(range(len(items)), key=lambda n: (-(scores[n] or 0.0), n))
            items, scores = [items[n] for n in order], [scores[n] for n in order]
        shown = list(zip(items, scores, strict=True))[op.offset : op.offset + op.limit]
        return [
            SearchItem(i.namespace, i.key, i.value, i.created_at, i.updated_at, score) for i, score in shown
        ]

    def _scores(self, query: str, texts: list[str]) -> Iterable[float]:
        made = vectors_of(self._parts, [query, *texts])
        asked = content_words(query)
        for text in texts:
            shared = len(asked & content_words(text)) / max(1, len(asked))
            near = sum(a * b for a, b in zip(made[query], made[text], strict=True)) if text in made else 0.0
            yield max(near, shared) if query in made else shared

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        found = {tuple(r.space.split(".")) for r in self._tables.items(_OWNER)}
        found = {n for n in found if all(_matches(n, c) for c in op.match_conditions or ())}
        if op.max_depth is not None:
            found = {n[: op.max_depth] for n in found}
        return sorted(found)[op.offset : op.offset + op.limit]


def _checked(namespace: tuple[str, ...]) -> None:
    if not namespace or any(not label or "." in label for label in namespace):
        raise InvalidNamespaceError(f"labels are non-empty and hold no dot: {namespace!r}")


def _space(namespace: tuple[str, ...]) -> str:
    return ".".join(namespace)


def _item(row: Any) -> Item:
    return Item(
        value=json.loads(row.value),
        key=row.key,
        namespace=tuple(row.space.split(".")),
        created_at=datetime.fromisoformat(row.created_at),
        updated_at=datetime.fromisoformat(row.updated_at),
    )


def _memory(namespace: tuple[str, ...], memory: MemoryItem, score: float | None = None) -> SearchItem:
    value = {
        "text": memory.text,
        "value": memory.value,
        "type": memory.type,
        "confidence": memory.confidence,
        "status": memory.status,
        "memory_id": memory.id,
        "source_message_ids": list(memory.sources),
    }
    at = memory.created_at.astimezone(UTC)
    return SearchItem(namespace, memory.key, value, at, memory.confirmed_at.astimezone(UTC), score)


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(_words(v) for v in value.values())
    if isinstance(value, list):
        return " ".join(_words(v) for v in value)
    return str(value) if isinstance(value, (str, int, float)) else ""


_COMPARE = {
    "$eq": lambda a, b: a == b,
    "$ne": lambda a, b: a != b,
    "$gt": lambda a, b: a > b,
    "$gte": lambda a, b: a >= b,
    "$lt": lambda a, b: a < b,
    "$lte": lambda a, b: a <= b,
}


def _fits(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    return all(_same(value.get(k), w) for k, w in (wanted or {}).items())


def _same(held: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping) and any(str(k).startswith("$") for k in wanted):
        try:
            return all(_COMPARE[k](held, w) for k, w in wanted.items())
        except KeyError as why:
            raise InvalidInput(f"no operator {why}", pointer="/filter") from None
        except TypeError:
            return False
    if isinstance(wanted, Mapping):
        return isinstance(held, Mapping) and _fits(held, wanted)
    return bool(held == wanted)


def _matches(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return all(p in ("*", n) for p, n in zip(path, part, strict=True))



