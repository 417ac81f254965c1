"""What the user has just told, and tells again in other words: "나 대구 살아", then "아니 대전이야" (ruling P74)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from clew.kernel.keep.confidence import initial_confidence
from clew.kernel.keep.keys import row_of
from clew.kernel.keep.lifecycle import ACTIVE, move
from clew.kernel.keep.merge import same_value
from clew.kernel.language.packs import writer
from clew.kernel.statements.patterns import compiled
from clew.kernel.text.slug import slug
from clew.model.key import Key, KeyKind
from clew.model.memory import Candidate, InvalidReason, MemoryRecord, Origin
from clew.model.utterance import Wording
from clew.policy import Policy

# How somebody or something is called is not what was told of them.
_NAMES = ("name", "exists")


def just_told(memories: Sequence[MemoryRecord], previous: Sequence[str]) -> list[MemoryRecord]:
    """The active memories that the user's last message told."""
    if not previous:
        return []
    last = previous[-1]
    return [m for m in memories if m.status is ACTIVE and m.statement and m.statement.strip() in last]


def sparing_names(told: Sequence[MemoryRecord]) -> list[str]:
    """The keys of what was told; of an uncle in prison not that he is called Ferdie."""
    news = [m for m in told if m.attribute not in _NAMES] or told
    return list(dict.fromkeys(m.memory_key for m in news))


def retold(
    said: Wording, just: Sequence[MemoryRecord], memories: Sequence[MemoryRecord], policy: Policy
) -> tuple[Candidate, ...]:
    """The new value of the one thing just told, or of the one that is named as wrong."""
    value, old = corrected(said, policy) or (None, None)
    if old is not None:
        # A name is called with what hangs on to it: 채원이가 아니라 채윤.
        wrong = (old, writer(old).bare_name(old))
        just = [m for m in memories if m.status is ACTIVE and m.memory_value in wrong]
    single = [m for m in just if m.attribute and not row_of(m.attribute, policy).many and _plain(m)]
    if value is None or len(single) != 1 or same_value(single[0].memory_value, value, single[0].type, policy):
        return ()
    held = single[0]
    return (
        Candidate(
            held.type,
            called_anew(held, value, policy),
            value,
            initial_confidence(Origin.HEURISTIC, policy),
            subject=held.subject,
            attribute=held.attribute,
            statement=said.text.strip(),
            sensitive=held.sensitive,
        ),
    )


def called_anew(held: MemoryRecord, value: str, policy: Policy) -> str:
    """The key of what is put right: a name is part of its own."""
    key = Key.parse(held.memory_key)
    if held.attribute == "name" and key is not None and key.name is not None:
        return str(key.called(slug(value, policy.text)))
    return held.memory_key


def without_old_names(
    news: Sequence[Candidate],
    said: Wording,
    just: Sequence[MemoryRecord],
    memories: Sequence[MemoryRecord],
    at: datetime,
) -> list[MemoryRecord]:
    """A name put right is no second person: the wrong one goes with its key."""
    wrong = set()
    for fact in news:
        key = Key.parse(fact.key)
        if key is None or key.kind not in (KeyKind.PERSON, KeyKind.PET):
            continue
        for held in memories:
            other = held.status is ACTIVE and held.subject == fact.subject and held.attribute == "name"
            if other and held.memory_key != fact.key and (held in just or held.memory_value in said.text):
                wrong.add(held.memory_id)
    return [move(m, "invalidate", at, reason=InvalidReason.DENIED) if m.memory_id in wrong else m for m in memories]


def _plain(memory: MemoryRecord) -> bool:
    return len(memory.memory_value.split()) <= 2


def corrected(said: Wording, policy: Policy) -> tuple[str, str | None] | None:
    """The new value that a correction brings, and the old one where it is named."""
    for words in policy.checks.languages.values():
        if match := compiled(tuple(words.corrected.values())).opening(said.text.strip()):
            return match["value"].strip(), match.groupdict().get("old")
    return None


def respelled(said: Wording, policy: Policy) -> str:
    """How a name just told is spelled: "it's Carl with a C"."""
    for words in policy.checks.languages.values():
        if match := compiled(tuple(words.respelled.values())).opening(said.text.strip()):
            return match["value"].strip()
    return ""


def same_shape(old: str, new: str) -> bool:
    """A number stands for a number, a name for a name; what somebody does or feels stands for no thing."""
    if any(c.isdigit() for c in old) != any(c.isdigit() for c in new):
        return False
    return not old[:1].isupper() or new[:1].isupper()
