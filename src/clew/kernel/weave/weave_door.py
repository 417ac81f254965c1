"""`threads` at the kernel door."""

from __future__ import annotations

from typing import Any

from clew.kernel.door import Mode
from clew.kernel.weave.intake import read_adds, read_resolves, read_threads
from clew.kernel.weave.reconcile import reconcile
from clew.kernel.weave.report import Report
from clew.model.fields import Fields
from clew.model.thread import Thread
from clew.model.verdict import Reason
from clew.policy import Policy


def threads(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    state, add, resolve = (list(payload.items(name, [])) for name in ("threads", "add", "resolve"))
    next_id = payload.integer("next_id", None)
    report = Report(policy.weave, mode)
    read = read_threads(state, policy.weave, report)
    adds = read_adds(add, policy.weave, report)
    resolves = read_resolves(resolve, report)
    verdict = reconcile(
        [t for t in read if t is not None],
        adds,
        resolves,
        policy=policy,
        mode=mode,
        next_id=next_id,
        earlier=tuple(report.diagnostics),
    )
    gone = set(verdict.resolved)
    left = [
        raw if thread is None else {**raw, **_shown(thread)}
        for raw, thread in zip(state, read, strict=True)
        if thread is None or thread.id not in gone
    ]
    reasons = [Reason(d.rule, d.message) for d in verdict.diagnostics]
    outcome = "weave.accepted" if verdict.accepted else "weave.rejected"
    reasons.append(Reason(outcome, f"{len(verdict.added)} added, {len(gone)} resolved"))
    return {
        "accepted": verdict.accepted,
        "threads": left + [_shown(t) | _lineage(t) for t in verdict.added],
        "added": [_shown(t) | {"supersedes": list(t.supersedes)} for t in verdict.added],
        "resolved": list(verdict.resolved),
        "diagnostics": [d.as_dict() for d in verdict.diagnostics],
        "next_id": verdict.next_id,
        "reasons": [r.as_dict() for r in reasons],
    }


def _shown(thread: Thread) -> dict[str, Any]:
    return {"id": thread.id, "type": thread.type.value, "text": thread.text, "urgency": thread.urgency.value}


def _lineage(thread: Thread) -> dict[str, Any]:
    return {"supersedes": list(thread.supersedes)} if thread.supersedes else {}
