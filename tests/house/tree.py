"""The repository as the house tests see it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "clew"
PURE = ("model", "policy", "kernel")
_SKIPPED = {"__pycache__", "build", "dist", "node_modules"}
_KEPT = {".ci", ".github", ".gitignore"}


def files(top: Path = ROOT) -> Iterator[Path]:
    """Every file that a clone holds: no virtual environments, caches or scratch."""
    for path in sorted(top.iterdir()):
        if path.name in _SKIPPED or path.name.endswith(".egg-info"):
            continue
        if path.name.startswith(".") and path.name not in _KEPT:
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def modules(*rooms: str) -> list[Path]:
    tops = [PACKAGE / room for room in rooms] if rooms else [PACKAGE]
    return [p for top in tops for p in files(top) if p.suffix == ".py"]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
