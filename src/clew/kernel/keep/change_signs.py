"""What a message and a held memory have in common, as numbers that the reader of change weighs (ruling M7)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from clew.frozen import dataclass
from clew.kernel.compare.likeness import features as likeness
from clew.kernel.compare.opposites import clash
from clew.kernel.keep.keys import row_of
from clew.kernel.language.scripts import is_spaced
from clew.kernel.read.change_words import says
from clew.kernel.statements.features import mentions
from clew.kernel.text.terms import terms
from clew.kernel.text.tokens import capitalised, digits
from clew.model.memory import SELF
from clew.model.utterance import Act, Statement, Status, TokenVectors
from clew.policy import Policy

Vector = Sequence[float]
# An array, and the sum of its squares.
Sized = tuple[Any, Any]
_TOKENS = 200
_DIGIT = re.compile(r"\d")
_SHAPES = ("ended", "instead", "beside", "switched", "swap", "negation", "over", "now", "third", "corrected", "before")
_ACTS = (Act.QUESTION, Act.REQUEST, Act.WISH, Act.SUPPOSITION, Act.QUOTATION)


@dataclass(frozen=True, slots=True)
class Held:
    """A memory as it was told. `text`: the user's words, or key and value where there are none."""

    text: str
    subject: str
    attribute: str
    value: str
    vector: Vector | None = None
    value_vector: Vector | None = None
    value_tokens: TokenVectors | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence of the message: what it does, and its vector."""

    text: str
    act: Act
    negated: bool
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class News:
    """The message that may change what is held."""

    text: str
    language: str
    parts: tuple[Part, ...]
    statements: tuple[Statement, ...]
    vector: Vector | None = None
    value_vectors: tuple[Vector | None, ...] = ()
    tokens: TokenVectors | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What the signs need of a message, whatever it is held against: made once for all memories."""

    news: News
    vector: Sized | None
    parts: tuple[Sized, ...]
    values: tuple[Sized, ...]
    tokens: tuple[tuple[str, Any], ...]
    terms: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    stated: tuple[frozenset[str], ...]
    people: frozenset[str]
    worded: tuple[float, ...]


def measured(news: News, policy: Policy) -> Measured:
    return Measured(
        news,
        sized(news.vector),
        tuple(s for p in news.parts if (s := sized(p.vector)) is not None),
        tuple(s for v in news.value_vectors if (s := sized(v)) is not None),
        _named(news.text, news.tokens, policy),
        _terms(news.text, policy),
        digits(news.text),
        capitalised(news.text),
        tuple(_terms(s.value, policy) for s in news.statements),
        frozenset(m.subject for m in mentions(news.text, policy.reader)),
        tuple(_worded(news, policy)),
    )


def signs(held: Held, told: Measured, policy: Policy) -> tuple[float, ...]:
    """Always the same numbers in the same order; without vectors those of vectors are zero."""
    return (
        *_near(held, told),
        *_alike(held, told, policy),
        *_shared(held, told, policy),
        *_stated(held, told, policy),
        *told.worded,
        min(len(held.text), 200) / 200,
        min(len(told.news.text), 200) / 200,
    )


def _near(held: Held, told: Measured) -> Iterator[float]:
    text, value = sized(held.vector), sized(held.value_vector)
    whole = _cosine(text, told.vector)
    yield whole
    yield max([whole, *(_cosine(text, p) for p in told.parts)])
    yield max((_cosine(value, v) for v in told.values), default=0.0)
    yield _cosine(value, told.vector)


def _alike(held: Held, told: Measured, policy: Policy) -> tuple[float, float]:
    """How near the nearest new words of the message come to the value: a city to a city, a job to a job."""
    if held.value_tokens is None or not told.tokens:
        return 0.0, 0.0
    import numpy as np

    mine = [row for _, row in _named(held.value, held.value_tokens, policy)]
    old = held.text.lower()
    theirs = [row for piece, row in told.tokens if piece not in old]
    if not mine or not theirs:
        return 0.0, 0.0
    a, b = np.array(mine), np.array(theirs)
    whole = a.mean(axis=0)
    size = float(np.sqrt((whole * whole).sum()))
    best = float((b @ whole).max()) / size if size else 0.0
    return round(best, 3), round(float((b @ a.T).max()), 3)


# The values of memories stay the same, turn after turn.
@lru_cache(maxsize=256)
def _named(said: str, tokens: TokenVectors | None, policy: Policy) -> tuple[tuple[str, Any], ...]:
    """Tokens that name something, not the small words: each as it is written, and its row at length one."""
    if tokens is None:
        return ()
    import numpy as np

    found = []
    for n, piece in enumerate(tokens.written(said)[:_TOKENS]):
        if len(piece) > (2 if is_spaced(piece) and not piece.isdigit() else 0) and _terms(piece, policy):
            found.append((piece, n))
    rows = np.asarray(tokens.matrix, dtype=np.float64)[[n for _, n in found]]
    rows = rows / np.maximum(np.sqrt((rows * rows).sum(axis=1, keepdims=True)), 1e-9)
    return tuple((piece, row) for (piece, _), row in zip(found, rows, strict=True))


def _shared(held: Held, told: Measured, policy: Policy) -> Iterator[float]:
    """Words of the value and words around it that the message has too."""
    said, text = told.terms, told.news.text
    value = _terms(held.value, policy)
    around = _terms(held.text, policy) - value
    yield _share(value, said)
    yield float(bool(value) and value <= said)
    yield float(bool(value & said))
    yield _share(around, said)
    yield float(bool(around & said))
    yield _share(said, value | around)
    yield min(len(said), 30) / 30
    yield from (float(x) for x in likeness(held.text, text, policy))
    guard = clash(held.text, text, policy)
    yield from (float(guard == kind) for kind in ("polarity", "antonym", "entity"))
    new_digits = bool(_DIGIT.search(text))
    old_digits = bool(_DIGIT.search(held.value))
    yield float(new_digits)
    yield float(old_digits)
    yield float(new_digits and old_digits and not digits(held.value) & told.numbers)
    old_names, new_names = capitalised(held.text), told.names
    yield float(bool(old_names))
    yield float(bool(new_names - old_names))
    yield float(bool(new_names & old_names))


def _stated(held: Held, told: Measured, policy: Policy) -> Iterator[float]:
    """What the message states of the same person, of the same side of their life, and how that stands."""
    statements = told.news.statements
    own = [s for s in statements if s.subject == held.subject]
    other = [s for s in statements if s.subject != held.subject]
    same = [s for s in own if s.attribute == held.attribute]
    row = row_of(held.attribute, policy)
    beside = [s for s in own if s not in same and row_of(s.attribute, policy).group == row.group]
    value = _terms(held.value, policy)
    equal = bool(value) and any(
        t == value
        for s, t in zip(statements, told.stated, strict=True)
        if s.subject == held.subject and s.attribute == held.attribute
    )
    yield float(bool(statements))
    yield float(bool(same))
    yield float(bool(beside))
    yield float(bool(own) and not same and not beside)
    yield float(bool(other))
    yield float(any(s.attribute == held.attribute for s in other))
    yield float(equal)
    yield float(bool(same) and not equal)
    at = {s.status for s in same}
    for status in Status:
        yield float(status in at)
    at = {s.status for s in own}
    for status in (Status.ENDED, Status.NOT, Status.PAST, Status.FUTURE):
        yield float(status in at)
    at = {s.status for s, t in zip(statements, told.stated, strict=True) if value & t}
    yield float(Status.ENDED in at)
    yield float(Status.NOT in at)
    yield float(row.many)
    yield float(row.timeless)
    yield float(bool(same) and not row.many)
    yield float(bool(same) and row.many)
    yield float(held.subject == SELF)
    yield float(bool(told.people))
    yield float(held.subject in told.people)
    yield float(bool(told.people - {held.subject}))
    yield float(held.attribute in policy.checks.exclusive)
    yield float(held.attribute in policy.checks.dated)
    kinds = [0.0] * len(policy.changes.attributes)
    if held.attribute in policy.changes.attributes:
        kinds[policy.changes.attributes.index(held.attribute)] = 1.0
    yield from kinds


def _worded(news: News, policy: Policy) -> Iterator[float]:
    yield from (float(says(news.text, kind, policy)) for kind in _SHAPES)
    yield from (float(any(p.act is act for p in news.parts)) for act in _ACTS)
    yield float(all(p.act is Act.STATEMENT for p in news.parts))
    yield float(any(p.negated for p in news.parts))
    yield float(news.language in policy.changes.marked)


def shared_words(a: str, b: str, policy: Policy) -> int:
    return len(_terms(a, policy) & _terms(b, policy))


def words_within(a: str, b: str, policy: Policy) -> bool:
    """Every word of the one is a word of the other."""
    one = _terms(a, policy)
    return bool(one) and one <= _terms(b, policy)


def cosine(a: Vector | None, b: Vector | None) -> float:
    return _cosine(sized(a), sized(b))


def sized(vector: Vector | None) -> Sized | None:
    """A vector as an array, and the sum of its squares."""
    if vector is None:
        return None
    import numpy as np

    held = np.asarray(vector, dtype=np.float64)
    return held, (held * held).sum()


def _cosine(a: Sized | None, b: Sized | None) -> float:
    if a is None or b is None:
        return 0.0
    size = math.sqrt(a[1] * b[1])
    return round(float((a[0] * b[0]).sum()) / size, 4) if size else 0.0


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0


@lru_cache(maxsize=4096)
def _terms(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy))
