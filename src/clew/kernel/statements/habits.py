"""What is done again and again is a habit, whatever day it names: 주말엔 주로 클라이밍 가 is no appointment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.statements.patterns import compiled
from clew.model.utterance import Statement, Status
from clew.policy.checks import CheckWords

_ONCE = ("plan", "event")
_HABIT = "routine"
# What the words of a habit hold by themselves.
_WITHIN = (*_ONCE, _HABIT)


def habits_told(text: str, told: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """Plans and events within words that tell a habit, as that habit; each habit once, in the user's words."""
    found = [m for shape in compiled(tuple(words.habitual.values())) for m in shape.finditer(text)]
    out: list[Statement] = []
    for s in told:
        inside = next((m for m in found if m.start() <= s.start and s.end <= m.end()), None)
        if inside is None or s.attribute not in _WITHIN or s.status is Status.ENDED:
            out.append(s)
            continue
        if inside.end() - inside.start() <= s.end - s.start:
            out.append(s)
            continue
        whole = replace(
            s, attribute=_HABIT, value=inside[0], start=inside.start(), end=inside.end(), status=Status.IS,
        )  # fmt: skip
        if not any(o.attribute == _HABIT and o.start == whole.start and o.subject == s.subject for o in out):
            out.append(whole)
    return out
