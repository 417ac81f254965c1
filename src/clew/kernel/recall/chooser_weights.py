"""The chooser's weights: trees, and two projections that bring a question near what answers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.kernel.read.trees import Trees

# What a file of weights holds of its trees; a language's own have its name behind each.
_TREES = ("feature", "at", "left", "right", "leaf", "roots", "bias", "depth")
_GRID = 1 << 14


def grid(vector: Sequence[float]) -> Any:
    """Rounds to whole numbers, whose sum is the same in any order of adding."""
    import numpy as np

    return np.rint(np.asarray(vector, dtype=np.float64) * _GRID)


def cosines(asked: Any, own: Any) -> Any:
    import numpy as np

    sizes = np.sqrt((own * own).sum(axis=1) * (asked * asked).sum())
    return np.round(np.divide(own @ asked, sizes, out=np.zeros(len(own)), where=sizes > 0), 3)


class Fitting(Trees):
    """The trees, and two projections that bring a question near what answers it."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        import numpy as np

        super().__init__(arrays)
        ends = {name.partition("_")[2] for name in arrays if "_" in name}
        self.languages = {end: Trees({n: arrays[f"{n}_{end}"] for n in _TREES}) for end in sorted(ends)}
        self.question, self.answer = arrays["question"].astype(np.float64), arrays["answer"].astype(np.float64)

    def of(self, language: str) -> Trees:
        """The language's own trees, where it has any."""
        return self.languages.get(language, self)

    def fits(self, asked: Any, own: Any) -> Any:
        import numpy as np

        return cosines(np.rint(asked @ self.question / _GRID), np.rint(own @ self.answer / _GRID))
