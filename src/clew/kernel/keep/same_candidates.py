"""One thing read twice in one message is kept once (ruling M8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.keep.keys import bare_value
from clew.kernel.keep.same_things import same_thing
from clew.kernel.text.slug import slug
from clew.kernel.text.tokens import content_words
from clew.model.key import Key, KeyKind
from clew.model.memory import Candidate, MemoryType
from clew.policy import Policy


def merged(by_rule: Sequence[Candidate], read: Sequence[Candidate], policy: Policy) -> tuple[Candidate, ...]:
    """A listed reading by rule wins for its key and takes over what only the other one knows."""
    out = list(by_rule)
    for candidate in read:
        place = next((n for n, held in enumerate(out) if same_candidate(held, candidate, policy)), None)
        if place is None:
            out.append(candidate)
        else:
            out[place] = _both(out[place], candidate, ruled=place < len(by_rule))
    return tuple(out)


def _both(held: Candidate, other: Candidate, *, ruled: bool) -> Candidate:
    if not ruled:
        held, other = other, held
    return replace(
        held,
        attribute=other.attribute if held.type is other.type and ruled else held.attribute,
        statement=held.statement or other.statement,
        when_start=held.when_start or other.when_start,
        when_end=held.when_end or other.when_end,
        when_text=held.when_text or other.when_text,
        sensitive=held.sensitive or other.sensitive,
    )


def same_candidate(held: Candidate, other: Candidate, policy: Policy) -> bool:
    if held.subject != other.subject:
        return False
    if same_thing(held.key, other.key, policy):
        return True
    one, two = Key.parse(held.key), Key.parse(other.key)
    if one is None or two is None:
        return False
    if held.type is other.type is MemoryType.RELATIONSHIP_EVENT:
        return _told_again(held.value, other.value)
    # The thing alone, kept as a note of the same sentence, says nothing more.
    noted = two.kind is KeyKind.NOTE and one.kind is not KeyKind.NOTE and held.statement == other.statement
    if noted and two.item == slug(bare_value(held.value), policy.text):
        return True
    # A liking of no sure category is a note; where the rule knows one, it is the same liking.
    tastes = {one.kind, two.kind} == {KeyKind.PREF, KeyKind.NOTE} and other.attribute in ("like", "dislike")
    # What is not eaten is a listed dislike, and the same thing said of one's diet.
    eaten = one.kind is KeyKind.PREF and other.attribute == "diet"
    if tastes or eaten or one.kind is two.kind is KeyKind.PREF:
        if slug(bare_value(held.value), policy.text) in (two.item, slug(bare_value(other.value), policy.text)):
            return True
        return _told_again(bare_value(held.value), bare_value(other.value))
    return False


def _told_again(a: str, b: str) -> bool:
    """The words of the shorter are in the longer."""
    one, two = content_words(a.lower()), content_words(b.lower())
    return bool(one) and bool(two) and (one <= two or two <= one)
