"""One proposal against the open loops: what is added, resolved, refused, and why (rulings T3–T6, T13, T14).

Order for each add: contract (hazard, disallowed forms, form) → urgency → no-op → batch → active → licence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from clew.kernel.door import Mode
from clew.kernel.text.normalize import normalize
from clew.kernel.weave.active import Active
from clew.kernel.weave.contract import faults
from clew.kernel.weave.licence import Licences
from clew.kernel.weave.report import Report
from clew.model.thread import Diagnostic, Severity, Thread, ThreadAdd, ThreadVerdict, Urgency
from clew.policy import Policy

Proposed = Sequence[tuple[int, ThreadAdd]]


def reconcile(
    threads: Sequence[Thread],
    adds: Proposed,
    resolve: Sequence[str],
    *,
    policy: Policy,
    mode: Mode = "repair",
    next_id: int | None = None,
    earlier: tuple[Diagnostic, ...] = (),
) -> ThreadVerdict:
    """`adds` carry their place in the proposal; `earlier` is what reading the proposal already found."""
    work = _Pass(tuple(threads), policy, Report(policy.weave, mode, earlier))
    work.ask_resolves(resolve)
    for index, add in adds:
        work.propose(index, add)
    number = next_number(work.threads, policy.weave.thread_prefix, next_id)
    return work.verdict(number)


def next_number(threads: Sequence[Thread], prefix: str, given: int | None = None) -> int:
    """Numbers are never used again: above every id seen and never below the given counter."""
    pattern = re.compile(rf"{re.escape(prefix)}-([0-9]{{1,18}})")
    taken = [int(m.group(1)) for t in threads if (m := pattern.fullmatch(t.id))]
    return max([1, given or 1, *(n + 1 for n in taken)])


class _Pass:
    """The state of one walk over a proposal."""

    def __init__(self, threads: tuple[Thread, ...], policy: Policy, report: Report) -> None:
        self.threads = threads
        self.policy, self.weave, self.report = policy, policy.weave, report
        self.active = Active(threads, policy)
        self.batch = Active((), policy)
        self.places: dict[str, list[int]] = {}
        for place, thread in enumerate(threads):
            self.places.setdefault(thread.id, []).append(place)
        self.resolved: dict[int, None] = {}
        self.licences = Licences()
        self.fits: dict[int, tuple[int, ...]] = {}
        self.kept: list[tuple[int, Thread]] = []
        self.held: set[int] = set()
        self.highs = 0

    def ask_resolves(self, ids: Sequence[str]) -> None:
        for thread_id in ids:
            places = self.places.get(thread_id)
            if places is None:
                self.report.tell("unknown_id", self._unknown(thread_id), thread_id=thread_id, field="resolve")
            else:
                self.resolved.update(dict.fromkeys(places))

    def _unknown(self, thread_id: str) -> str:
        prefix = thread_id.partition("-")[0]
        for kind, foreign in self.weave.entry_prefixes.items():
            if prefix == foreign:
                return f"{thread_id} is an id of {kind.value}, not of threads ({self.weave.thread_prefix}-N)"
        return f"no open thread has the id {thread_id}"

    def _tell(self, rule: str, message: str, index: int, old: Thread, score: Fraction) -> Severity:
        return self.report.tell(rule, message, index=index, thread_id=old.id, similarity=score)

    def propose(self, index: int, add: ThreadAdd) -> None:
        refused = False
        if not normalize(add.text):
            refused = self.report.tell("empty_text", "no text", index=index) is not Severity.WARN
        for fault in () if refused else faults(add, self.policy):
            refused |= self.report.tell(fault.rule, fault.detail, index=index) is Severity.REJECT
        if refused:
            return
        alike = self.active.equivalents(add)
        urgency = self._urgency(index, add, alike)
        if urgency is None or self._noop(index, add, alike) or self._repeated(index, add):
            return
        if self._unresolved(index, alike) or self._unlicensed(index, alike):
            return
        self._warn_across(index, add)
        self.highs += urgency is Urgency.HIGH and not self._keeps_high(alike)
        thread = Thread("", add.type, add.text, urgency)
        self.batch.append(thread)
        self.kept.append((index, thread))
        self.fits[index] = tuple(place for place, _ in alike)

    def _keeps_high(self, alike: Sequence[tuple[int, Fraction]]) -> bool:
        return any(self.threads[place].urgency is Urgency.HIGH for place, _ in alike)

    def _urgency(self, index: int, add: ThreadAdd, alike: Sequence[tuple[int, Fraction]]) -> Urgency | None:
        """A successor keeps its predecessor's urgency; new HIGH ones are limited."""
        older = [self.threads[place].urgency for place, _ in alike]
        wanted = add.urgency or max(older, key=lambda u: u.rank, default=self.weave.default_urgency)
        if wanted is not Urgency.HIGH or self._keeps_high(alike) or self.highs < self.weave.high_per_page:
            return wanted
        message = f"at most {self.weave.high_per_page} new HIGH thread a page"
        severity = self.report.tell("high_limit", message, index=index)
        if severity is Severity.REPAIR:
            return self.weave.default_urgency
        return None if severity is Severity.REJECT else wanted

    def _noop(self, index: int, add: ThreadAdd, alike: Sequence[tuple[int, Fraction]]) -> bool:
        """The same token sequence refines nothing; the old loop stays open (ruling T6)."""
        dropped = False
        for place, score in alike:
            if not self.active.same_sequence(place, add):
                continue
            old = self.threads[place]
            if place not in self.resolved and self._refuses_open(index, old, score):
                dropped = True
                continue
            message = f"says the same as {old.id}, which stays open"
            severity = self._tell("noop_replacement", message, index, old, score)
            dropped |= severity is not Severity.WARN
            self.held.add(place)
        return dropped

    def _refuses_open(self, index: int, old: Thread, score: Fraction) -> bool:
        """The same words as an open loop, without its resolve: a plain duplicate where those are rejected."""
        message = f"already open as {old.id}: {old.text!r}"
        severity = self._tell("duplicate_active", message, index, old, score)
        if severity is Severity.REJECT:
            more = f"a refinement resolves {old.id} and says something new"
            self._tell("missing_resolve", more, index, old, score)
        return severity is Severity.REJECT

    def _repeated(self, index: int, add: ThreadAdd) -> bool:
        """Within a proposal the first wins (ruling T14)."""
        dropped = False
        for place, score in self.batch.equivalents(add)[:1]:
            first, thread = self.kept[place]
            message = f"repeats add {first}: {thread.text!r}"
            severity = self.report.tell("duplicate_batch", message, index=index, similarity=score)
            dropped |= severity is not Severity.WARN
        return dropped

    def _unresolved(self, index: int, alike: Sequence[tuple[int, Fraction]]) -> bool:
        """Every open equivalent must be resolved: by the proposal (strict) or here (repair) (ruling T5)."""
        refused = False
        for place, score in alike:
            if place in self.resolved:
                continue
            old = self.threads[place]
            message = f"asks the same as {old.id}: {old.text!r}"
            first = self._tell("duplicate_active", message, index, old, score)
            second = self._tell("missing_resolve", f"a replacement resolves {old.id}", index, old, score)
            if Severity.REJECT in (first, second):
                refused = True
            elif Severity.REPAIR in (first, second):
                self.resolved[place] = None
        return refused

    def _unlicensed(self, index: int, alike: Sequence[tuple[int, Fraction]]) -> bool:
        options = tuple(place for place, _ in alike if place in self.resolved)
        if not options or self.licences.grant(index, options):
            return False
        place, score = next((p, s) for p, s in alike if p in self.resolved)
        old = self.threads[place]
        message = f"resolving {old.id} makes room for one successor, which an earlier add has taken"
        severity = self._tell("licence_used", message, index, old, score)
        if severity is Severity.REJECT:
            more = f"no resolve is left for this refinement of {old.id}"
            self._tell("missing_resolve", more, index, old, score)
        return severity is not Severity.WARN

    def _warn_across(self, index: int, add: ThreadAdd) -> None:
        """One question under two types: a warning only (ruling T13)."""
        for place, score in self.active.across_types(add):
            old = self.threads[place]
            if place not in self.resolved:
                message = f"{old.type.value} {old.id} asks nearly the same: {old.text!r}"
                self._tell("duplicate_across_types", message, index, old, score)
        for place, score in self.batch.across_types(add):
            first, thread = self.kept[place]
            message = f"add {first} ({thread.type.value}) asks nearly the same: {thread.text!r}"
            self.report.tell("duplicate_across_types", message, index=index, similarity=score)

    def verdict(self, number: int) -> ThreadVerdict:
        wanted = {place for places in self.fits.values() for place in places}
        for place in self.held - wanted:
            self.resolved.pop(place, None)
        applied = bool(self.kept or self.resolved)
        told = tuple(self.report.diagnostics)
        if not self.report.accepted(applied):
            return ThreadVerdict(False, self.threads, (), (), told, number)
        lineage = self.licences.lineage()
        added = tuple(
            replace(
                thread,
                id=f"{self.weave.thread_prefix}-{number + i}",
                supersedes=tuple(dict.fromkeys(self.threads[p].id for p in lineage.get(index, ()))),
            )
            for i, (index, thread) in enumerate(self.kept)
        )
        left = tuple(t for place, t in enumerate(self.threads) if place not in self.resolved)
        gone = tuple(dict.fromkeys(self.threads[place].id for place in self.resolved))
        return ThreadVerdict(True, (*left, *added), added, gone, told, number + len(added))
