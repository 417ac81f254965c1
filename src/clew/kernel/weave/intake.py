"""Reading a state and a proposal item by item: a bad item is diagnosed, the others still count."""

from __future__ import annotations

from typing import Any

from clew.errors import InvalidInput
from clew.kernel.text.normalize import normalize, tidied
from clew.kernel.weave.report import Report
from clew.model.fields import Fields
from clew.model.thread import Severity, Thread, ThreadAdd, ThreadType, Urgency
from clew.policy.weave import WeavePolicy

_SHOWN = 60


def read_thread(raw: Any, policy: WeavePolicy) -> Thread:
    """A thread of the state; an untyped one of old counts as the default type."""
    item = Fields(raw)
    return Thread(
        item.id("id"),
        item.enum("type", ThreadType, policy.default_type),
        item.text("text"),
        item.enum("urgency", Urgency, policy.default_urgency),
        item.strings("supersedes", ()),
        item.integer("age", 0),
    )


def read_threads(raw: list[Any], policy: WeavePolicy, report: Report) -> list[Thread | None]:
    """None for an item that cannot be read: it is carried on as it is."""
    out: list[Thread | None] = []
    seen: set[str] = set()
    for place, item in enumerate(raw):
        try:
            thread = read_thread(item, policy)
        except InvalidInput as why:
            report.tell("malformed_state", f"threads[{place}]: {why.message}", field=f"/threads/{place}")
            out.append(None)
            continue
        if thread.id in seen:
            message = f"threads[{place}]: the id {thread.id} is used twice"
            report.tell("malformed_state", message, thread_id=thread.id, field=f"/threads/{place}")
        seen.add(thread.id)
        out.append(thread)
    return out


def read_adds(raw: list[Any], policy: WeavePolicy, report: Report) -> list[tuple[int, ThreadAdd]]:
    found = ((index, _read_add(index, item, policy, report)) for index, item in enumerate(raw))
    return [(index, add) for index, add in found if add is not None]


def _read_add(index: int, raw: Any, policy: WeavePolicy, report: Report) -> ThreadAdd | None:
    if not isinstance(raw, dict):
        report.tell("malformed_add", f"add[{index}] must be an object with type and text", index=index)
        return None
    item, ok = Fields(raw), True
    try:
        text = tidied(item.text("text", ""))
    except InvalidInput as why:
        report.tell("malformed_add", f"add[{index}]: {why.message}", index=index)
        return None
    if not normalize(text):
        ok = report.tell("empty_text", f"add[{index}] has no text", index=index) is Severity.WARN
    if item.has("id"):
        message = f"add[{index}] carries the id {str(raw['id'])[:_SHOWN]!r}; ids are given here"
        ok &= report.tell("carries_id", message, index=index) is not Severity.REJECT
    kind = raw.get("type")
    if not isinstance(kind, str) or kind not in ThreadType.__members__:
        known = ", ".join(t.value for t in ThreadType)
        message = f"add[{index}] has the type {str(kind)[:_SHOWN]!r}; known: {known}"
        severity = report.tell("unknown_type", message, index=index)
        if severity is Severity.REJECT:
            return None
        kind = policy.default_type.value
    urgency = raw.get("urgency")
    if urgency is not None and (not isinstance(urgency, str) or urgency not in Urgency.__members__):
        known = ", ".join(u.value for u in Urgency)
        message = f"add[{index}] has the urgency {str(urgency)[:_SHOWN]!r}; known: {known}"
        ok &= report.tell("unknown_urgency", message, index=index) is not Severity.REJECT
        urgency = None
    if not ok:
        return None
    return ThreadAdd(ThreadType(kind), text, Urgency(urgency) if urgency else None)


def read_resolves(raw: list[Any], report: Report) -> list[str]:
    out: list[str] = []
    for place, item in enumerate(raw):
        if isinstance(item, str) and item:
            out.append(item)
        else:
            report.tell("unknown_id", f"resolve[{place}] must be a thread id", field="resolve")
    return list(dict.fromkeys(out))
