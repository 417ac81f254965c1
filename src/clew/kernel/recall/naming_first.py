"""Of several things that may answer, those that name what the question is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.recall.known import Known, Question
from clew.kernel.recall.narrowing import held as words_held
from clew.policy import Policy

# One has many of these, each about something else.
_HAPPENS = ("plan", "event")


def naming_first(
    question: Question, known: Sequence[Known], chances: Sequence[float], order: list[int], policy: Policy
) -> list[int]:
    """What names the thing that is asked about comes before what does not, where it answers about as surely.

    입사 언제더라: a plan of that very name needs no more.
    """
    own = question.wanted.own
    if own & _words(known[order[0]], policy):
        return order
    likely = [i for i in order if chances[i] >= policy.recall.answers_also and own & _words(known[i], policy)]
    called = [i for i in order if _is_called(known[i], own, policy)] if _asks_when(question, policy) else []
    first = (called or likely)[:1]
    return [*first, *(i for i in order if i not in first)]


def _asks_when(question: Question, policy: Policy) -> bool:
    spoken = policy.checks.languages.get(question.language)
    shape = spoken.question_kinds.get("when") if spoken else None
    return shape is not None and re.search(shape.pattern, question.text, re.I) is not None


def _words(known: Known, policy: Policy) -> frozenset[str]:
    return words_held(f"{known.words} {known.value}", policy)


def _is_called(known: Known, own: frozenset[str], policy: Policy) -> bool:
    """Something that happens, named by nothing but words of the question."""
    value = words_held(known.value, policy)
    return known.attribute in _HAPPENS and not known.past and bool(value) and value <= own


def of_the_thing(question: Question, known: Sequence[Known], told: list[int], policy: Policy) -> list[int]:
    """Asked when the new job begins, a journey is no second answer."""
    shared = [question.wanted.own & _words(known[i], policy) for i in told]
    if known[told[0]].attribute not in _HAPPENS or not shared[0]:
        return told
    return [i for i, own in zip(told, shared, strict=True) if own]
