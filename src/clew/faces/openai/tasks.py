"""Background tasks: what a chat program asks for itself, told apart from what its user says."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

_WORDS = 6


@cache
def _table() -> dict[str, list[str]]:
    text = resources.files("clew.faces.openai").joinpath("tasks.toml").read_text(encoding="utf-8")
    return {name: [_folded(x) for x in rows] for name, rows in tomllib.loads(text).items()}


def is_task(last: str, system: str, generation: str | None, task: str | None) -> bool:
    """`generation` and `task` are what the client says of itself, if it does."""
    if task is not None:
        return task.strip().lower() not in ("", "0", "false", "no", "none")
    if generation is not None and generation.strip().lower() in _table()["generations"]:
        return True
    told, rules = _folded(last), _folded(system)
    if any(told.startswith(p) for p in _table()["prefixes"]):
        return True
    return any(word in rules for word in _table()["system"])


def title(messages: list[dict[str, Any]]) -> str:
    """Without a model: the first words of what the task is about."""
    text = str(messages[-1]["content"]) if messages else ""
    lines = [x.strip() for x in text.splitlines()]
    said = [x.partition(":")[2] for x in lines if x.lower().startswith(("user:", "human:"))]
    words = (said[0] if said else lines[-1] if lines else "").split()
    return " ".join(words[:_WORDS]) or "Conversation"


def _folded(text: str) -> str:
    return " ".join(text.lower().split())
