"""The picture of the turn is the turn: every step of the walk stands in ARCHITECTURE.md, in order."""

from __future__ import annotations

import ast
import re

from tests.house.tree import PACKAGE, ROOT, parsed

TURN = PACKAGE / "engine" / "turn.py"
# Where the walk leaves early; in the picture they hang beside the line.
BESIDE = ("turned_away",)
WRAPPING = ("kept_on_failure", "isinstance")


def steps() -> list[str]:
    """The rooms that `walk` calls, in order."""
    walk = next(n for n in parsed(TURN).body if isinstance(n, ast.FunctionDef) and n.name == "walk")
    called = [
        (n.lineno, n.col_offset, n.func.id)
        for n in ast.walk(walk)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id not in WRAPPING
    ]
    return [name for _, _, name in sorted(called)]


def picture() -> str:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return re.search(r"## The turn as one picture\n+```\n(.*?)```", text, re.S)[1]  # type: ignore[index]


def test_every_step_of_the_walk_is_drawn_in_order() -> None:
    drawn = re.findall(r"^   ([a-z_]+) ", picture(), re.M)
    assert drawn == [s for s in steps() if s not in BESIDE]
    assert all(s in picture() for s in BESIDE)


def test_the_walk_fits_on_one_screen() -> None:
    walk = next(n for n in parsed(TURN).body if isinstance(n, ast.FunctionDef) and n.name == "walk")
    assert (walk.end_lineno or 0) - walk.lineno < 40
