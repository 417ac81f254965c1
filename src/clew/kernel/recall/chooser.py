"""The small learned chooser: how likely each of the things known answers a question.

Features are whole thousandths and leaves whole ten-thousandths, so that the same question gives the same bytes on
every machine. What the rules found by place in the attribute table is among its features.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from math import exp
from typing import Any

from clew.kernel.language.scripts import has_syllables
from clew.kernel.read.linear import chance, sums
from clew.kernel.read.meanings import Meanings
from clew.kernel.read.signs import signs
from clew.kernel.read.trees import LEAF, chances_of
from clew.kernel.recall.chooser_weights import Fitting, cosines, grid
from clew.kernel.recall.known import MEMORY, TURN, Known, Question
from clew.kernel.recall.narrowing import held
from clew.kernel.recall.network import weigh
from clew.kernel.statements.features import mentions
from clew.kernel.text.words_in import words_in
from clew.model.memory import SELF
from clew.policy import Policy
from clew.policy.reader import ReaderPolicy, weights
from clew.programs import program

_UNIT = 1000
_UNRANKED = 60
_KINDS = ("when", "much", "where", "who", "whether")
_TOLD_KINDS = ("when", "much", "where")
# Parts of the search's score.
_SEARCHED = (
    "score", "fit", "lexical", "lexical_turn", "words", "words_window", "answering", "vector", "vector_turn",
    "vector_wide", "lexical_near", "words_near", "vector_near",
)  # fmt: skip
_STANDINGS = (
    "called", "turn same", "turn lacks", "turn more", "turn plain",
    "self", "same", "self beside", "mine", "other", "theirs",
)  # fmt: skip


def likely(
    question: Question, known: Sequence[Known], policy: Policy, meanings: Meanings | None = None
) -> tuple[float, ...]:
    """The chance of each to answer: by the trees, and by the network where the encoder is lent."""
    trees = _trees(policy.reader.answers, policy.reader.answers_sha256)
    if trees is None or not known:
        return tuple(0.0 for _ in known)
    own = trees.of(question.language)
    rows = features(question, known, policy)
    totals = own.sums(rows)
    by_trees = chances_of(totals)
    if meanings is None or not policy.recall.answers_network.file:
        return by_trees
    read = weigh(question, known, rows, [t / LEAF for t in totals], meanings, policy.recall.answers_network)
    if not read:
        return by_trees
    # The network finds more, the trees know better how sure one may be: the mean of both is taken. What the network
    # did not look at is behind everything that it did.
    return tuple((read.get(i, 0.0) + chance) / 2 for i, chance in enumerate(by_trees))


def features(question: Question, known: Sequence[Known], policy: Policy) -> Any:
    """A row of whole numbers for each candidate: how it stands to the question, and to the other candidates."""
    import numpy as np

    trees = _trees(policy.reader.answers, policy.reader.answers_sha256)
    asked = grid(question.vector)
    own = np.stack([grid(k.vector) if k.vector is not None else np.zeros_like(asked) for k in known])
    close = cosines(asked, own)
    fit = trees.fits(asked, own) if trees is not None else np.zeros(len(known))
    order = sorted(question.chances, key=lambda a: (-question.chances[a], a))
    places = {a: i for i, a in enumerate(order)}
    whom = frozenset(m.subject for m in mentions(question.text, policy.reader))
    best = max(k.named for k in known)
    low, shapes = question.text.lower(), _shapes(policy, question.language)
    kinds = {kind: shape.search(low) is not None for kind, shape in zip(_KINDS, shapes, strict=True)}
    beside = (
        best,
        question.chances[order[0]] if order else 0.0,
        len(question.wanted.own),
        question.asked,
        bool(question.asks),
        question.marked,
        *kinds.values(),
    )
    led = [k.vector_before if k.vector_before is not None else () for k in known]
    joined = cosines(asked, own + np.stack([grid(v) if len(v) else np.zeros_like(asked) for v in led]))
    told = [_told(k, policy.reader) for k in known]
    meets = np.array([round(sum(c * t.get(a, 0.0) for a, c in question.chances.items()), 3) for t in told])
    top = [round(t.get(order[0], 0.0), 3) if order else 0.0 for t in told]
    searched = np.array([[k.search.get(part, 0.0) for part in _SEARCHED] for k in known])
    shared = _rarely(question.wanted.all, [held(f"{k.words} {k.value}", policy) for k in known])
    people = ({a.subject for a in question.asks} | whom) - {SELF}
    nearness = np.stack([close, _above(close), close.max() - close, fit, _above(fit)], axis=1)
    among = np.stack([joined, _above(joined), meets, _above(meets), top], axis=1)
    last = np.stack([_above(searched[:, 0]), _above(shared), shared, shared.sum() - shared], axis=1)
    rows = np.hstack(
        [
            np.array([tuple(_own(question, k, places, whom, best, policy)) for k in known], dtype=np.float64),
            nearness,
            np.tile(np.array(beside, dtype=np.float64), (len(known), 1)),
            np.array([tuple(_beyond(question, k, people, kinds, policy)) for k in known], dtype=np.float64),
            among,
            searched,
            last,
        ]
    )
    return np.rint(rows * _UNIT).astype(np.int64)


def _above(values: Any) -> Any:
    """For each of them, how many are larger."""
    return (values[None, :] > values[:, None]).sum(axis=1)


def _own(
    question: Question,
    known: Known,
    places: Mapping[str, int],
    whom: frozenset[str],
    best: float,
    policy: Policy,
) -> Iterator[float]:
    """How one candidate stands to the question."""
    yield known.kind == MEMORY
    yield known.named
    yield known.named == best > 0
    yield question.chances.get(known.attribute, 0.0)
    near = policy.recall.near_attributes.get(known.attribute, ())
    yield max((question.chances.get(a, 0.0) for a in near), default=0.0)
    yield places.get(known.attribute, _UNRANKED)
    standing = _standing(question, known, whom, policy.reader)
    yield from (standing == name for name in _STANDINGS)
    words, value = held(known.words, policy), held(known.value, policy)
    yield len(question.wanted.own & words)
    yield len(question.wanted.all & words)
    yield len(question.wanted.all & value)
    yield _chance(known, policy.reader.told, policy.reader.told_sha256)
    yield _chance(known, policy.reader.asks, policy.reader.asks_sha256)
    yield from (known.newest, known.past, len(known.words))
    shown = known.value or known.words
    yield any(c.isdigit() for c in shown)
    yield known.value[:1].isupper()
    yield len(known.value.split())
    yield known.value == known.words


def _rarely(asked: frozenset[str], words: Sequence[frozenset[str]]) -> Any:
    """How many of the question's words each holds; one that many hold counts little."""
    import numpy as np

    holding = {term: sum(term in own for own in words) for term in asked}
    return np.array([round(sum(1 / holding[t] for t in sorted(asked & own)), 3) for own in words])


def _told(known: Known, policy: ReaderPolicy) -> Mapping[str, float]:
    """What sides of a life its words touch."""
    if known.vector is None:
        return {}
    return _touched(known.words, array("d", known.vector).tobytes(), policy.asks, policy.asks_sha256)


@lru_cache(maxsize=1024)
def _touched(words: str, vector: bytes, name: str, sha256: str) -> Mapping[str, float]:
    found = sums(words, array("d", vector), name, sha256)
    return {a: round(1 / (1 + exp(-max(-30.0, total))), 3) for a, total in found.items() if a}


def _beyond(
    question: Question, known: Known, people: Collection[str], asked: Mapping[str, bool], policy: Policy
) -> Iterator[float]:
    """Whether it holds what kind of thing is `asked` for, and what the words before it add.

    people: whom else than the user the question is about.
    """
    yield from _holds(known.words, policy)
    told = _told_kinds(f"{known.words} {known.value}", question.language, policy)
    valued = _told_kinds(known.value or known.words, question.language, policy)
    yield from told
    yield from valued
    yield sum(asked[kind] and not there for kind, there in zip(_TOLD_KINDS, told, strict=True))
    yield sum(asked[kind] and not there for kind, there in zip(_TOLD_KINDS, valued, strict=True))
    words, before = held(known.words, policy), held(known.before, policy)
    yield len((question.wanted.all & before) - words)
    yield len(question.wanted.all & (before | words)) / max(1, len(question.wanted.all))
    yield len(question.wanted.all & words) / max(1, len(question.wanted.all))
    here = {m.subject for m in mentions(known.words, policy.reader)}
    there = {m.subject for m in mentions(known.before, policy.reader)} if known.before else set()
    yield not here.isdisjoint(people)
    yield not there.isdisjoint(people)
    yield bool(here.difference(people))
    own = set(known.words.lower().replace("’", "'").split())
    yield not own.isdisjoint(policy.reader.they)
    yield not own.isdisjoint(policy.reader.speakers)
    yield has_syllables(question.text)


@lru_cache(maxsize=2048)
def _holds(words: str, policy: Policy) -> tuple[float, ...]:
    """Whether there is a time, an amount, a name in it, and how much of it asks: the same for every question."""
    found = signs(words, words_in(words, policy), policy)
    return found.time, found.amount, found.name, found.asks


def _chance(known: Known, name: str, sha256: str) -> float:
    """That its words tell anything, or ask for anything."""
    return chance(known.words, known.vector, name, sha256) if known.vector is not None else 0.5


def _standing(question: Question, known: Known, whom: frozenset[str], policy: ReaderPolicy) -> str:
    """How the one it is about stands to whom the question is about."""
    asked = {a.subject for a in question.asks} | whom
    people = asked - {SELF}
    if known.name and known.name.lower() in question.text.lower():
        return "called"
    if known.kind == TURN:
        there = {m.subject for m in mentions(known.words, policy)}
        return "turn " + ("same" if there & people else "lacks" if people else "more" if there else "plain")
    if known.subject == SELF:
        return "self beside" if SELF in asked and people else "mine" if people else "self"
    if known.subject in asked:
        return "same"
    return "other" if people else "theirs"


@lru_cache(maxsize=8)
def _shapes(policy: Policy, language: str) -> tuple[re.Pattern[str], ...]:
    """When, how much, where, who, whether: five shapes a language may have."""
    words = policy.checks.languages.get(language)
    named = words.question_kinds if words else {}
    return tuple(program(named[k].pattern if k in named else r"(?!)") for k in _KINDS)


@lru_cache(maxsize=2048)
def _told_kinds(told: str, language: str, policy: Policy) -> tuple[bool, ...]:
    """Whether it holds a time, a number, a place."""
    words = policy.checks.languages.get(language)
    named = words.told_kinds if words else {}
    return tuple(k in named and re.search(named[k].pattern, told, re.I) is not None for k in _TOLD_KINDS)


@lru_cache(maxsize=4)
def _trees(name: str, sha256: str) -> Fitting | None:
    arrays = weights(name, sha256)
    return None if arrays is None else Fitting(arrays)
