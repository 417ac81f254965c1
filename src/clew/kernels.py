"""The kernel door as Python functions, with the field names of the JSON door.

Every function takes the object's fields as keywords and returns the answer as a dict.
`call(name, object)` is the same by name.
"""

from __future__ import annotations

from typing import Any

from clew.kernel.door import DOORS, call

NAMES = tuple(DOORS)


def _ask(name: str, fields: dict[str, Any]) -> dict[str, Any]:
    mode = fields.pop("mode", "repair")
    policy = fields.pop("policy", None)
    given = {k.rstrip("_"): v for k, v in fields.items() if v is not None}
    return call(name, given, mode=mode, policy=policy)


def read(text: str, previous: list[str] | None = None, **more: Any) -> dict[str, Any]:
    """What a message is: normal forms, topics, flags, emotion, safety."""
    return _ask("read", {"text": text, "previous": previous, **more})


def similar(a: str, b: str, as_: str, **more: Any) -> dict[str, Any]:
    """Are two texts the same thing, by the measure of their kind?"""
    return _ask("similar", {"a": a, "b": b, "as_": as_, **more})


def __getattr__(name: str) -> Any:
    if name in DOORS:
        return lambda **fields: _ask(name, fields)
    raise AttributeError(f"no kernel named {name!r}; known: {', '.join(sorted(DOORS))}")


__all__ = ["NAMES", "call", "read", "similar"]
