"""An embedder made of any callable: texts in, vectors of one length out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from clew.errors import InvalidInput


class CallableEmbedder:
    """`name` tells its space apart from others; the length is learned from the first answer."""

    def __init__(self, function: Callable[[Sequence[str]], Any], name: str | None = None) -> None:
        self._function = function
        self._name = name or getattr(function, "__qualname__", type(function).__name__)
        self._dimensions: int | None = None

    @property
    def space(self) -> str:
        return f"callable/{self._name}/{self.dimensions}"

    @property
    def dimensions(self) -> int:
        if self._dimensions is None:
            self.embed(["a"])
        assert self._dimensions is not None
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        rows = [[float(x) for x in row] for row in self._function(list(texts))]
        sizes = {len(row) for row in rows} | ({self._dimensions} if self._dimensions else set())
        if len(rows) != len(texts) or len(sizes) > 1 or not all(math.isfinite(x) for row in rows for x in row):
            raise InvalidInput(
                f"the embedder gave {len(rows)} rows of {sorted(s for s in sizes if s)} numbers "
                f"for {len(texts)} texts",
                pointer="/embedder",
            )
        if rows:
            self._dimensions = len(rows[0])
        return [_unit(row) for row in rows]


def _unit(row: list[float]) -> list[float]:
    length = math.sqrt(math.fsum(x * x for x in row))
    return [x / length for x in row] if length else row
