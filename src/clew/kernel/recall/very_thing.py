"""What is held under the very name that was asked for, where something else weighs more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.recall.answers import ANY, HISTORY, WHEN, WHO, meant_by
from clew.kernel.recall.known import TURN
from clew.kernel.recall.own_words import plainly_told
from clew.kernel.text.slug import slug
from clew.model.key import Key, KeyKind, relation_of
from clew.model.memory import SELF, MemoryRecord
from clew.model.plan import Finding
from clew.model.utterance import Ask
from clew.policy import Policy

# Held of somebody, these say no more than the name.
BARE_NAMES = ("name", "called", "exists")
# What happens to somebody is no side of who they are.
NO_SIDES = (*BARE_NAMES, "event", "plan", "note")


def very_thing(
    best: Sequence[Finding],
    asks: Sequence[Ask],
    found: Sequence[Finding],
    records: Sequence[MemoryRecord],
    policy: Policy,
) -> tuple[Finding, ...]:
    """One side of the life of somebody of the user's, asked for by its name, where something else weighs more."""
    asked = {
        (subject, a.attribute)
        for a in asks
        if a.certainty == 1 and a.subject != SELF and a.attribute not in (*NO_SIDES, ANY, WHO, WHEN, HISTORY)
        for subject in meant_by(a.subject, policy)
    }
    held = [f for f in found if (f.subject, f.attribute) in asked]
    ids = {f.id for f in held}
    told = {source for m in records if m.memory_id in ids for source in m.source_message_ids}
    itself = len(best) == 1 and best[0].id in (told if best[0].source == TURN else ids)
    return () if itself else tuple(replace(f, named=1.0) for f in held)


def by_name(found: Finding, asks: Sequence[Ask], policy: Policy) -> bool:
    """It is the very thing that was asked for, of whoever has the name."""
    key = Key.parse(found.key or "")
    if key is None or not key.name:
        return False
    return any(a.name and a.attribute == found.attribute and slug(a.name, policy.text) == key.name for a in asks)


def who_one_is(found: Finding, asks: Sequence[Ask], policy: Policy) -> bool:
    """One's own name or birthday, asked for and held: no other words are a better answer."""
    asked = {a.attribute for a in asks[:1] if a.subject == SELF and a.name is None}
    return found.subject == SELF and not found.past and found.attribute in asked & set(policy.compose.identity)


def says_who(found: Sequence[Finding], records: Sequence[MemoryRecord], policy: Policy) -> bool:
    """Of somebody asked for by name, more is held than the name, or the name with a plain word for who it is.

    Of an animal its kind is told with its name.
    """
    if any(f.attribute not in BARE_NAMES and f.subject != SELF for f in found):
        return True
    if any(f.attribute == "name" and (of := relation_of(f.subject)) and of[0] is KeyKind.PET for f in found):
        return True
    told = {m.memory_id: m.statement or "" for m in records if m.subject != SELF}
    return any(plainly_told(told[f.id], policy) for f in found if f.id in told)
