"""By its small words and endings a clause shows what it does, and so what naming something in it is worth.

"No fish", "whats under 50" and "the camera is cool but is there a cheaper one" each name something and take nothing.
The words for that are few in every language and the same whoever writes, unlike the words for things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from clew.kernel.ground.cards import NAMED, Card, fit
from clew.kernel.ground.phrases import Phrases
from clew.kernel.ground.signs import letters_of
from clew.kernel.language.scripts import has_syllables
from clew.kernel.read.follow_up import follow_up
from clew.kernel.text.normalize import normalize
from clew.policy.ground import GroundPolicy, Mark, MarksPolicy

Matrix = npt.NDArray[np.float64]
_CLAUSES = 8
# So many letters of a Korean verb tell it from another.
_STEM = 3
# The kinds that stand against taking what the clause names.
_AGAINST = ("asks", "refuses", "others")
KINDS = ("asks", "refuses", "others", "leaves", "wavers", "chooses", "agrees")


@dataclass(frozen=True, slots=True)
class Marked:
    """A clause, and the kinds it is marked as, in the order of KINDS."""

    words: tuple[str, ...]
    kinds: tuple[bool, ...]

    def is_a(self, *kinds: str) -> bool:
        return any(self.kinds[KINDS.index(kind)] for kind in kinds)


@lru_cache(maxsize=1024)
def marked(text: str, policy: MarksPolicy) -> tuple[Marked, ...]:
    """The clauses of a message; of a long one the last, where the choice stands."""
    found = _found(policy)
    out = []
    for said, asking in follow_up(text).pieces:
        cut = [c for c in _clauses(said, policy) if c]
        for i, words in enumerate(cut):
            kinds = [kind.holds(words) for kind in found]
            kinds[0] = kinds[0] or (asking and i == len(cut) - 1)
            out.append(Marked(words, tuple(kinds)))
    return tuple(out[-_CLAUSES:])


def _clauses(words: tuple[str, ...], policy: MarksPolicy) -> Iterator[tuple[str, ...]]:
    joins, laughs = _joins(policy), normalize(policy.laughs)
    words = tuple(word for word in words if word.strip(laughs)) or words
    now: list[str] = []
    for i, word in enumerate(words):
        if joins.head(words[i:]) and now:
            yield tuple(now)
            now = []
        now.append(word)
        if len(word) > 1 and word.endswith(policy.linking):
            yield tuple(now)
            now = []
    yield tuple(now)


def chooses(text: str, policy: MarksPolicy) -> bool:
    """Some clause chooses and does nothing against it: "no fish, the curry please"."""
    return any(c.is_a("chooses") and not c.is_a(*_AGAINST) for c in marked(text, policy))


def agrees(text: str, assistant: str | None, policy: GroundPolicy) -> bool:
    """Some clause takes up what was put forward, whatever reason stands beside it.

    A yes, a verb with "it", or the verb of the question again: 추워 죽겠어 얼른 보내 to 보낼까요?
    """
    heard = follow_up(assistant or "")
    asked = heard.words[-1:] if heard.asks else ()
    again = tuple(letters_of(w)[:_STEM] for w in asked if has_syllables(w))
    for clause in marked(text, policy.marks):
        if clause.is_a(*_AGAINST):
            continue
        verb_first = clause.words[0] in policy.verbs or clause.words[0] in policy.act_verbs
        if clause.is_a("agrees") or any(_points_back(w, verb_first, policy) for w in clause.words):
            return True
        if letters_of(clause.words[-1])[:_STEM] in again:
            return True
    return False


def _points_back(word: str, verb_first: bool, policy: GroundPolicy) -> bool:
    """ "hold it for me", 그거 불러: the verb stands before it, or behind it where verbs come last."""
    if has_syllables(word):
        return word.startswith(policy.deictic_words)
    return verb_first and word in policy.deictic_words


def of_clauses(text: str, cards: Sequence[Card], policy: GroundPolicy) -> Matrix:
    """One row per candidate: what names it, by what the naming clauses do; then what the message does at all."""
    clauses = marked(text, policy.marks)
    size, empty = len(cards), _empty(policy)
    shares, covers = np.zeros((len(clauses), size)), np.zeros((len(clauses), size))
    for row, cover, clause in zip(shares, covers, clauses, strict=True):
        spoken = [w for w in clause.words if w not in empty]
        for word in spoken:
            fits = np.array([fit(word, own, policy.pointing) for own in cards], dtype=np.float64)
            row += fits / NAMED / max(1, int((fits > 0).sum()))
            cover += (fits > 0) / len(spoken)
    against = np.array([c.is_a(*_AGAINST) for c in clauses], dtype=bool)
    chooses = np.array([c.is_a("chooses") for c in clauses], dtype=bool)
    clean, asked, refused, chosen = (
        shares[which].sum(axis=0)
        for which in (
            ~against,
            np.array([c.is_a("asks") for c in clauses], dtype=bool),
            np.array([c.is_a("refuses") for c in clauses], dtype=bool),
            chooses & ~against,
        )
    )
    own = [clean, lead(clean), shares[against].sum(axis=0), asked, lead(asked), refused, lead(refused)]
    # Where a message names several things, the choice stands last.
    final = shares[~against][-1] if not against.all() else np.zeros(size)
    own += [chosen, lead(chosen), final, lead(final), covers[~against].max(axis=0, initial=0.0)]
    said = [float(any(c.is_a(kind) for c in clauses)) for kind in KINDS]
    last = [float(bool(clauses) and clauses[-1].is_a(kind)) for kind in ("asks", "refuses", "chooses")]
    in_syllables = float(any(has_syllables(w) for c in clauses for w in c.words))
    shared = np.broadcast_to(np.array([*said, len(clauses) / 3, *last, in_syllables]), (size, len(KINDS) + 5))
    return np.hstack([np.array(own).T, shared])


def lead(found: Matrix) -> Matrix:
    """How far each stands above the best of the others."""
    if len(found) < 2:
        return np.zeros(len(found))
    best, second = np.sort(found)[[-1, -2]]
    out: Matrix = np.where(found == best, best - second, found - best)
    return out


class _Found:
    """One kind of mark, ready to be looked for."""

    __slots__ = ("_anywhere", "_but", "_closing", "_ends", "_inside", "_opening")

    def __init__(self, mark: Mark) -> None:
        self._anywhere, self._opening = Phrases(mark.anywhere), Phrases(mark.opening)
        self._ends, self._closing, self._inside, self._but = mark.ends, mark.closing, mark.holds, mark.but

    def holds(self, words: tuple[str, ...]) -> bool:
        if not words:
            return False
        return bool(
            self._opening.head(words)
            or self._anywhere.inside(words)
            or self._ending(words[-1], self._closing)
            or any(self._ending(w, self._ends) or any(part in w for part in self._inside) for w in words)
        )

    def _ending(self, word: str, ends: tuple[str, ...]) -> bool:
        return word.endswith(ends) and not word.endswith(self._but)


@lru_cache(maxsize=4)
def _found(policy: MarksPolicy) -> tuple[_Found, ...]:
    return tuple(_Found(getattr(policy, kind)) for kind in KINDS)


@lru_cache(maxsize=4)
def _joins(policy: MarksPolicy) -> Phrases:
    return Phrases(policy.joins)


@lru_cache(maxsize=4)
def _empty(policy: GroundPolicy) -> frozenset[str]:
    return frozenset(policy.pointing.empty)
