"""Diagnostics from the rule table: what is reported is what policy says, with the severity of the mode."""

from __future__ import annotations

from fractions import Fraction

from clew.kernel.door import Mode
from clew.model.thread import Diagnostic, Severity
from clew.policy.weave import WeavePolicy


class Report:
    """Collects diagnostics in order; `tell` answers what the rule does to the item (ruling T4)."""

    __slots__ = ("_mode", "_policy", "diagnostics")

    def __init__(self, policy: WeavePolicy, mode: Mode, earlier: tuple[Diagnostic, ...] = ()) -> None:
        self._policy = policy
        self._mode: Mode = mode
        self.diagnostics: list[Diagnostic] = list(earlier)

    def tell(
        self,
        rule: str,
        message: str,
        *,
        index: int | None = None,
        thread_id: str | None = None,
        similarity: Fraction | None = None,
        field: str | None = None,
    ) -> Severity:
        row = self._policy.rules[rule]
        severity = row.strict if self._mode == "strict" else row.repair
        self.diagnostics.append(
            Diagnostic(
                f"weave.{rule}", row.code, severity, message, index, thread_id, similarity,
                row.hint or None, field,
            )
        )
        return severity

    @property
    def rejects(self) -> bool:
        return any(d.severity is Severity.REJECT for d in self.diagnostics)

    def accepted(self, applied: bool) -> bool:
        """Strict: any reject rejects all. Repair: only a proposal of which nothing could be applied."""
        return not self.rejects or (self._mode == "repair" and applied)
