"""Signs by which a candidate is told to be meant or not: words, numbers, rules, the offer.

All of them are general: no sign knows a word of any language or what a list is about.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from clew.kernel.ground.cards import NAMED, Card, card, fit, forms
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.marks import lead
from clew.kernel.ground.numbers import compared
from clew.kernel.ground.options import OptionSet, Positions
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.reader import ACTS
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.saying import Clause, Spoken
from clew.kernel.text.normalize import normalize
from clew.model.evidence import Act, Said
from clew.policy.ground import GroundPolicy

Matrix = npt.NDArray[np.float64]
HOW = ("name", "measure", "place", "all", "left", "other", "nothing")
RULES = (
    "ground.label_inside", "ground.label_offered", "ground.described", "ground.ordinal", "ground.deictic",
    "ground.deictic_inside", "ground.other_one", "ground.acceptance", "ground.presupposed", "ground.transaction",
    "ground.act.unread", "ground.command", "ground.act.refuses", "ground.act.asks", "ground.act.asks_for_others",
    "ground.act.searches", "ground.named_subject", "ground.inner_antecedent", "ground.consent", "ground.manners",
    "ground.label",
)  # fmt: skip
_SCALE = 64.0
# Where the signs stand that tell the same in different words: what is pointed at, what the rules found, what the reader
# of acts says. Whoever learns from them hides one kind at a time.
_OWN = 45
BLOCKS = tuple(
    frozenset((*range(*own), *(_OWN + i for part in shared for i in range(*part))))
    for own, shared in (
        ((1, 12), ((9, 17), (18, 25))),
        ((12, 15), ((17, 18), (25, 52))),
        ((24, 24), ((52, 88),)),
    )
)
TAKING = (Said.ACCEPT, Said.CHOOSE, Said.CORRECT)
_WORD = re.compile(r"[^\W_]+")
# The words of a question that may come back, and so many letters of a Korean verb tell it from another.
_ASKED = 12
_STEM = 3


_TAKES = tuple(ACTS.index(a) for a in TAKING)
_REFUSES = ACTS.index(Said.REJECT)
_ASKS = tuple(ACTS.index(a) for a in (Said.ASK, Said.MORE, Said.NEW))


def of_message(
    spoken: Spoken,
    options: OptionSet,
    offered: int | None,
    assistant: str | None,
    pointed: Pointed,
    read: Matrix,
    found: Resolution,
    policy: GroundPolicy,
) -> list[float]:
    """What holds for every candidate alike.

    `read` are the scores of the reader of acts: a row for the whole message, then one for each clause.
    """
    asks = bool(assistant) and (assistant or "").rstrip().endswith("?")
    echoed = echoes(spoken, assistant)
    out: list[Any] = [
        1.0,
        offered is not None,
        assistant is not None,
        asks,
        asks and offered is not None,
        spoken.ends_asking,
        spoken.asks,
        *of_findings(spoken, options, pointed, found),
        *np.maximum(-4.0, (read[0] - read[0].max()) / _SCALE / 2),
        *_of_parts(chances(read)[1:]),
        echoed,
        echoed and offered is not None,
        *interrogative(spoken, policy),
    ]
    return [float(x) for x in out]


def of_findings(spoken: Spoken, options: OptionSet, pointed: Pointed, found: Resolution) -> list[Any]:
    """What the rules made of the message, and how much of it they made something of."""
    return [
        min(spoken.length, 20) / 10,
        min(len(options.candidates), 8) / 4,
        min(len(pointed.foreign), 5) / 2,
        min(pointed.fitting, 4) / 2,
        pointed.compound,
        bool(pointed.chosen),
        bool(pointed.excluded),
        pointed.several,
        pointed.winner is not None,
        not pointed.positions,
        found.winner is not None,
        *(pointed.how == how for how in HOW),
        *(found.rule == rule for rule in RULES),
        *(found.act is act for act in Act),
        found.blocked is not None,
    ]


def chances(scores: Matrix) -> Matrix:
    """Scores of acts as chances."""
    raised = np.exp((scores - scores.max(axis=1, keepdims=True)) / _SCALE)
    out: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return out


def _of_parts(parts: Matrix) -> list[float]:
    """The first clause, the last one, and the most of any."""
    if not len(parts):
        return [0.0] * (3 * parts.shape[1])
    return [*parts[0], *parts[-1], *parts.max(axis=0)]


def of_candidates(
    spoken: Spoken,
    options: OptionSet,
    looked_at: Positions,
    offered: int | None,
    assistant: str | None,
    pointed: Pointed,
    found: Resolution,
    read: Matrix,
    policy: GroundPolicy,
) -> Matrix:
    """One row per candidate that is looked at."""
    cards = [card(options.candidates[p], policy.pointing) for p in looked_at]
    heard = spoken.clauses
    size, empty = len(looked_at), _empty(policy)
    content = [[w for w in c.words if w not in empty] for c in heard]
    fits = [fits_of(clause, cards, policy) for clause in content]
    shares = np.array([shared_out(f) for f in fits]).reshape(len(heard), size)
    grams = [_grams(f"{c.label} {c.sublabel or ''}") for c in (options.candidates[p] for p in looked_at)]
    letters = np.array([_overlap(clause, grams) for clause in content]).reshape(len(heard), size)
    every = np.hstack(fits) if fits else np.zeros((size, 0))
    total = shares.sum(axis=0)
    only = ((every > 0) & ((every > 0).sum(axis=0, keepdims=True) == 1)).sum(axis=1)
    named = np.array([(row >= NAMED).sum() / max(1, len(own.name)) for row, own in zip(every, cards, strict=True)])
    every_word = [w for clause in content for w in clause]
    near = np.array([_closest(every_word, options.candidates[p].label, policy) for p in looked_at])
    count = compared(spoken.numbers, cards)
    weights = _weights(heard, read)
    columns: list[Any] = [
        *standing(looked_at, offered, pointed, found),
        total,
        lead(total),
        np.minimum(only, 3) / 2,
        (every > 0).sum(axis=1) / max(1, every.shape[1]),
        every.max(axis=1, initial=0) / NAMED,
        named,
        near,
        lead(near),
        *_by_clause(shares, weights, size),
        *_by_clause(letters, weights, size),
        *(
            [i in held for i in range(size)]
            for held in (count.same, count.above, count.below, count.only_above, count.only_below)
        ),
        named_last(assistant, options, looked_at),
        [i == 0 for i in range(size)],
        [i == size - 1 for i in range(size)],
    ]
    return np.array([np.asarray(c, dtype=np.float64) for c in columns]).T


def standing(looked_at: Positions, offered: int | None, pointed: Pointed, found: Resolution) -> list[list[bool]]:
    """How each candidate stands to the offer, to what is pointed at and to what the rules found."""
    return [
        [p == offered for p in looked_at],
        [p in pointed.positions for p in looked_at],
        [p == pointed.winner for p in looked_at],
        [p in pointed.positions and pointed.several for p in looked_at],
        [p == pointed.winner and pointed.strength > 2 for p in looked_at],
        *([p in pointed.positions and pointed.how == how for p in looked_at] for how in HOW[:-1]),
        [p in pointed.excluded for p in looked_at],
        [p == found.winner for p in looked_at],
        [p in found.matches for p in looked_at],
        [found.winner is not None and p != found.winner for p in looked_at],
    ]


def _weights(heard: Sequence[Clause], read: Matrix) -> Matrix:
    """How far each clause takes, refuses or asks: as it is read, and by its form."""
    each = chances(read)[1:]
    form = np.array([[c.denied for c in heard], [c.asks for c in heard]], dtype=np.float64)
    takes, refuses, asks = each[:, _TAKES].sum(axis=1), each[:, _REFUSES], each[:, _ASKS].sum(axis=1)
    return np.array([takes * (1 - form[0] / 2), np.maximum(refuses, form[0] / 2), np.maximum(asks, form[1] / 2)])


def _by_clause(found: Matrix, weights: Matrix, size: int) -> list[Matrix]:
    """What the clauses give that take, refuse, ask; what the last and the first give; and who leads in the taking."""
    if not len(found):
        return [np.zeros(size)] * 7
    takes, refuses, asks = ((found * w[:, None]).max(axis=0) for w in weights)
    return [takes, lead(takes), refuses, lead(refuses), asks, found[-1], found[0]]


def fits_of(spoken: Sequence[str], cards: Sequence[Card], policy: GroundPolicy) -> Matrix:
    rows = [[fit(w, own, policy.pointing) for w in spoken] for own in cards]
    return np.array(rows, dtype=np.float64).reshape(len(cards), len(spoken))


def shared_out(fits: Matrix) -> Matrix:
    """A word that fits several candidates counts for each of them in part only."""
    held = fits > 0
    shared: Matrix = (fits * held / np.maximum(1, held.sum(axis=0, keepdims=True))).sum(axis=1) / NAMED
    return shared


@lru_cache(maxsize=4096)
def _grams(written: str) -> frozenset[str]:
    """Short runs of letters: two syllables of Korean, four letters otherwise."""
    out: set[str] = set()
    for word in _WORD.findall(normalize(written)):
        size = 4 if word.isascii() else 2
        out.update(word[i : i + size] for i in range(max(1, len(word) - size + 1)))
    return frozenset(g for g in out if len(g) > 1)


def _overlap(spoken: Sequence[str], grams: Sequence[frozenset[str]]) -> list[float]:
    """How many runs of letters a clause has in common with each candidate; those of fewer candidates count more."""
    heard = {g for w in spoken for g in _grams(w)}
    holding = {g: sum(g in own for own in grams) for g in heard}
    return [min(2.0, sum(1 / holding[g] for g in heard & own if holding[g] < max(2, len(grams)))) for own in grams]


def _closest(spoken: Sequence[str], label: str, policy: GroundPolicy) -> float:
    """The most alike in letters that a said word and a word of the label are."""
    own = [letters_of(w) for w in normalize(label).split() if len(w) > 1]
    best = 0.0
    for word in spoken:
        for form in {word, *forms(word, policy.pointing)[-1:]}:
            if len(form) > 1:
                best = max(best, 0.0, *(LCSseq.normalized_similarity(letters_of(form), o) for o in own))
    return best


@lru_cache(maxsize=4096)
def letters_of(word: str) -> str:
    return unicodedata.normalize("NFD", word)


def _last_sentence(assistant: str | None) -> str:
    last = normalize(assistant or "").rstrip("?!. ")
    return last[max(last.rfind(m) for m in ".!?:") + 1 :]


def named_last(assistant: str | None, options: OptionSet, looked_at: Positions) -> list[float]:
    """Named in the assistant's last sentence."""
    last = _last_sentence(assistant)
    return [float(bool(last) and normalize(options.candidates[p].label) in last) for p in looked_at]


def echoes(spoken: Spoken, assistant: str | None) -> bool:
    """ "Shall I book it?" "book it"; 열까요? 열어: a word of the question comes back, in Korean its stem."""
    asked = _WORD.findall(_last_sentence(assistant))[-_ASKED:]
    stems = {letters_of(w)[:_STEM] for w in asked[-1:] if not w.isascii()}
    return any((w in asked and len(w) > 2) or letters_of(w)[:_STEM] in stems for w in spoken.words)


def interrogative(spoken: Spoken, policy: GroundPolicy) -> tuple[bool, bool]:
    """Whether a clause opens with a question word, and whether the message has one at all."""
    asking = words(policy).wh_words
    opens = any(not asking.isdisjoint(c.words[:2]) for c in spoken.clauses)
    return opens, any(not asking.isdisjoint(c.words) for c in spoken.clauses)


@lru_cache(maxsize=8)
def _empty(policy: GroundPolicy) -> frozenset[str]:
    return frozenset(policy.pointing.empty)
