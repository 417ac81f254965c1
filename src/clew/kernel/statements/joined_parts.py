"""One thing that a reader found in parts, and several that it found as one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.language.scripts import has_syllables
from clew.model.utterance import Sentence, Statement, Status
from clew.policy.checks import CheckWords

_PARTICLE = 3
_NAMES = ("name", "called")
_WORD = re.compile(r"\w+")
_EDGE = " \n\t.!?…,;"


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


def within_sentences(
    found: Sequence[Statement], sentences: Sequence[Sentence], words: CheckWords
) -> list[Statement]:
    """What goes on over the end of a sentence is one thing in each of them, where it names one there."""
    out: list[Statement] = []
    begins = [s.start for s in sentences]
    for told in found:
        parts = sentences[max(0, bisect_right(begins, told.start) - 1) : bisect_left(begins, told.end)]
        if len(parts) < 2:
            out.append(told)
            continue
        for part in parts:
            start, end = max(told.start, part.start), min(told.end, part.end)
            piece = part.text[start - part.start : end - part.start]
            value = piece.strip(_EDGE)
            start += piece.find(value)
            if any(not re.fullmatch(words.plans.empty, word, re.I) for word in _WORD.findall(value)):
                out.append(replace(told, value=value, sentence=part.text, start=start, end=start + len(value)))
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
