"""One thing that a reader found in parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.language.scripts import has_syllables
from clew.model.utterance import Statement, Status
from clew.policy.checks import CheckWords

_PARTICLE = 3
_NAMES = ("name", "called")


def joined_parts(text: str, found: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """ "my shoe size is 44" is one thing, though the label and the number were found apart."""
    out: list[Statement] = []
    for told in sorted(found, key=lambda s: (s.start, s.end)):
        last = out[-1] if out else None
        if last is not None and _are_one(text, last, told, words):
            # "dont eat" and "pork": what denies a part denies the whole.
            status = Status.NOT if told.status is Status.NOT else last.status
            out[-1] = replace(last, value=text[last.start : told.end], end=told.end, status=status)
        else:
            out.append(told)
    return out


def _are_one(text: str, last: Statement, told: Statement, words: CheckWords) -> bool:
    if (last.subject, last.attribute) != (told.subject, told.attribute):
        return False
    between = text[last.end : told.start].strip().lower() if last.end <= told.start else None
    trails = last.value.split()[-1].lower() in words.trail_words  # Salt and Vinegar are two
    if told.attribute == "language" or (told.attribute == "name" and trails):
        return False
    if told.attribute in _NAMES and has_syllables(last.value) and told.start > last.end:
        return False  # 두부 참치 호떡: no name of syllables has a space in it
    if not between or between in words.copulas:
        return True
    if len(between) > _PARTICLE or not between.isalpha():
        return False
    # 커피는 하루에 두 잔: where the verb stands last, no more than a particle parts one habit.
    glued = words.verb_last and told.attribute == "routine" and not text[last.end].isspace()
    return told.attribute == "plan" or glued
