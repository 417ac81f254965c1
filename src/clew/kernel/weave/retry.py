"""Refused once: the reasons go back to the proposer. Refused twice: a clean error that loses nothing.

The proposer is a callable given by the caller; this room knows no model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from clew.frozen import dataclass
from clew.model.thread import Diagnostic, Severity
from clew.policy.weave import WeavePolicy

CODE = "GENERATION_RECONCILIATION_FAILED"


class Judged(Protocol):
    """A verdict on a proposal: of threads or of a whole page."""

    @property
    def accepted(self) -> bool: ...
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...


V = TypeVar("V", bound=Judged)
P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the proposer hears before it tries again."""

    attempt: int
    reasons: tuple[Diagnostic, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Failure:
    """For the caller: codes without repetition, never the raw proposal."""

    code: str
    message: str
    issue_codes: tuple[str, ...]
    retry_attempted: bool


@dataclass(frozen=True, slots=True)
class Settled(Generic[V]):
    """The last verdict; `failure` when no attempt was accepted, and then nothing has changed."""

    verdict: V
    attempts: int
    failure: Failure | None


def feedback(verdict: Judged, attempt: int, policy: WeavePolicy) -> Feedback:
    """The rejecting reasons as text, each with its place and its hint."""
    reasons = tuple(d for d in verdict.diagnostics if d.severity is Severity.REJECT)
    lines = [policy.words["feedback"]]
    for d in reasons:
        place = d.field or ("add" if d.index is not None else "resolve")
        where = place if d.index is None else f"{place}[{d.index}]"
        lines.append(f"- {d.code} at {where}: {d.message}.{' ' + d.hint if d.hint else ''}")
    return Feedback(attempt, reasons, "\n".join(lines))


def failure(verdict: Judged, attempts: int, policy: WeavePolicy) -> Failure:
    codes = dict.fromkeys(d.code for d in verdict.diagnostics if d.severity is Severity.REJECT)
    return Failure(CODE, policy.words["failed"], tuple(codes), attempts > 1)


def settle(
    propose: Callable[[Feedback | None], P], judge: Callable[[P], V], policy: WeavePolicy
) -> Settled[V]:
    """Ask, judge, and ask again with the reasons, as often as policy allows."""
    heard: Feedback | None = None
    attempt = 1
    while True:
        verdict = judge(propose(heard))
        if verdict.accepted:
            return Settled(verdict, attempt, None)
        if attempt >= policy.attempts:
            return Settled(verdict, attempt, failure(verdict, attempt, policy))
        heard = feedback(verdict, attempt, policy)
        attempt += 1
