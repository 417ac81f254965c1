"""A small conversation and a toy embedder for the tests of this room."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from clew.kernel.read.inquiry import inquiry
from clew.kernel.recall.turns import ask, entries, index, rank, score, view
from clew.model.transcript import Line
from clew.policy import Policy, default

POLICY = default()
START = datetime(2023, 5, 1, 10, tzinfo=UTC)


def line(number: int, speaker: str, text: str, day: int | None = 0, id: str | None = None) -> Line:
    at = None if day is None else START + timedelta(days=day, minutes=number)
    return Line(number, speaker, text, at, id)


def said(*pairs: tuple[str, str], day: int | None = 0) -> list[Line]:
    return [line(i, speaker, text, day) for i, (speaker, text) in enumerate(pairs)]


def indexed(
    lines: Sequence[Line], vectors: object = None, words: object = None, policy: Policy = POLICY
) -> index.Index:
    """`vectors` has one row per passage; `words` maps words to vectors."""
    speakers = list(dict.fromkeys(x.speaker for x in lines))
    numbers = {speaker: i for i, speaker in enumerate(speakers)}
    reading = entries.read(list(enumerate(lines)), None, numbers, POLICY)
    run = reading.run if vectors is None else entries.with_vectors(reading.run, vectors, None)
    built = index.extended(index.empty(POLICY), [run], speakers, POLICY)
    if words is None:
        return built
    width = len(next(iter(words.values())))
    zero = np.zeros(width, np.float32)
    named = {number: words.get(word, zero) for number, (_, word) in reading.words.items()}
    return index.with_words(
        built,
        lambda terms: (np.stack([named[int(t)] for t in terms]), np.ones(len(terms), np.float32)),
        policy.recall.word_first,
    )


def parts(built: index.Index, asked: ask.Ask, policy: Policy = POLICY, **more: object) -> dict[str, object]:
    return score.parts(built, view.gather(built, asked, policy), asked, policy, **more)


def search(
    built: index.Index,
    lines: Sequence[Line],
    asked: ask.Ask,
    k: int,
    policy: Policy = POLICY,
    budget: int | None = None,
    **more: object,
) -> tuple[rank.Hit, ...]:
    first = rank.leading(built, view.gather(built, asked, policy), asked, k, policy)
    hits = rank.settled(built, asked, first, dict(enumerate(lines)), k, policy, **more)
    return hits if budget is None else rank.afforded(hits, budget, policy)


def find(lines: Sequence[Line], query: str, k: int = 10, **more: object) -> tuple[rank.Hit, ...]:
    built = indexed(lines)
    asked = ask.against(inquiry(query, POLICY), built.names, built.years, POLICY)
    return search(built, lines, asked, k, **more)


def found(lines: Sequence[Line], query: str, k: int = 10) -> list[int]:
    return [hit.line.index for hit in find(lines, query, k)]


class Toy:
    """Counts letters: the same text, the same vector; no meaning at all."""

    def __init__(self, space: str = "toy/1", dimensions: int = 26) -> None:
        self.space = space
        self.dimensions = dimensions
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.seen.extend(texts)
        out = []
        for text in texts:
            row = np.zeros(self.dimensions)
            for c in text.lower():
                if c.isalpha():
                    row[ord(c) % self.dimensions] += 1
            size = float(np.linalg.norm(row))
            out.append([float(x) / size if size else 0.0 for x in row])
        return out
