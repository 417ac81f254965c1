"""Whether what a draft says of the user's past is covered: by what is known, or by what was said (ruling S9).

A past of the user's in the second person ("after you left school", "네가 수요일마다 갔던 데") is a claim. Its names,
its figures, or its words have to stand in something that holds them; a span of time is compared as a figure.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations

from clew.kernel.compare.wording import bare_of
from clew.kernel.gate.claims import claimless, clauses, playing, unknowing
from clew.kernel.gate.grounded import named_in, new_in, shape
from clew.kernel.read.told_figures import numbers
from clew.model.plan import Frame
from clew.policy import Policy
from clew.policy.gate import Covered
from clew.programs import program

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NAMES, _FIGURES = "names", "figures"


def uncovered(sentence: str, held: frozenset[str], frame: Frame, policy: Policy) -> bool:
    """Some clause tells of the user's past what nothing holds; a question, a wish or a tale tells nothing."""
    words = policy.gate.languages[frame.language]
    if sentence.rstrip().endswith("?") or unknowing(sentence, words):
        return False
    if playing((frame.user_text, *frame.previous), words):
        return False
    return any(
        _open(row, found, held, frame, policy)
        for clause in clauses(sentence, words)
        if not claimless(clause, words)
        for row in words.covered.values()
        for found in (program(row.pattern, re.I).search(clause),)
        if found is not None
    )


def unheld(part: str, held: frozenset[str], frame: Frame, policy: Policy) -> int:
    """How many words of a part of a sentence nothing holds, in no form of theirs: "일한다고" is held by "일해"."""
    told = _bare(_said(frame), policy)
    return sum(
        new_in(shape(f"- {word}", held, frame.language, policy)) and bare_of(word.lower(), policy) not in told
        for word in _WORD.findall(part)
    )


def _open(row: Covered, found: re.Match[str], held: frozenset[str], frame: Frame, policy: Policy) -> bool:
    said = next((part for part in found.groupdict().values() if part), found[0])
    if row.of == _FIGURES:
        return not numbers(said, policy) <= _worked_out(frame, policy)
    if row.of == _NAMES:
        return named_in(shape(f"- {said}", held, frame.language, policy)) > 0
    return unheld(said, held, frame, policy) >= row.least


def _said(frame: Frame) -> tuple[str, ...]:
    return (*(frame.known or ()), frame.user_text, *frame.previous, *frame.recent_replies[-2:])


@lru_cache(maxsize=64)
def _bare(texts: tuple[str, ...], policy: Policy) -> frozenset[str]:
    return frozenset(bare_of(word.lower(), policy) for text in texts for word in _WORD.findall(text))


def _worked_out(frame: Frame, policy: Policy) -> frozenset[int]:
    """The figures that were given, what follows from two of them, and one of anything."""
    given = frozenset[int]().union(*(numbers(text, policy) for text in _said(frame)))
    pairs = combinations(sorted(given), 2)
    return given | {1} | {n for a, b in pairs for n in (a + b, b - a)}
