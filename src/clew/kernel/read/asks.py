"""What of the user's own life a message asks for, or needs to be answered well (ruling M10; weights are policy).

A small linear reader over the text's vector and its words says what is asked; rules say of whom.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import Any
from zlib import crc32

from clew.kernel.statements.features import Mention, mentions
from clew.model.utterance import Act, Ask, Sentence
from clew.policy import Policy
from clew.policy.reader import ReaderPolicy, weights

BUCKETS = 1 << 13
ANY, WHO = "any", "who"
_SOMEONE = "person:any"
_GRID = 1 << 14
_LIMIT = 4.0
_DECIMALS = 4
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[?!]")
_HANGUL = re.compile("[\uac00-\ud7a3]")


def pieces(text: str) -> tuple[int, ...]:
    """Buckets of the words, their pairs and triples, and of runs of letters; each once."""
    found: dict[int, None] = {}
    words = [w.lower().replace("’", "'") for w in _WORD.findall(text)][:80]
    for piece in _pieces(["^", *words, "$"]):
        found[crc32(piece.encode("utf-8", "replace")) % BUCKETS] = None
    return tuple(found)


def _pieces(words: Sequence[str]) -> Iterator[str]:
    for i, word in enumerate(words):
        yield "=" + word
        if i:
            yield f"{words[i - 1]}_{word}"
        if i > 1:
            yield f"{words[i - 2]}_{words[i - 1]}_{word}"
        edged = f"<{word[:24]}>"
        for size in (2, 3, 4):
            for k in range(len(edged) - size + 1):
                yield edged[k : k + size]


@lru_cache(maxsize=4)
def _loaded(name: str, sha256: str) -> Mapping[str, Any] | None:
    import numpy as np

    arrays = weights(name, sha256)
    if arrays is None:
        return None
    keep = ("names", "words")
    return {key: value if key in keep else value.astype(np.float64) for key, value in arrays.items()}


def scores(text: str, vector: Sequence[float], policy: ReaderPolicy) -> dict[str, float]:
    """Chance of each attribute to be asked for; under "" that anything is. Sums of whole numbers, in any order."""
    import numpy as np

    w = _loaded(policy.asks, policy.asks_sha256)
    if w is None:
        return {}
    found = list(pieces(text))
    held = np.rint(np.clip(np.asarray(vector, dtype=np.float64), -_LIMIT, _LIMIT) * _GRID)
    said = w["words"][found].sum(axis=0, dtype=np.int64) * (w["words_s"] / sqrt(max(1, len(found))))
    total = (held @ w["vector"]) * (w["vector_s"] / _GRID) + said + w["bias"]
    chances = np.round(1 / (1 + np.exp(-total)), _DECIMALS).tolist()
    return dict(zip(w["names"].tolist(), chances, strict=True))


def read_asks(
    text: str, language: str, sentences: Sequence[Sentence], vector: Sequence[float] | None, policy: Policy
) -> tuple[Ask, ...]:
    """The surest first. Nothing for a question of the world, a request that needs no memory, a statement."""
    table = policy.reader
    if vector is None or not any(vector):
        return ()
    chances = scores(text, vector, table)
    asked = chances.pop("", 0.0)
    if asked < _mark(text, sentences, table):
        return ()
    found = mentions(text, table)
    subject, name = _whom(text, found, table)
    best = sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    chosen = [(a, c) for a, c in best if c >= table.ask_attribute_at][: table.asks_max]
    if not chosen:
        # Something is asked, and nothing plainly: the likeliest alone.
        chosen = best[:1]
    if chosen and chosen[0][0] == WHO and name and subject == "self":
        subject = _SOMEONE
    return tuple(Ask(subject, a, name, round(asked * max(c, 0.5), _DECIMALS)) for a, c in chosen)


def _mark(text: str, sentences: Sequence[Sentence], policy: ReaderPolicy) -> float:
    asking = any(s.act in (Act.QUESTION, Act.REQUEST) for s in sentences) or "?" in text
    return policy.ask_at if asking else policy.ask_at_stated


def _whom(text: str, found: Sequence[Mention], policy: ReaderPolicy) -> tuple[str, str | None]:
    """The person or pet that is asked about; a bare pronoun is left to whoever knows what was said before."""
    name = _name(text, policy)
    if found:
        return found[0].subject, name
    low = f" {text.lower()} "
    for word, subject in policy.pronouns.items():
        if f" {word} " in re.sub(r"[^\w']+", " ", low):
            return subject, name
    return (_SOMEONE if name else "self"), name


def _name(text: str, policy: ReaderPolicy) -> str | None:
    """A capitalised word inside the question that is no ordinary word; in Korean a word before a particle of naming."""
    for m in re.finditer(r"(?<![.!?\w'’] )(?<!^)(?<!\w)([A-Z][a-zà-ÿ]+(?:[-'][A-Z][a-z]+)?)(?:['’]s)?(?!\w)", text):
        if m.start() and m.group(1).lower() not in policy.not_names:
            return m.group(1)
    for shape in _names_ko(policy):
        if (found := shape.search(text)) and found.group(1) not in policy.not_names:
            return found.group(1)
    return None


@lru_cache(maxsize=4)
def _names_ko(policy: ReaderPolicy) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"(?<![가-힣])([가-힣]{{2,3}}){tail}") for tail in policy.name_tails_ko)
