"""Is there somebody? "Do I have a boyfriend?" is answered by who is held, or by what said that they are no more."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.keep.keys import attribute_for, bare_value, relation_name
from clew.kernel.keep.values import affirmed
from clew.kernel.read.change_words import says
from clew.kernel.recall.answers import ANYBODY, meant_by, tellable
from clew.kernel.recall.counting import counted
from clew.kernel.statements.features import mentions
from clew.kernel.statements.subjects import speaks
from clew.model.key import Key, relation_of
from clew.model.memory import SELF, MemoryRecord, MemoryStatus
from clew.model.plan import Finding
from clew.model.utterance import Ask
from clew.policy import Policy

THERE = ("name", "exists")
_EXISTS, _DEATH, _LOVE = "exists", "death", "relationship"
_OVER = ("parted", "ended", "over")


def asks_whether_there(question: str, policy: Policy) -> bool:
    return says(question, "whether_there", policy)


def asked_for(question: str, policy: Policy) -> str | None:
    """Who it is that may be there or not; nobody where the question is for a thing."""
    who = next((m.subject for m in reversed(mentions(question, policy.reader)) if m.subject != SELF), None)
    spoken = relation_of(who) if who else None
    known = relation_name(*spoken, policy) if spoken else None
    return f"{spoken[0].value}:{known}" if spoken and known else who  # a budgie is held as a bird


def never_told(question: str, policy: Policy) -> tuple[Finding, ...]:
    """The user asks of themself for somebody who never came up."""
    asked = asked_for(question, policy) if speaks(question, 0, len(question), policy.reader) else None
    return (Finding("", "none", subject=asked, attribute=_EXISTS, named=0.0),) if asked else ()


def there(question: str, records: Sequence[MemoryRecord], policy: Policy) -> tuple[MemoryRecord, ...]:
    """Whoever of that kind is there; else what told that nobody is, or no longer is; nothing where it never came up."""
    asked = asked_for(question, policy)
    if asked is None:
        return ()
    held = counted((Ask(asked, _EXISTS),), records, policy)
    if held:
        return held
    if asked in policy.changes.lovers and (told := _of_love(records, policy)):
        return tuple(told[:1])
    meant = (asked, *meant_by(asked, policy))
    theirs = [r for r in records if r.subject in meant or (asked in ANYBODY and _same_kind(asked, r))]
    died = [r for r in theirs if attribute_for(r, policy) == _DEATH and tellable(r, past=False)]
    gone = [r for r in theirs if attribute_for(r, policy) in THERE and r.status is not MemoryStatus.ACTIVE]
    gone = [r for r in gone if tellable(r, past=True)]
    return (*died, *_told_over(gone, records, policy)[:1])


def is_there(found: Finding, policy: Policy) -> bool:
    """Somebody is there, not: there was, or there is none."""
    if found.attribute == _LOVE:
        return not found.past and says(found.told, "paired", policy)
    return found.attribute in THERE and not found.past and not affirmed(_EXISTS, bare_value(found.value), policy)[1]


def _of_love(records: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """What the user told of being with somebody, or of being so no more; the newest first."""
    own = [r for r in records if r.subject == SELF and tellable(r, past=False) and attribute_for(r, policy) == _LOVE]
    return sorted(own, key=lambda r: (r.last_confirmed_at, r.memory_id), reverse=True)


def _told_over(
    gone: Sequence[MemoryRecord], records: Sequence[MemoryRecord], policy: Policy
) -> list[MemoryRecord]:
    """The words that ended it, the newest first; else who it was."""
    names = {key.name for r in gone if (key := Key.parse(r.memory_key)) and key.name}
    subjects = {r.subject for r in gone}

    def ends(record: MemoryRecord) -> bool:
        said = record.statement or ""
        about = {m.subject for m in mentions(said, policy.reader)} & subjects or any(n in said for n in names)
        return bool(about) and any(says(said, kind, policy) for kind in _OVER)

    now = [r for r in records if gone and tellable(r, past=False) and attribute_for(r, policy) not in THERE]
    told = [r for r in now if ends(r)]
    newest = sorted(told, key=lambda r: (r.last_confirmed_at, r.memory_id), reverse=True)
    return newest or sorted(gone, key=lambda r: (r.last_confirmed_at, r.memory_id), reverse=True)


def _same_kind(asked: str, record: MemoryRecord) -> bool:
    return record.subject.partition(":")[0] == asked.partition(":")[0]
