"""Stored values as typed fields: how one column, or one entry of a stored tree, becomes a field of a noun."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def from_row(kind: type[T], row: Mapping[str, Any]) -> T:
    """What stands under a field's name, or under the `key` that its metadata names."""
    return kind(**{name: read(row[key]) for key, name, read in readers(kind) if key in row})  # type: ignore[arg-type]


def _same(value: Any) -> Any:
    return value


def _parsed(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


@cache
def readers(kind: type) -> tuple[tuple[str, str, Callable[[Any], Any]], ...]:
    hints = get_type_hints(kind)
    return tuple((f.metadata.get("key", f.name), f.name, _reader(hints[f.name])) for f in fields(kind))


def _reader(hint: Any) -> Callable[[Any], Any]:
    """How one column becomes one field; decided once per type, not once per row."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        inner = _reader(next(a for a in get_args(hint) if a is not NoneType))
        return lambda value: None if value is None else inner(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if hint is datetime:
        return datetime.fromisoformat
    if hint is Decimal:
        return lambda value: Decimal(str(value))
    if hint is bool:
        return bool
    if origin is tuple:
        item = _reader(get_args(hint)[0])
        return lambda value: tuple(item(v) for v in _parsed(value)) if value != "[]" else ()
    if origin is not None and issubclass(origin, Mapping):
        return _parsed
    if is_dataclass(hint) and isinstance(hint, type):
        nested = hint
        return lambda value: from_row(nested, _parsed(value))
    return _same
