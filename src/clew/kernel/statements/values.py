"""The words of a value without what only surrounds it: articles, particles, endings, trailing adverbs (ruling M8)."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from clew.kernel.language.packs import packs
from clew.kernel.language.scripts import opens_in_syllables
from clew.model.utterance import Statement
from clew.policy.reader import ReaderPolicy
from clew.programs import program

_EDGES = " \t\r\n.,;:!?…~\"“”'‘’()[]{}<>«»—–-·*_、。！？^"
_CLOSERS = {")": "(", "]": "["}
_WORD = re.compile(r"[A-Za-z0-9À-ɏ'’+#./&-]")


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Latin letters and digits are never cut; a word of syllables is whole at its beginning, its ending may go."""
    while start > 0 and _joined(text[start - 1], text[start]):
        start -= 1
    while end < len(text) and _WORD.match(text[end - 1]) and _WORD.match(text[end]) and text[end] not in "./-'’&":
        end += 1
    return start, end


def _joined(before: str, here: str) -> bool:
    if opens_in_syllables(here):
        return opens_in_syllables(before)
    return before.isalnum() and here.isalnum() and not opens_in_syllables(before)


def trimmed(
    text: str, start: int, end: int, cuts: Collection[int], phrase: bool, policy: ReaderPolicy
) -> tuple[int, int]:
    """Where the value stands once trimmed. `cuts` are places between tokens; `phrase` values keep their verb."""
    edges = _EDGES + "".join(own.edges for own in policy.languages.values())
    while True:
        start, end = _edges(text, start, end, edges, policy)
        if start >= end:
            return start, start
        value = text[start:end]
        low = value.lower()
        tails = policy.trailing if phrase else policy.trailing + policy.trailing_times
        tail = next((t for t in tails if low.endswith(" " + t)), None)
        head = None if phrase else next((h for h in policy.leading if low.startswith(h + " ")), None)
        if tail is not None and len(tail) + 1 < len(value):
            end -= len(tail) + 1
        elif head is not None and len(head) + 1 < len(value):
            start += len(head) + 1
        else:
            parted = {place - start for place in cuts}
            cut = next((n for own in packs() if (n := own.value_tail(value, parted, phrase, policy))), 0)
            if not cut:
                return start, end
            end -= cut


def _edges(text: str, start: int, end: int, edges: str, policy: ReaderPolicy) -> tuple[int, int]:
    while start < end and (text[start] in edges or text[start].isspace()):
        start += 1
    if start > 1 and (rest := program(policy.shortened).match(text, start - 2, end)):
        # The "t" of "didn't" is no word; what stands behind it may be a value.
        return _edges(text, rest.end(), end, edges, policy)
    while start < end and (text[end - 1] in edges or text[end - 1].isspace()):
        opener = _CLOSERS.get(text[end - 1])
        if opener and opener in text[start : end - 1]:
            break
        end -= 1
    return start, end


_LITTLE = "upon|on|of|de|da|do|del|la|le|les|the|in|am|an|der|sur|near"
_PLACE = re.compile(rf"[A-ZÀ-Þ][\w'’.-]*(?:,? (?:(?:{_LITTLE}) )?[A-ZÀ-Þ][\w'’.-]*)*")


def town(value: str) -> str:
    """ "Utrecht until the flat is ready" is Utrecht: a place that opens with a capital ends with its last one."""
    found = _PLACE.match(value)
    return found.group().rstrip(".") if found else value


def grown(text: str, told: Statement, shape: re.Pattern[str]) -> Statement:
    """A plan with what belongs to it behind its words: "we're off" to Tallinn, "on thursday" at 5."""
    if told.attribute != "plan" or text[told.start : told.end] != told.value:
        return told
    more = shape.match(text, told.end)
    if more is None or more.end() == told.end:
        return told
    return replace(told, value=text[told.start : more.end()], end=more.end())
