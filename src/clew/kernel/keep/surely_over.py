"""What is over however it was put: the reader of change is sure of it, and the message names what it ends.

"Sacked off the paper round" holds no listed word of an ending. And a job that somebody lost, told of them by name, is
theirs, whatever it was called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.keep.change_reader import Judged, Verdict
from clew.kernel.keep.change_signs import shared_words
from clew.kernel.keep.keys import row_of
from clew.kernel.keep.whose_change import another
from clew.kernel.read.change_words import says
from clew.kernel.text.normalize import normal
from clew.model.key import Key
from clew.model.memory import SELF, MemoryRecord
from clew.model.utterance import Statement, Status
from clew.policy import Policy

# What is told of somebody who leaves their work is read as one of these.
_HAPPENED = ("event", "job", "employer", "plan")
_WORK, _NAME = "job", "name"


def over_by_name(judged: Judged, *, apart: bool, policy: Policy) -> bool:
    """The thing itself is named, and the reader is sure that it ends."""
    return not apart and _sure(judged, policy)


def parted_by_name(
    record: MemoryRecord, judged: Judged, told: Sequence[Statement], said: str, policy: Policy
) -> bool:
    """Somebody one may part with is named, and the reader is sure: "Sven's found his own place, he's off".

    What is told of others alone parts nobody: "Nelson died in the night, Maureen hasn't noticed".
    """
    may = record.subject in policy.changes.parting and not of_their_own(said, policy) and _sure(judged, policy)
    return may and (not told or called_so_still(record, told))


def still_called(
    record: MemoryRecord, judged: Judged, told: Sequence[Statement], said: str, policy: Policy
) -> bool:
    """Something else is told of them by their name, and no parting."""
    return called_so_still(record, told) and not parted_by_name(record, judged, told, said, policy)


def called_so_still(record: MemoryRecord, told: Sequence[Statement]) -> bool:
    """ "olek turned 8": whatever is told of him, he is called so."""
    name = record.memory_value.lower()
    return record.subject != SELF and any(name in (s.value.lower(), (s.name or "").lower()) for s in told)


def of_their_own(said: str, policy: Policy) -> bool:
    """It is their work or a thing of theirs that is over: "Bea's quit smoking" ends no sharing of a flat."""
    return says(said, "leaves_work", policy) or says(said, "gives_up", policy)


def _sure(judged: Judged, policy: Policy) -> bool:
    return judged.undoing is Verdict.ENDS and judged.of(Verdict.ENDS) >= policy.changes.ends_surely


def left_their_work(
    record: MemoryRecord, attribute: str | None, told: Sequence[Statement], said: str, policy: Policy
) -> bool:
    """Somebody of the user's has left their work, or lost it, and no other is told in its place."""
    if record.subject == SELF or attribute is None or attribute not in (_WORK, *row_of(_WORK, policy).ends):
        return False
    own = [s for s in told if s.subject == record.subject and not another(s, record, policy)]
    anew = any(s.attribute == attribute and s.status is Status.IS for s in own)
    left = any(s.attribute in _HAPPENED and says(s.value, "leaves_work", policy) for s in own)
    return (left or (not told and _named_first(record, said, policy))) and not anew


def _named_first(record: MemoryRecord, said: str, policy: Policy) -> bool:
    """ "Nell's handed her notice in", where nothing was read from it: the name stands before what is told."""
    key = Key.parse(record.memory_key)
    name = key.name.replace("_", " ") if key is not None and key.name else ""
    first = normal(said).no_punct.startswith(name)
    return bool(name) and first and says(said, "leaves_work", policy)


def one_of_several(record: MemoryRecord, said: str, policy: Policy) -> bool:
    """Some are held by their number, and one of them is named: "we lost our eldest hive" ends no forty hives."""
    held, words = record.memory_value.lower().split(), frozenset(re.findall(r"\w+", said.lower()))
    several = len(held) > 1 and (held[0].isdigit() or held[0] in policy.text.number_words)
    if not several or held[0] in words or held[-1] in words:
        return False
    ends = (spoken.plural_end for spoken in policy.checks.languages.values() if spoken.plural_end)
    return any(held[-1].endswith(end) and held[-1].removesuffix(end) in words for end in ends)


def renamed(record: MemoryRecord, judged: Judged, told: Sequence[Statement], said: str, policy: Policy) -> bool:
    """ "The kitten is called Professor now": another name for the same one, said to stand instead."""
    others = any(s.attribute == _NAME and s.subject == record.subject for s in told)
    surely = judged.undoing is Verdict.REPLACES and judged.undone >= policy.changes.undone_at_unread
    return others and surely and says(said, "instead", policy) and not says(said, "beside", policy)


def parted_from(record: MemoryRecord, attribute: str | None, said: str, policy: Policy) -> bool:
    """ "Noor dumped me": whoever was seeing her is not any more."""
    if record.subject != SELF or attribute != "relationship" or not says(said, "parted", policy):
        return False
    return shared_words(record.statement or record.memory_value, said, policy) > 0
