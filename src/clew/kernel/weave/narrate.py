"""One page against the narrator's whole state, in one pass.

Adds and removals of every shelf are reconciled together with the threads; in strict mode one reject
leaves the story as it was. Numbers of ids only grow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.kernel.door import Mode
from clew.kernel.text.normalize import tidied
from clew.kernel.weave.ages import is_overdue, older, pressing
from clew.kernel.weave.intake import read_adds, read_resolves
from clew.kernel.weave.reconcile import reconcile
from clew.kernel.weave.report import Report
from clew.kernel.weave.shelves import proposed, proposed_canon, same_key
from clew.model.fields import Fields
from clew.model.thread import CanonFact, Entry, EntryKind, Payoff, Severity, Story, StoryVerdict
from clew.policy import Policy
from clew.policy.weave import WeavePolicy

_SCENE = "SCENE"


def narrate(story: Story, page: Fields, policy: Policy, mode: Mode = "repair") -> StoryVerdict:
    """`page`: location, threads {add, resolve}, each shelf {add, remove}, canon {world, characters}, payoffs;
    all may be missing."""
    weave = policy.weave
    report = Report(weave, mode)
    wanted = page.child("threads", Fields({}))
    adds = read_adds(list(wanted.items("add", [])), weave, report)
    resolves = read_resolves(list(wanted.items("resolve", [])), report)
    counter = story.counters.get(weave.thread_prefix)
    verdict = reconcile(
        story.threads, adds, resolves, policy=policy, mode=mode, next_id=counter,
        earlier=tuple(report.diagnostics),
    )
    report = Report(weave, mode, verdict.diagnostics)
    counters = {**story.counters, weave.thread_prefix: verdict.next_id}
    entries: dict[EntryKind, tuple[Entry, ...]] = {}
    added: dict[str, tuple[Any, ...]] = {"threads": verdict.added}
    removed: dict[str, tuple[str, ...]] = {"threads": verdict.resolved}
    for kind in EntryKind:
        shelf, new, gone = _shelf(story, kind, page, counters, weave, report)
        entries[kind], added[kind.value], removed[kind.value] = shelf, new, gone
    facts = _new_facts(story.canon, page, report)
    added["canon"] = facts
    changed = any(added.values()) or any(removed.values())
    told = tuple(report.diagnostics)
    if not report.accepted(changed):
        return StoryVerdict(False, story, {}, {}, told)
    fresh = {t.id for t in verdict.added}
    aged = older(t for t in verdict.threads if t.id not in fresh)
    after = Story(
        tidied(page.text("location", "")) or story.location,
        (*aged, *verdict.added),
        entries,
        (*story.canon, *facts),
        counters,
    )
    return StoryVerdict(True, after, added, removed, told, notices(after, weave))


def _shelf(
    story: Story, kind: EntryKind, page: Fields, counters: dict[str, int], weave: WeavePolicy, report: Report
) -> tuple[tuple[Entry, ...], tuple[Entry, ...], tuple[str, ...]]:
    wanted = page.child(kind.value, Fields({}))
    prefix, old = weave.entry_prefixes[kind], story.shelf(kind)
    gone = _removals(kind, old, wanted.items("remove", []), weave, report)
    if kind is EntryKind.PROMISE:
        gone += _paid(old, page.items("payoffs", []), report)
        gone += tuple(e.id for e in old if _expired(e, weave) and e.id not in gone)
    left = tuple(replace(e, age=e.age + 1) for e in old if e.id not in gone)
    # Numbers come from the list before removals, and from the counter, whichever is higher.
    number = max(counters.get(prefix, 1), *(_number(e.id, prefix) + 1 for e in old), 1)
    seen = {same_key(e) for e in left}
    new: list[Entry] = []
    for entry in proposed(kind, wanted.items("add", []), report):
        key = same_key(entry)
        where = f"{kind.value}.add"
        if key in seen:
            severity = report.tell("duplicate_entry", f"already there: {entry.text!r}", field=where)
            if severity is not Severity.WARN:
                continue
        if kind is EntryKind.PROMISE and len(left) + len(new) >= weave.promises_max:
            message = f"{weave.promises_max} promises stand; {entry.text!r} waits"
            if report.tell("promise_limit", message, field=where) is not Severity.WARN:
                continue
        seen.add(key)
        new.append(replace(entry, id=f"{prefix}-{number}"))
        number += 1
    counters[prefix] = number
    return (*left, *new), tuple(new), gone


def _removals(
    kind: EntryKind, old: Sequence[Entry], ids: Sequence[Any], weave: WeavePolicy, report: Report
) -> tuple[str, ...]:
    """Each list takes only ids of its own prefix; promises end by payoff alone."""
    known = {e.id for e in old}
    where, prefix = f"{kind.value}.remove", weave.entry_prefixes[kind]
    gone: list[str] = []
    for item in ids:
        if not isinstance(item, str) or not item:
            report.tell("unknown_id", f"{where} takes ids", field=where)
        elif kind is EntryKind.PROMISE:
            report.tell("promise_by_payoff", f"{item} ends by its payoff", thread_id=item, field=where)
        elif item not in known:
            own = item.partition("-")[0] == prefix
            foreign = f"{item} is no id of {kind.value} ({prefix}-N)"
            message = f"nothing there has the id {item}" if own else foreign
            report.tell("unknown_id", message, thread_id=item, field=where)
        elif item not in gone:
            gone.append(item)
    return tuple(gone)


def _paid(old: Sequence[Entry], payoffs: Sequence[Any], report: Report) -> tuple[str, ...]:
    """An analyst's payoffs may close forgotten promises, but only ids that exist."""
    known = {e.id for e in old}
    paid: list[str] = []
    for item in payoffs:
        name = item.get("id") if isinstance(item, dict) else None
        if name in known and item.get("level") in Payoff.__members__:
            paid.append(name)
        else:
            shown = name if isinstance(name, str) else None
            report.tell("unknown_id", "a payoff names no standing promise", thread_id=shown, field="payoffs")
    return tuple(dict.fromkeys(paid))


def _expired(entry: Entry, weave: WeavePolicy) -> bool:
    return entry.scope == _SCENE and entry.age >= weave.promise_scene_life


def _number(entry_id: str, prefix: str) -> int:
    found = re.fullmatch(rf"{re.escape(prefix)}-([0-9]{{1,18}})", entry_id)
    return int(found.group(1)) if found else 0


def _new_facts(old: Sequence[CanonFact], page: Fields, report: Report) -> tuple[CanonFact, ...]:
    seen = {same_key(f) for f in old}
    out: list[CanonFact] = []
    for index, fact in proposed_canon(page.raw("canon", None), report):
        key = same_key(fact)
        if key in seen:
            message = f"known already: {fact.text!r}"
            if report.tell("duplicate_canon", message, index=index, field="canon") is not Severity.WARN:
                continue
        seen.add(key)
        out.append(fact)
    return tuple(out)


def notices(story: Story, weave: WeavePolicy) -> tuple[str, ...]:
    """What presses on the next page: overdue threads, ageing promises, shelves to consolidate."""
    late = (t for t in pressing(story.threads, weave) if is_overdue(t, weave))
    out = [f"{t.id} is overdue: {t.urgency.value}, {t.age} pages" for t in late]
    promises = story.shelf(EntryKind.PROMISE)
    out += [f"{p.id} is ageing: {p.age} pages" for p in promises if p.age >= weave.promise_aging]
    for kind in (EntryKind.THREAT, EntryKind.CONSTRAINT):
        if len(story.shelf(kind)) > weave.shelf_target:
            out.append(f"consolidate {kind.value}: {len(story.shelf(kind))} stand")
    return tuple(out)


