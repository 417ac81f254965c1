"""How a longer text is laid out: its lines, and the cells of a status line."""

from __future__ import annotations

import re

from clew.frozen import dataclass

_CELLS = re.compile(r"[\n|;]|,\s|\s{2,}|\s(?=[\w.-]+=)")


@dataclass(frozen=True, slots=True)
class Layout:
    """Neither holds what is blank."""

    lines: tuple[str, ...]
    cells: tuple[str, ...]


def layout(text: str, reach: int) -> Layout:
    """Cells are looked for only in the first `reach` characters."""
    return Layout(
        tuple(line.strip() for line in text.splitlines() if line.strip()),
        tuple(cell for cell in _CELLS.split(text[:reach]) if cell.strip()),
    )
