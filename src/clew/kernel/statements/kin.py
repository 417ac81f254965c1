"""Somebody else's kin: the sister's husband is no husband of the user's, and a grandchild's brother a grandchild."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.keep.keys import relation_name
from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.features import lexicon, mentions
from clew.kernel.statements.genders import disagrees
from clew.kernel.statements.patterns import compiled, one
from clew.kernel.statements.people import SOMEBODY, Called
from clew.model.key import KeyKind
from clew.model.memory import SELF
from clew.model.utterance import Statement
from clew.policy import Policy
from clew.policy.checks import CheckWords

_PERSON, _PET = "person:", "pet:"
_OF_NAMES = ("name", "called")
_TASTES = ("like", "dislike", "fear", "allergy")
# What parts the word for somebody from their name: "a budgie, Nelson".
_BESIDE = (" ", ", ", ": ")


def of_kin(
    text: str, told: Sequence[Statement], words: CheckWords, called: Sequence[Called], policy: Policy
) -> tuple[Statement, ...]:
    """Each statement of whom it is: "her husband Alan" is the husband of whoever was spoken of before."""
    if not words.their_kin:
        return tuple(told)
    told = _of_the_right(text, told, words, policy)
    nearest = [_of_the_nearest(text, s, words, called) for s in told]
    nearest = [_of_whom_they_have(text, s, nearest, words, called) for s in nearest]
    return tuple(one for s in nearest if (one := _of_kin(text, s, words, called, policy)) is not None)


def _of_the_right(text: str, told: Sequence[Statement], words: CheckWords, policy: Policy) -> list[Statement]:
    """ "Meena's engaged! his name is Dev and he's a solicitor" tells of Dev, not of the sister."""
    out: list[Statement] = []

    def wrongly(s: Statement) -> bool:
        start = max(0, text.find(s.sentence)) if s.sentence else 0
        # "She does this since Dad had a stroke": whoever is named after the "she" is somebody else.
        named = [m.end for m in mentions(text, policy.reader) if m.subject == s.subject and start <= m.end <= s.start]
        start = max((start, *named))
        return disagrees(s.subject, one(words.owning).sub("", text[start : s.start]), policy)

    for s in told:
        if not wrongly(s):
            out.append(s)
            continue
        names = [n for n in told if n.attribute in _OF_NAMES and n.subject == s.subject and n.sentence == s.sentence]
        wrong = [n for n in names if wrongly(n)]
        if wrong:
            out.append(replace(s, subject=SOMEBODY, name=wrong[0].value))
    return out


def of_their_kind(
    told: Sequence[Statement], words: CheckWords, called: Sequence[Called], policy: Policy
) -> tuple[Statement, ...]:
    """ "a cat called Biscuit and two budgies": the budgies are no cat; and "she likes horses" tells of no horse."""
    out: list[Statement] = []
    last = next((c for c in called if c.start < 0 and c.subject.startswith(_PERSON)), None)
    named = {word for word in lexicon(policy.reader)[0] if has_syllables(word)}
    for s in told:
        kinds = [m.subject for m in mentions(s.value, policy.reader)] if s.attribute in ("exists", *_TASTES) else []
        if s.attribute in _TASTES and s.subject in kinds:
            opens = compiled(tuple(words.pronoun.values())).any(s.sentence)
            if last is not None and opens:
                out.append(replace(s, subject=last.subject, name=last.name))
            continue
        other = s.attribute == "exists" and kinds and s.subject not in kinds
        # 큰아들은 서울 살고 막내딸은 옆 동네 산다: whoever is there is that one, and nobody's who is named before.
        other = other and (s.subject.startswith(_PET) or s.value in named)
        out.append(replace(s, subject=kinds[-1], name=None) if other else s)
    return tuple(out)


def _of_whom_they_have(
    text: str, told: Statement, others: Sequence[Statement], words: CheckWords, called: Sequence[Called]
) -> Statement:
    """ "Michael's wife Dana is a nurse" tells nothing of Michael: what follows the name of hers is hers."""
    if told.attribute in (*_OF_NAMES, "exists", "note") or not told.subject.startswith(_PERSON):
        return told
    for mention in called:
        if mention.start < 0 or _is_name(mention) or mention.end > told.start:
            continue
        owner = _has_them(text, mention, words, called)
        hers = next((s for s in others if s.attribute == "name" and 0 < s.start - mention.end <= 2), None)
        if owner is not None and hers is not None and owner.subject == told.subject and hers.end <= told.start:
            return replace(told, subject=mention.subject, name=hers.value)
    return told


def _of_the_nearest(text: str, told: Statement, words: CheckWords, called: Sequence[Called]) -> Statement:
    """ "Rhys is in the army, Owen's a chef": of the last one named before it, where only a verb stands between."""
    if told.attribute in (*_OF_NAMES, "exists", "note") or told.subject == SELF:
        return told
    named = [c for c in called if c.name and c.start >= 0 and c.end <= told.start and _is_name(c)]
    if not named or named[-1].subject != told.subject or (named[-1].name or "").lower() == (told.name or "").lower():
        return told
    between = text[named[-1].end : told.start]
    only_verb = compiled(tuple(words.verb_between.values())).any(between)
    return replace(told, name=named[-1].name) if only_verb else told


def _of_kin(
    text: str, told: Statement, words: CheckWords, called: Sequence[Called], policy: Policy
) -> Statement | None:
    if not told.subject.startswith(_PERSON) or told.subject == SOMEBODY:
        return told
    if told.attribute in _OF_NAMES:
        # "Geoffrey and his wife Carol": the name is hers, whoever a reader gave it to.
        beside = [c for c in called if c.start >= 0 and text[c.end : told.start] in _BESIDE and not _is_name(c)]
        told = replace(told, subject=beside[-1].subject) if beside else told
        known = [c for c in called if _is_name(c) and c.start >= 0 and (c.name or "").lower() == told.value.lower()]
        if known and not beside and all(c.subject != told.subject for c in known):
            return replace(told, subject=known[0].subject)  # Julie is a daughter, whatever is said of her sister's kids
    if told.attribute == "exists":
        within = [c for c in called if told.start <= c.start < c.end <= told.end and c.subject.startswith(_PERSON)]
        told = replace(told, subject=within[-1].subject, name=None) if within else told  # her two boys are no sister
    here = [c for c in called if c.subject == told.subject and 0 <= c.start <= max(told.start, told.end - 1)]
    named = [c for c in here if not _is_name(c)]
    last = next((c for c in called if c.start < 0), None)
    opens = compiled(tuple(words.pronoun.values())).any(told.sentence)
    if not here and opens and last is not None and last.subject.startswith(_PERSON):
        # "shes only 12": of whoever was spoken of last, though a reader took her for somebody's daughter.
        return replace(told, subject=last.subject, name=last.name)
    before = text[: named[-1].start] if named else ""
    if named and (owner := _has_them(text, named[-1], words, called)) is not None and told.subject != owner.subject:
        return _with_relation(told, owner, policy)
    if compiled(tuple(words.self_as.values())).any(before):
        # "I'm a single mum in Detroit" tells of the speaker.
        return replace(told, subject=SELF, name=None) if told.attribute not in ("name", "called", "exists") else None
    if not compiled(tuple(words.their_kin.values())).any(before):
        return told
    others = [c for c in called if c.subject.startswith(_PERSON) and c.subject != told.subject]
    owner = next((c for c in reversed(others) if c.start < named[-1].start), None)
    return _with_relation(told, owner, policy)


def _has_them(text: str, mention: Called, words: CheckWords, called: Sequence[Called]) -> Called | None:
    """ "Judith has twins", "Danny's wife": whoever has them, by name or by the word for who they are."""
    for c in called:
        own = c.start >= 0 and c.end <= mention.start and c.subject.startswith(_PERSON)
        if own and compiled(tuple(words.has_them.values())).any(text[c.end : mention.start]):
            return c
    return None


def _with_relation(told: Statement, owner: Called | None, policy: Policy) -> Statement | None:
    """Of the user's own kin where that follows, else of somebody known by name, else a note of whoever has them."""
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
