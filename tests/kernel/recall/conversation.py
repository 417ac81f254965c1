"""A small conversation and a toy embedder for the tests of this room."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from clew.kernel.recall.turns import ask, index, rank
from clew.kernel.recall.turns.passages import passages
from clew.model.transcript import Line
from clew.policy import default

POLICY = default()
START = datetime(2023, 5, 1, 10, tzinfo=UTC)


def line(number: int, speaker: str, text: str, day: int | None = 0, id: str | None = None) -> Line:
    at = None if day is None else START + timedelta(days=day, minutes=number)
    return Line(number, speaker, text, at, id)


def said(*pairs: tuple[str, str], day: int | None = 0) -> list[Line]:
    return [line(i, speaker, text, day) for i, (speaker, text) in enumerate(pairs)]


def indexed(lines: Sequence[Line], **more: object) -> index.Index:
    return index.build(lines, [passages(x.text, POLICY.recall) for x in lines], POLICY, **more)


def find(lines: Sequence[Line], query: str, k: int = 10, **more: object) -> tuple[rank.Hit, ...]:
    built = indexed(lines)
    asked = ask.read(query, built.names, built.years, POLICY)
    return rank.search(built, asked, k, POLICY, **more)


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
