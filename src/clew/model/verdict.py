"""A decision carries its reasons: stable rule ids a person can look up."""

from __future__ import annotations

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    rule: str
    detail: str = ""

    def as_dict(self) -> dict[str, str]:
        return {"rule": self.rule, "detail": self.detail}
