"""What of the memories a remark may change at all, and what changes nothing yet."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.keep.lifecycle import ACTIVE
from clew.kernel.keep.successors import attribute_in
from clew.kernel.read.change_words import says, says_change
from clew.kernel.text.tokens import digits
from clew.model.key import Key, KeyKind
from clew.model.memory import MemoryRecord, MemoryType
from clew.model.utterance import Statement, Status
from clew.policy import Policy

_DAYS = ("plan",)


def may_change(record: MemoryRecord, policy: Policy) -> bool:
    """Things that happened, moods and what the user has pinned are not undone by a remark."""
    if record.status is not ACTIVE or record.pinned or record.type is MemoryType.EMOTIONAL_PATTERN:
        return False
    attribute, key = attribute_in(record, policy), Key.parse(record.memory_key)
    # A job that was left is an event, whatever it is an event of; a plan may still be put off.
    happened = key is not None and key.kind is KeyKind.EVENT and attribute not in _DAYS
    return attribute not in ("event", "death") and not happened


def only_ahead(told: Sequence[Statement]) -> bool:
    """A goal is told, and nothing that is so already."""
    ahead = [s for s in told if s.attribute == "goal" or s.status is Status.FUTURE]
    return bool(ahead) and all(s in ahead or s.attribute in ("note", "event") for s in told)


def nothing_in_its_place(
    record: MemoryRecord, near: Sequence[Statement], kin: Sequence[str | None], text: str, policy: Policy
) -> bool:
    """Nothing that holds was told of this side of the same life, and no word says that anything changed.

    near: what the message tells of the same group. kin: the attributes whose news is news of this one. "The scale said
    88" tells another figure, and needs no such word.
    """
    if any(s.attribute in kin and (s.status is not Status.FUTURE or s.attribute in _DAYS) for s in near):
        return False
    figure = bool(digits(record.memory_value)) and bool(digits(text) - digits(record.memory_value))
    return not figure and not says_change(text, policy) and not says(text, "shifted", policy)
