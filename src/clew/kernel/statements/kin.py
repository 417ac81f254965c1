"""Somebody else's kin: the sister's husband is no husband of the user's, and a grandchild's brother a grandchild."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.keep.keys import relation_name
from clew.kernel.statements.features import mentions
from clew.kernel.statements.patterns import compiled
from clew.kernel.statements.people import SOMEBODY, Called
from clew.model.key import KeyKind
from clew.model.memory import SELF
from clew.model.utterance import Statement
from clew.policy import Policy
from clew.policy.checks import CheckWords

_PERSON = "person:"
# At most a few words, and no pause.
_VERB_ONLY = re.compile(r"^(?:['’]s)?(?: [\w'’-]+){0,4} $")
_OF_NAMES = ("name", "called")
_TASTES = ("like", "dislike", "fear", "allergy")


def of_kin(
    text: str, told: Sequence[Statement], words: CheckWords, called: Sequence[Called], policy: Policy
) -> tuple[Statement, ...]:
    """Each statement of whom it is: "her husband Alan" is the husband of whoever was spoken of before."""
    if not words.their_kin:
        return tuple(told)
    nearest = [_of_the_nearest(text, s, called) for s in told]
    return tuple(one for s in nearest if (one := _of_kin(text, s, words, called, policy)) is not None)


def of_their_kind(
    told: Sequence[Statement], words: CheckWords, called: Sequence[Called], policy: Policy
) -> tuple[Statement, ...]:
    """ "a cat called Biscuit and two budgies": the budgies are no cat; and "she likes horses" tells of no horse."""
    out: list[Statement] = []
    last = next((c for c in called if c.start < 0 and c.subject.startswith(_PERSON)), None)
    for s in told:
        kinds = [m.subject for m in mentions(s.value, policy.reader)] if s.attribute in ("exists", *_TASTES) else []
        if s.attribute in _TASTES and s.subject in kinds:
            opens = any(shape.search(s.sentence) for shape in compiled(tuple(words.pronoun.values())))
            if last is not None and opens:
                out.append(replace(s, subject=last.subject, name=last.name))
            continue
        other = s.attribute == "exists" and kinds and s.subject not in kinds
        out.append(replace(s, subject=kinds[-1], name=None) if other else s)
    return tuple(out)


def _of_the_nearest(text: str, told: Statement, called: Sequence[Called]) -> Statement:
    """ "Rhys is in the army, Owen's a chef": of the last one named before it, where only a verb stands between."""
    if told.attribute in (*_OF_NAMES, "exists", "note") or told.subject == SELF:
        return told
    named = [c for c in called if c.name and c.start >= 0 and c.end <= told.start and _is_name(c)]
    if not named or named[-1].subject != told.subject or (named[-1].name or "").lower() == (told.name or "").lower():
        return told
    between = text[named[-1].end : told.start]
    return replace(told, name=named[-1].name) if _VERB_ONLY.match(between) else told


def _of_kin(
    text: str, told: Statement, words: CheckWords, called: Sequence[Called], policy: Policy
) -> Statement | None:
    if not told.subject.startswith(_PERSON) or told.subject == SOMEBODY:
        return told
    if told.attribute in _OF_NAMES:
        # "Geoffrey and his wife Carol": the name is hers, whoever a reader gave it to.
        beside = [c for c in called if 0 <= c.end <= told.start <= c.end + 1 and not _is_name(c)]
        told = replace(told, subject=beside[-1].subject) if beside else told
    here = [c for c in called if c.subject == told.subject and 0 <= c.start <= max(told.start, told.end - 1)]
    named = [c for c in here if not _is_name(c)]
    last = next((c for c in called if c.start < 0), None)
    opens = any(shape.search(told.sentence) for shape in compiled(tuple(words.pronoun.values())))
    if not here and opens and last is not None and last.subject.startswith(_PERSON):
        # "shes only 12": of whoever was spoken of last, though a reader took her for somebody's daughter.
        return replace(told, subject=last.subject, name=last.name)
    before = text[: named[-1].start] if named else ""
    if any(shape.search(before) for shape in compiled(tuple(words.self_as.values()))):
        # "I'm a single mum in Detroit" tells of the speaker.
        return replace(told, subject=SELF, name=None) if told.attribute not in ("name", "called", "exists") else None
    if not any(shape.search(before) for shape in compiled(tuple(words.their_kin.values()))):
        return told
    others = [c for c in called if c.subject.startswith(_PERSON) and c.subject != told.subject]
    owner = next((c for c in reversed(others) if c.start < named[-1].start), None)
    relation = _relation(owner.subject, told.subject, policy) if owner else None
    name = told.value if told.attribute in _OF_NAMES else told.name
    if relation is not None:
        return replace(told, subject=f"{_PERSON}{relation}", name=name)
    if name is not None:
        return replace(told, subject=SOMEBODY, name=name)
    if owner is None or told.attribute == "exists":
        return None
    return replace(told, subject=owner.subject, name=owner.name, attribute="note", value=told.sentence)


def _is_name(called: Called) -> bool:
    """The word is the name itself, not the word for the relation."""
    return called.name is not None and called.end - called.start == len(called.name)


def _relation(owner: str, theirs: str, policy: Policy) -> str | None:
    """What the kin of one's kin is to oneself."""
    one, other = (relation_name(KeyKind.PERSON, s.partition(":")[2], policy) for s in (owner, theirs))
    return policy.checks.kin.get(one, {}).get(other)
