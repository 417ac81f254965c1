"""What was read, and tells something else than what is asked: no answer, however near its words seem.

"Vegetarian since I was 15" is no age, and "hi, I'm Dee" does not tell whether somebody is married.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.recall.known import MEMORY, TURN, Known, Question
from clew.kernel.recall.narrowing import held as words_held
from clew.kernel.statements.features import mentions
from clew.model.memory import SELF
from clew.policy import Policy

# Near another side of a life only where they are somebody else's: a partner's name, not one's own.
_NAMES = ("name", "called")
# What one person has is no answer for another, whoever speaks in the sentence.
_HEALTH = ("allergy", "diet", "medication", "condition")


def beside_the_point(question: Question, known: Sequence[Known], policy: Policy) -> set[int]:
    """Asked plainly for one side of a life: messages of which another side was read, and no word is shared."""
    sides = _own_sides(question)
    theirs = _of_others_alone(sides, known)
    another = {i for i, k in enumerate(known) if k.kind == TURN and k.id in theirs}
    another |= {i for i, k in enumerate(known) if k.kind == MEMORY and k.subject != SELF and k.attribute in sides}
    if not _plainly(question, policy):
        return another
    return another | {i for i, k in enumerate(known) if k.kind == TURN and _off(question, k, known, policy)}


def _own_sides(question: Question) -> set[str]:
    """Sides of health that are asked of the user alone."""
    own = all(a.subject == SELF and not a.name for a in question.asks)
    return {a.attribute for a in question.asks} & {*_HEALTH} if own else set()


def _of_others_alone(sides: set[str], known: Sequence[Known]) -> set[str]:
    """Messages that told what is asked of oneself, and told it of somebody else alone: a child's allergy."""
    held = [k for k in known if k.kind == MEMORY and k.attribute in sides]
    theirs = {source for k in held if k.subject != SELF for source in k.sources}
    return theirs - {source for k in held if k.subject == SELF for source in k.sources}


def guesses(question: Question, one: Known, known: Sequence[Known], policy: Policy) -> bool:
    """ "What's my salary?" is not guessed from a job."""
    return _plainly(question, policy) and _off(question, one, known, policy)


def _plainly(question: Question, policy: Policy) -> bool:
    spoken = policy.recall.languages.get(question.language)
    sure = any(a.certainty >= policy.recall.answers_asked_plainly for a in question.asks)
    return spoken is not None and sure and all(a.attribute in spoken.read_surely for a in question.asks)


def strays(question: Question, one: Known, known: Sequence[Known], policy: Policy) -> bool:
    """The question has words of its own, and this has none of them: whoever it is about, it is a guess."""
    spoken = policy.recall.languages.get(question.language)
    own = spoken is not None and bool(spoken.read_surely) and bool(question.wanted.own)
    return own and _tells_another(question, one, known, policy)


def _off(question: Question, one: Known, known: Sequence[Known], policy: Policy) -> bool:
    """Something was read from it, none of it under what is asked for; no word or person of the question is in it."""
    if not _tells_another(question, one, known, policy, by_name="relationship" in {a.attribute for a in question.asks}):
        return False
    if not {a.attribute for a in question.asks} & {*_NAMES}:
        return True
    # A name may stand unread in words about its bearer.
    meant = {a.subject for a in question.asks} | {m.subject for m in mentions(question.text, policy.reader)}
    there = {m.subject for m in mentions(f"{one.words} {one.before}", policy.reader)}
    return not (meant - {SELF}) & there


def _tells_another(
    question: Question, one: Known, known: Sequence[Known], policy: Policy, *, by_name: bool = True
) -> bool:
    """by_name: the name of whoever is asked for is a word in common."""
    mine = [one] if one.kind == MEMORY else [k for k in known if k.kind == MEMORY and one.id in k.sources]
    if not mine or any(_fits(question, k, one.kind == MEMORY, policy) for k in mine):
        return False
    names = {t for a in question.asks if a.name and by_name for t in words_held(a.name, policy)}
    return not (question.wanted.all | names) & words_held(f"{one.words} {one.value}", policy)


def _fits(question: Question, known: Known, itself: bool, policy: Policy) -> bool:
    """It stands under what was asked for, or, in the user's own words, beside it."""
    asked = {a.attribute for a in question.asks}
    if known.attribute in asked:
        return True
    near = {x for a in asked for x in policy.recall.near_attributes.get(a, ())}
    own_name = known.attribute in _NAMES and known.subject == SELF
    return not itself and known.attribute in near and not own_name
