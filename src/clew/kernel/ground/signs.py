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

from clew.kernel.ground.cards import NAMED, Card, fit
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.options import OptionSet, Positions
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.saying import Spoken
from clew.kernel.language.scripts import has_syllables
from clew.kernel.text.normalize import normalize
from clew.model.evidence import Act
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
_WORD = re.compile(r"[^\W_]+")
# The words of a question that may come back, and so many letters of a Korean verb tell it from another.
_ASKED = 12
_STEM = 3


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


def fits_of(spoken: Sequence[str], cards: Sequence[Card], policy: GroundPolicy) -> Matrix:
    rows = [[fit(w, own, policy.pointing) for w in spoken] for own in cards]
    return np.array(rows, dtype=np.float64).reshape(len(cards), len(spoken))


def shared_out(fits: Matrix) -> Matrix:
    """A word that fits several candidates counts for each of them in part only."""
    held = fits > 0
    shared: Matrix = (fits * held / np.maximum(1, held.sum(axis=0, keepdims=True))).sum(axis=1) / NAMED
    return shared


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
    stems = {letters_of(w)[:_STEM] for w in asked[-1:] if has_syllables(w)}
    return any((w in asked and len(w) > 2) or letters_of(w)[:_STEM] in stems for w in spoken.words)


def interrogative(spoken: Spoken, policy: GroundPolicy) -> tuple[bool, bool]:
    """Whether a clause opens with a question word, and whether the message has one at all."""
    asking = words(policy).wh_words
    opens = any(not asking.isdisjoint(c.words[:2]) for c in spoken.clauses)
    return opens, any(not asking.isdisjoint(c.words) for c in spoken.clauses)


