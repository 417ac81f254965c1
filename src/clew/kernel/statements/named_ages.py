""" "Maya is 4": the age right behind the name of somebody of the user's is theirs, whoever else is told of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.statements.people import Called
from clew.model.memory import SELF
from clew.model.utterance import Sentence, Statement, Status
from clew.policy.checks import CheckWords
from clew.programs import program

_AGE, _NAME = "age", "name"


def with_those_read(found: Sequence[Statement], called: Sequence[Called]) -> list[Called]:
    """ "Tyler's 9 and Ruby's 6": whoever a reader found a name for is named there too."""
    told = (s for s in found if s.attribute == _NAME and s.subject != SELF and s.end - s.start == len(s.value))
    more = (Called(s.start, s.end, s.subject, s.value) for s in told)
    new = [c for c in more if not any(k.start < c.end and c.start < k.end for k in called)]
    return sorted([*called, *new], key=lambda c: c.start) if new else list(called)


def ages_of_named(
    text: str, sentences: Sequence[Sentence], found: Sequence[Statement], words: CheckWords, called: Sequence[Called]
) -> list[Statement]:
    out = list(found)
    for one in called:
        if not one.name or one.start < 0 or not words.age_behind:
            continue
        match = program(words.age_behind, re.I).match(text, one.end)
        if match is None:
            continue
        start, end = match.span("age")
        held = next((n for n, s in enumerate(out) if s.attribute == _AGE and s.start <= start < s.end), None)
        sentence = next((s.text for s in sentences if s.start <= start < s.end), text)
        if held is not None:
            out[held] = replace(out[held], subject=one.subject, name=one.name, status=Status.IS)
        else:
            told = Statement(one.subject, _AGE, match["age"], sentence, start, end, None, Status.IS, one.name, 1.0)
            out.append(told)
    return out
