"""A value as it is kept: the thing itself, whole, without the time beside it and without words that only fill."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.keep.values import clause_around
from clew.kernel.language.packs import language_of
from clew.kernel.statements.features import mentions
from clew.model.utterance import Statement, Status
from clew.policy import Policy
from clew.policy.attributes import AttributeWords
from clew.programs import program

_AHEAD = ("plan", "goal")
# What is read in the words of a plan tells a part of it.
_PARTS = (*_AHEAD, "routine")


def clean(statements: Sequence[Statement], policy: Policy) -> list[Statement]:
    """Each value as it is kept; what a plan or a goal tells already, as a part of it, is not kept beside it."""
    told = [_clean(s, policy) for s in statements if not _anothers_death(s, policy)]
    return [s for s in told if not any(_inside(s, other) for other in told)]


def _inside(told: Statement, other: Statement) -> bool:
    """ "radiographer", of somebody who is thinking of retraining as a radiographer."""
    part = told.attribute in _PARTS or told.status is Status.FUTURE
    alike = (told.subject, told.sentence) == (other.subject, other.sentence) and other.attribute in _AHEAD
    longer = len(other.value) > len(told.value)
    return part and alike and longer and re.search(rf"(?<!\w){re.escape(told.value)}(?!\w)", other.value) is not None


def _anothers_death(told: Statement, policy: Policy) -> bool:
    """ "My brother and I, at our mother's funeral": she has died, and not he."""
    words = policy.attributes.languages.get(language_of(told.sentence, policy))
    if told.attribute != "death" or words is None or not words.death_of:
        return False
    behind = program(words.death_of, re.I)
    whose = {m.subject for m in mentions(told.sentence, policy.reader) if behind.match(told.sentence[m.end :])}
    return bool(whose) and told.subject not in whose


def _clean(told: Statement, policy: Policy) -> Statement:
    words = policy.attributes.languages.get(language_of(told.sentence, policy))
    if words is None or told.value not in told.sentence:
        return told
    value = _without(words.fills, told.value)
    if told.attribute in policy.attributes.untimed:
        value = _without(words.value_time, value)
    if told.attribute in policy.attributes.grown:
        value = _grown(told.sentence, value, words, policy)
    return told if value == told.value else replace(told, value=value, end=told.start + len(value))


def _without(shape: str, value: str) -> str:
    """Without what stands at its end, however much of it; a value that is nothing else stays."""
    while shape and (found := program(shape, re.I).search(value)) and found.start() > 0:
        value = value[: found.start()].rstrip(" ,;-–")
    return value


def _grown(sentence: str, value: str, words: AttributeWords, policy: Policy) -> str:
    """ "retraining" in "thinking of retraining as a nurse": to the end of its clause, where the clause goes on."""
    clause = clause_around(sentence, value, policy)
    _, found, rest = clause.partition(value)
    goes_on = bool(words.goes_on) and program(words.goes_on, re.I).match(f"{value}{rest}", len(value)) is not None
    if not found or not goes_on:
        return value
    whole = _without(words.fills, f"{value}{rest}".rstrip(" .,;!?"))
    return whole if len(whole.split()) <= policy.attributes.turned_words and whole in sentence else value
