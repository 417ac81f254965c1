"""What the network sees of a follow-up: each word beside each candidate, each candidate, and the message as a whole.

All of it is general: no sign knows a word of any language or what a list is about. What the words mean comes from the
encoder's vectors, which are put beside these signs (kernel/ground/network.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from clew.kernel.ground.cards import NAMED, Card, card, fit
from clew.kernel.ground.marks import lead, of_clauses
from clew.kernel.ground.numbers import compared
from clew.kernel.ground.options import OptionSet, Positions
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.saying import Spoken, spoken
from clew.kernel.ground.signs import (
    echoes,
    fits_of,
    interrogative,
    letters_of,
    named_last,
    of_findings,
    shared_out,
    standing,
)
from clew.kernel.language.scripts import has_syllables
from clew.kernel.text.normalize import normalize
from clew.model.evidence import Candidate
from clew.policy.ground import GroundPolicy

Matrix = npt.NDArray[np.float64]
# Signs of a word beside a candidate.
WORD_SIGNS = 9
# What candidates may have most or least of.
_LINES = (
    "money", "clock", "date", "age", "year", "duration", "distance", "size", "weight", "rating", "count", "number",
)  # fmt: skip
_PLACES = 6
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# More letters alike than this tell something.
_ALIKE = 0.5


def of_words(
    words: Sequence[tuple[int, int, str]], spans: Sequence[tuple[int, int]], cards: Sequence[Card], policy: GroundPolicy
) -> Matrix:
    """For each token and each candidate: how the word that the token stands in fits it, and whether it fits another."""
    empty = _empty(policy)
    out = np.zeros((len(spans), len(cards), WORD_SIGNS))
    seen: dict[str, Matrix] = {}
    at = 0
    for i, (start, end) in enumerate(spans):
        while at < len(words) and words[at][1] <= start:
            at += 1
        if at == len(words) or words[at][0] >= end:
            continue
        word = words[at][2]
        if word not in seen:
            seen[word] = _beside(word, cards, word in empty, policy)
        out[i] = seen[word]
    return out


def _beside(word: str, cards: Sequence[Card], empty: bool, policy: GroundPolicy) -> Matrix:
    fits = np.array([fit(word, own, policy.pointing) for own in cards])
    held = fits > 0
    many = int(held.sum())
    alike = np.zeros(len(cards))
    if len(word) > 2 or has_syllables(word):
        alike = np.array([_alike(word, own) for own in cards])
    best = alike.max(initial=0.0)
    columns = [
        *(fits == value for value in (1, 2, 3, 4)),
        held & (many == 1),
        ~held & (many > 0),
        alike,
        np.where(alike == best, best - _second(alike), alike - best) if best else alike,
        np.full(len(cards), float(empty)),
    ]
    return np.array([np.asarray(c, dtype=np.float64) for c in columns]).T


def _second(values: Matrix) -> float:
    return float(np.sort(values)[-2]) if len(values) > 1 else 0.0


def _alike(word: str, own: Card) -> float:
    """The most alike in letters that the word and a word of the candidate are, from a half on."""
    letters, words = letters_of(word), (w for w in (*own.name, *own.told) if len(w) > 1)
    best = max((LCSseq.normalized_similarity(letters, letters_of(w)) for w in words), default=0.0)
    return max(0.0, (best - _ALIKE) / (1 - _ALIKE))


def shown(candidate: Candidate) -> str:
    """A candidate as it is read: its name, then what is told of it, once. Numbers of fields are left to measures."""
    told = ", ".join(x for x in (candidate.label, candidate.sublabel, candidate.type, candidate.owner) if x)
    known = normalize(told)
    words = (name if value == "yes" else value for name, value in candidate.fields if not _NUMBER.fullmatch(value))
    return ", ".join((told, *(word for word in words if normalize(word) not in known)))


def of_candidates(
    text: str, options: OptionSet, looked_at: Positions, offered: int | None, assistant: str | None,
    pointed: Pointed, found: Resolution, policy: GroundPolicy,
) -> Matrix:  # fmt: skip
    """One row per candidate that is looked at: what rules, words, numbers and places say of it."""
    said = spoken(text, policy)
    cards = [card(options.candidates[p], policy.pointing) for p in looked_at]
    size, empty = len(looked_at), _empty(policy)
    content = [[w for w in c.words if w not in empty] for c in said.clauses]
    every = np.hstack([np.zeros((size, 0)), *(fits_of(clause, cards, policy) for clause in content)])
    total = sum((shared_out(fits_of(clause, cards, policy)) for clause in content), np.zeros(size))
    only = ((every > 0) & ((every > 0).sum(axis=0, keepdims=True) == 1)).sum(axis=1)
    named = np.array([(row >= NAMED).sum() / max(1, len(own.name)) for row, own in zip(every, cards, strict=True)])
    count = compared(said.numbers, cards)
    columns: list[Any] = [
        *standing(looked_at, offered, pointed, found),
        total,
        lead(total),
        np.minimum(only, 3) / 2,
        (every > 0).sum(axis=1) / max(1, every.shape[1]),
        every.max(axis=1, initial=0) / NAMED,
        np.minimum(named, 2),
        *(
            [i in held for i in range(size)]
            for held in (count.same, count.above, count.below, count.only_above, count.only_below)
        ),
        named_last(assistant, options, looked_at),
        *([p == place for p in looked_at] for place in range(_PLACES)),
        [p == len(options.candidates) - 1 for p in looked_at],
        [p == len(options.candidates) - 2 for p in looked_at],
        *_most_and_least(cards),
    ]
    own = np.array([np.asarray(c, dtype=np.float64) for c in columns]).T
    return np.hstack([own, of_clauses(text, cards, policy)])


def _most_and_least(cards: Sequence[Card]) -> list[list[bool]]:
    """Who alone has most and who has least of what all of them have, or all but a few."""
    out = []
    for kind in _LINES:
        values = [next((m.value for m in own.measures if m.kind == kind), None) for own in cards]
        known = sorted(v for v in values if v is not None)
        some = len(known) > 1 and 2 * len(known) > len(cards)
        for best, next_to in ((known[-1:], known[-2:-1]), (known[:1], known[1:2])):
            alone = some and best != next_to
            out.append([alone and [v] == best for v in values])
    return out


def of_message(
    text: str, options: OptionSet, offered: int | None, assistant: str | None, pointed: Pointed, found: Resolution,
    policy: GroundPolicy,
) -> Matrix:  # fmt: skip
    """What holds for every candidate alike."""
    said: Spoken = spoken(text, policy)
    asks = bool(assistant) and (assistant or "").rstrip().endswith("?")
    echoed = echoes(said, assistant)
    out: list[Any] = [
        offered is not None,
        assistant is not None,
        asks,
        said.ends_asking,
        said.asks,
        *of_findings(said, options, pointed, found),
        echoed,
        *interrogative(said, policy),
    ]
    return np.array([float(x) for x in out])


def of_meaning(said: Matrix, whole: Matrix, names: Matrix) -> Matrix:
    """How near each candidate is by meaning: to the message, to its nearest part, to its last part.

    said: the vectors of a follow-up's remarks. whole, names: those of each candidate as it is shown, and of its name.
    """
    near, named = said @ whole.T, said @ names.T
    columns = [near[0], near.max(axis=0), near[-1], named[0], named.max(axis=0)]
    return np.array([f(c) for c in columns for f in (np.asarray, lead)]).T * 2


@lru_cache(maxsize=4)
def _empty(policy: GroundPolicy) -> frozenset[str]:
    return frozenset(policy.pointing.empty)
