"""What of the memories a remark may change at all, and what changes nothing yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.keep.change_signs import shared_words
from clew.kernel.keep.keys import bare_value
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


def another_ended(near: Sequence[Statement], record: MemoryRecord, said: str, policy: Policy) -> bool:
    """All that is told of this side of a life is over, by a name of its own, and this one is not named."""
    left = {w for words in policy.checks.languages.values() for w in words.left}
    over = [s for s in near if s.status in (Status.ENDED, Status.PAST)]
    if not over or len(over) < len(near) or any(s.value.lower() in left for s in over):
        return False
    if any(s.attribute != attribute_in(record, policy) for s in over):
        return False
    once = any(w.before and re.search(w.before, said, re.I) for w in policy.compose.languages.values())
    if not once and any(s.status is Status.ENDED for s in over):
        return False
    return not shared_words(bare_value(record.memory_value), said, policy)


def swept(attribute: str | None, record: MemoryRecord, policy: Policy) -> bool:
    """News of something else may end it without a word in common: a plan, or that somebody is pregnant."""
    said = bare_value(record.memory_value).lower()
    return attribute in policy.changes.swept or any(word in said for word in policy.changes.passing)
