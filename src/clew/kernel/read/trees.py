"""Many small learned trees whose leaves add up to a chance.

Features are whole thousandths and leaves whole ten-thousandths, so that the same row gives the same bytes on every
machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp
from typing import Any

LEAF = 10_000
UNIT = 1000


class Trees:
    """Nodes of all trees in one row: left and right say where to go on; a leaf points at itself."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        import numpy as np

        self.feature, self.at = arrays["feature"].astype(np.int64), arrays["at"].astype(np.int64)
        self.left, self.right = arrays["left"].astype(np.int64), arrays["right"].astype(np.int64)
        self.leaf, self.roots = arrays["leaf"].astype(np.int64), arrays["roots"].astype(np.int64)
        self.bias, self.depth = int(arrays["bias"]), int(arrays["depth"])

    def chances(self, rows: Any) -> tuple[float, ...]:
        """One for each row of features."""
        return chances_of(self.sums(rows))

    def sums(self, rows: Any) -> list[int]:
        import numpy as np

        place = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        line = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            below = rows[line, self.feature[place]] <= self.at[place]
            place = np.where(below, self.left[place], self.right[place])
        return [int(total) + self.bias for total in self.leaf[place].sum(axis=1)]


def chances_of(sums: Iterable[int]) -> tuple[float, ...]:
    """What the sums of `Trees.sums` say."""
    return tuple(round(1 / (1 + exp(-total / LEAF)), 4) for total in sums)
