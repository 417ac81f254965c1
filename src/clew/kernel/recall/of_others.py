"""What is told of somebody or something else than the question is about: no answer, however near its words seem."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from clew.kernel.language.scripts import has_syllables
from clew.kernel.recall.answers import ANYBODY, meant_by
from clew.kernel.recall.known import MEMORY, TURN, Known, Question
from clew.kernel.recall.narrowing import held as words_held
from clew.kernel.statements.features import lexicon, mentions
from clew.model.memory import SELF
from clew.policy import Policy

_SOMEONE = "person:any"
# What is told under these may be anything.
_LOOSE = ("note", "event", "plan", "routine")


def anothers(question: Question, known: Sequence[Known], policy: Policy) -> set[int]:
    """Asked of oneself ("how old am I?"), and nobody else is named: what is held of somebody else is no answer.

    Nor is the message that told it. This holds for what everybody has once; "who lent me money?" is about another.
    """
    asked = {a.attribute for a in question.asks} & {*policy.checks.single, "birthday"}
    if any(a.subject != SELF or a.name for a in question.asks) or mentions(question.text, policy.reader):
        return _other_people(question, known, policy)
    own = {*policy.reader.speakers, *lexicon(policy.reader)[2]}
    if not any(word in own for word in question.text.lower().replace("’", "'").replace("?", " ").split()):
        return set()
    theirs, mine = _told_of(known, asked)
    return {
        i
        for i, k in enumerate(known)
        if (k.kind == MEMORY and k.attribute in asked and k.subject != SELF)
        or (k.kind == TURN and k.id in theirs - mine and not _speaks_of_self(k, policy))
    }


def _told_of(known: Sequence[Known], sides: Collection[str]) -> tuple[set[str], set[str]]:
    """Messages that tell these sides of a life of somebody else, and those that tell them of the user."""
    held = [k for k in known if k.kind == MEMORY and k.attribute in sides]
    theirs = {source for k in held if k.subject != SELF for source in k.sources}
    return theirs, {source for k in held if k.subject == SELF for source in k.sources}


def elsewhere(question: Question, known: Sequence[Known], policy: Policy) -> set[int]:
    """Asked for a job, a town is no answer; asked for Anna, words that do not hold her name are none.

    Nor are words of which everything that was read tells something else, unless the question names a thing in them.
    """
    asked = {a.attribute for a in question.asks} & {*policy.checks.single, "birthday"}
    fits = {x for a in asked for x in (a, *policy.recall.near_attributes.get(a, ()))}
    names = {a.name for a in question.asks if a.name}
    held = {i for i, k in enumerate(known) if any(_names(k, name) or _names_before(k, name) for name in names)}
    strange = names if not any(map(has_syllables, names)) else held
    stranger = any(a.subject == _SOMEONE for a in question.asks)
    read: dict[str, set[str]] = {}
    for k in known:
        for source in k.sources if k.kind == MEMORY and asked else ():
            read.setdefault(source, set()).add(k.attribute)
    return {
        i
        for i, k in enumerate(known)
        if (k.kind == MEMORY and asked and k.attribute in policy.checks.single and k.attribute not in fits)
        or (k.kind == TURN and read.get(k.id) and not read[k.id] & {*fits, *_LOOSE} and not _named(question, k, policy))
        or (strange and i not in held and (k.kind == TURN or (k.subject != SELF and stranger)))
    }


def _named(question: Question, known: Known, policy: Policy) -> bool:
    """ "What's that language called I'm changing to?": it holds a word beyond the name of what is asked for."""
    return bool(question.wanted.own & words_held(known.words, policy))


def _names_before(known: Known, name: str) -> bool:
    return name.lower() in f"{known.before} {known.name}".lower()


def _speaks_of_self(known: Known, policy: Policy) -> bool:
    """ "I'm staying at my cousin's in Leeds" tells where the user is, whatever was read from it."""
    return not set(known.words.lower().replace("’", "'").split()).isdisjoint(policy.reader.speakers)


def _other_people(question: Question, known: Sequence[Known], policy: Policy) -> set[int]:
    """Asked for Emma, or for the sister: what is held of Paul, or of the brother, is no answer."""
    called = {k.name.lower() for k in known if k.kind == MEMORY and k.name and _names(question, k.name)}
    meant = {a.subject for a in question.asks} | {m.subject for m in mentions(question.text, policy.reader)}
    meant = {s for subject in meant if subject != SELF for s in meant_by(subject, policy)}
    if not called and (not meant or meant & {*ANYBODY, _SOMEONE}):
        return set()
    of_called = {k.subject for k in known if k.kind == MEMORY and k.name.lower() in called}
    wrong: set[int] = set()
    asked = {a.attribute for a in question.asks if a.subject != SELF} & {*policy.checks.single, "birthday"}
    sides = {a.attribute for a in question.asks if a.subject != SELF}
    for i, k in enumerate(known):
        if k.kind != MEMORY:
            # "My dad has it too" is no answer for the mother; words that name nobody may be.
            there = {m.subject for m in mentions(f"{k.words} {k.before}", policy.reader)}
            told = {m.subject for m in known if m.kind == MEMORY and m.attribute in sides and k.id in m.sources}
            # "27", said of oneself, is nobody else's age.
            if (there and not called and not there & meant) or told == {SELF}:
                wrong.add(i)
            continue
        if k.subject == SELF:
            # One's own birthday is no answer to the sister's.
            if k.attribute in asked:
                wrong.add(i)
        elif called:
            mine = k.subject in of_called | meant or any(_names(k, name) for name in called)
            if not (k.name.lower() in called if k.name else mine):
                wrong.add(i)
        elif k.subject not in meant and not any(m.subject in meant for m in mentions(k.words, policy.reader)):
            wrong.add(i)
    return wrong


def _names(said: Question | Known, name: str) -> bool:
    """The name stands there as a word, whatever hangs on to it in Korean."""
    words = said.text if isinstance(said, Question) else f"{said.words} {said.value}"
    return re.search(rf"(?<!\w){re.escape(name)}(?![a-z0-9])", words, re.IGNORECASE) is not None
