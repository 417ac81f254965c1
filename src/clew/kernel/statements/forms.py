"""Values that have a form of their own: an age holds a number, and what stands around it is no part of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.statements.patterns import one
from clew.model.utterance import Statement
from clew.policy.checks import CheckWords


def in_form(found: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """Each value as far as it has the form of its attribute; 반갑습니다 is no age and says nothing as one."""
    return [made for s in found if (made := _formed(s, words)) is not None]


def _formed(told: Statement, words: CheckWords) -> Statement | None:
    shape = words.forms.get(told.attribute)
    if shape is None:
        return told
    match = one(shape.pattern).search(told.value)
    if match is None:
        return None
    start = told.start + match.start("value")
    return replace(told, value=match["value"], start=start, end=start + len(match["value"]))
