"""What a message and a held memory have in common, as numbers that the reader of change weighs (ruling M7)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from clew.kernel.compare.likeness import features as likeness
from clew.kernel.compare.opposites import clash
from clew.kernel.keep.keys import row_of
from clew.kernel.statements.features import mentions
from clew.kernel.text.normalize import normal
from clew.kernel.text.terms import terms
from clew.model.memory import SELF
from clew.model.utterance import Act, Statement, Status, TokenVectors
from clew.policy import Policy

Vector = Sequence[float]
_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]+")
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


def signs(held: Held, news: News, policy: Policy) -> tuple[float, ...]:
    """Always the same numbers in the same order; without vectors those of vectors are zero."""
    return (
        *_near(held, news),
        *_alike(held, news, policy),
        *_shared(held, news, policy),
        *_stated(held, news, policy),
        *_worded(held, news, policy),
    )


def _near(held: Held, news: News) -> Iterator[float]:
    whole = cosine(held.vector, news.vector)
    parts = [cosine(held.vector, p.vector) for p in news.parts if p.vector is not None]
    values = [cosine(held.value_vector, v) for v in news.value_vectors if v is not None]
    yield whole
    yield max([whole, *parts])
    yield max(values, default=0.0)
    yield cosine(held.value_vector, news.vector)


def _alike(held: Held, news: News, policy: Policy) -> tuple[float, float]:
    """How near the nearest new words of the message come to the value: a city to a city, a job to a job."""
    if held.value_tokens is None or news.tokens is None:
        return 0.0, 0.0
    import numpy as np

    mine = _named(held.value, held.value_tokens, policy)
    old = held.text.lower()
    theirs = [n for n in _named(news.text, news.tokens, policy) if _piece(news.text, news.tokens, n) not in old]
    if not mine or not theirs:
        return 0.0, 0.0
    a = _rows(held.value_tokens, mine)
    b = _rows(news.tokens, theirs)
    whole = a.mean(axis=0)
    size = float(np.sqrt((whole * whole).sum()))
    best = float((b @ whole).max()) / size if size else 0.0
    return round(best, 3), round(float((b @ a.T).max()), 3)


def _rows(tokens: TokenVectors, at: list[int]) -> Any:
    import numpy as np

    rows = np.asarray(tokens.matrix, dtype=np.float64)[at]
    return rows / np.maximum(np.sqrt((rows * rows).sum(axis=1, keepdims=True)), 1e-9)


def _piece(text: str, tokens: TokenVectors, at: int) -> str:
    start, end = tokens.spans[at]
    return text[start:end].strip().lower()


def _named(text: str, tokens: TokenVectors, policy: Policy) -> list[int]:
    """Tokens that name something: not the small words."""
    found = []
    for n in range(min(len(tokens.spans), 200)):
        piece = _piece(text, tokens, n)
        if len(piece) > (2 if piece.isascii() and not piece.isdigit() else 0) and _terms(piece, policy):
            found.append(n)
    return found


def _shared(held: Held, news: News, policy: Policy) -> Iterator[float]:
    """Words of the value and words around it that the message has too."""
    said = _terms(news.text, policy)
    value = _terms(held.value, policy)
    around = _terms(held.text, policy) - value
    yield _share(value, said)
    yield float(bool(value) and value <= said)
    yield float(bool(value & said))
    yield _share(around, said)
    yield float(bool(around & said))
    yield _share(said, value | around)
    yield min(len(said), 30) / 30
    yield from (float(x) for x in likeness(held.text, news.text, policy))
    guard = clash(held.text, news.text, policy)
    yield from (float(guard == kind) for kind in ("polarity", "antonym", "entity"))
    new_digits = bool(_DIGIT.search(news.text))
    old_digits = bool(_DIGIT.search(held.value))
    yield float(new_digits)
    yield float(old_digits)
    yield float(new_digits and old_digits and not _numbers(held.value) & _numbers(news.text))
    old_names, new_names = set(_NAME.findall(held.text)), set(_NAME.findall(news.text))
    yield float(bool(old_names))
    yield float(bool(new_names - old_names))
    yield float(bool(new_names & old_names))


def _stated(held: Held, news: News, policy: Policy) -> Iterator[float]:
    """What the message states of the same person, of the same side of their life, and how that stands."""
    own = [s for s in news.statements if s.subject == held.subject]
    other = [s for s in news.statements if s.subject != held.subject]
    same = [s for s in own if s.attribute == held.attribute]
    group = row_of(held.attribute, policy).group
    beside = [s for s in own if s not in same and row_of(s.attribute, policy).group == group]
    value = _terms(held.value, policy)
    equal = [s for s in same if value and value == _terms(s.value, policy)]
    yield float(bool(news.statements))
    yield float(bool(same))
    yield float(bool(beside))
    yield float(bool(own) and not same and not beside)
    yield float(bool(other))
    yield float(bool([s for s in other if s.attribute == held.attribute]))
    yield float(bool(equal))
    yield float(bool(same) and not equal)
    for status in Status:
        yield float(any(s.status is status for s in same))
    for status in (Status.ENDED, Status.NOT, Status.PAST, Status.FUTURE):
        yield float(any(s.status is status for s in own))
    naming = [s for s in news.statements if value & _terms(s.value, policy)]
    yield float(any(s.status is Status.ENDED for s in naming))
    yield float(any(s.status is Status.NOT for s in naming))
    row = row_of(held.attribute, policy)
    yield float(row.many)
    yield float(row.timeless)
    yield float(bool(same) and not row.many)
    yield float(bool(same) and row.many)
    yield float(held.subject == SELF)
    people = {m.subject for m in mentions(news.text, policy.reader)}
    yield float(bool(people))
    yield float(held.subject in people)
    yield float(bool(people - {held.subject}))
    yield float(held.attribute in policy.checks.exclusive)
    yield float(held.attribute in policy.checks.dated)
    yield from (float(held.attribute == name) for name in policy.changes.attributes)


def _worded(held: Held, news: News, policy: Policy) -> Iterator[float]:
    yield from (float(_says(news.text, kind, policy)) for kind in _SHAPES)
    yield from (float(any(p.act is act for p in news.parts)) for act in _ACTS)
    yield float(all(p.act is Act.STATEMENT for p in news.parts))
    yield float(any(p.negated for p in news.parts))
    yield float(news.language == "ko")
    yield min(len(held.text), 200) / 200
    yield min(len(news.text), 200) / 200


def shared_words(a: str, b: str, policy: Policy) -> int:
    return len(_terms(a, policy) & _terms(b, policy))


def cosine(a: Vector | None, b: Vector | None) -> float:
    if a is None or b is None:
        return 0.0
    import numpy as np

    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    size = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return round(float((x * y).sum()) / size, 4) if size else 0.0


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", normal(text).norm))


@lru_cache(maxsize=4096)
def _terms(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy))


@lru_cache(maxsize=1024)
def _says(text: str, kind: str, policy: Policy) -> bool:
    return any(p.search(text) for p in _shapes(kind, policy))


@lru_cache(maxsize=32)
def _shapes(kind: str, policy: Policy) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(shape.pattern, re.I)
        for words in policy.checks.languages.values()
        for shape in getattr(words, kind).values()
    )
