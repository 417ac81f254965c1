"""From a TOML table to a frozen dataclass, checking every field on the way.

A room's table starts from the defaults in its class, then the shipped words in
``data/<room>.toml``, then the user's file. Later layers win field by field.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from clew.errors import InvalidPolicy
from clew.policy.rows import Pattern

T = TypeVar("T")


def shipped(room: str) -> dict[str, Any]:
    """The words that come with the package, or nothing for a room of numbers only.

    A long table has its own file: ``<room>.<part>.toml`` is the room's table ``part``.
    Words of one language stand in its folder: ``<language>/<room>.toml`` and its parts become ``languages.<language>``,
    and what it lends to tables that all languages share stands in ``<language>/shared/``, named as the shared file is.
    """
    folder = resources.files("clew.policy").joinpath("data")
    table = _room(folder, room)
    for spoken in sorted((f for f in folder.iterdir() if f.is_dir()), key=lambda f: f.name):
        if spoken.joinpath("shared").is_dir():
            table = joined(table, _room(spoken.joinpath("shared"), room))
        if own := _room(spoken, room):
            languages = table.setdefault("languages", {})
            languages[spoken.name] = _merge(languages.get(spoken.name, {}), own)
    return table


def _room(folder: Traversable, room: str) -> dict[str, Any]:
    """A room's table in one folder, with its parts."""
    source = folder.joinpath(f"{room}.toml")
    table = tomllib.loads(source.read_text(encoding="utf-8")) if source.is_file() else {}
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.startswith(f"{room}.") and file.name.endswith(".toml") and file.name != source.name:
            part = file.name.removeprefix(f"{room}.").removesuffix(".toml")
            table[part] = _merge(table.get(part, {}), tomllib.loads(file.read_text(encoding="utf-8")))
    return table


def joined(ours: Mapping[str, Any], lent: Mapping[str, Any]) -> dict[str, Any]:
    """A shared table with what one language lends to it: lists grow, rows are added, alternatives of a pattern too."""
    out = dict(ours)
    for key, value in lent.items():
        known = out.get(key)
        if known is None:
            out[key] = value
        elif isinstance(known, Mapping) and isinstance(value, Mapping):
            out[key] = joined(known, value)
        elif isinstance(known, list) and isinstance(value, list):
            out[key] = [*known, *value]
        elif isinstance(known, str) and isinstance(value, str):
            out[key] = f"{known}{'|' if key == 'pattern' else ' '}{value}"
        else:
            raise InvalidPolicy(f"{key} is given by two languages", pointer=f"/{key}")
    return out


def read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as why:
        raise InvalidPolicy(f"policy file {path}: {why.strerror or why}", pointer="/") from None
    except UnicodeDecodeError as why:
        raise InvalidPolicy(f"policy file {path}: not UTF-8 at byte {why.start}", pointer="/") from None
    except tomllib.TOMLDecodeError as why:
        raise InvalidPolicy(f"policy file {path}: {why}", pointer="/") from None


def build(kind: type[T], layers: list[Mapping[str, Any]], pointer: str) -> T:
    merged: dict[str, Any] = {}
    for layer in layers:
        if not isinstance(layer, Mapping):
            raise InvalidPolicy(f"{pointer} must be a table", pointer=pointer)
        merged = _merge(merged, layer)
    return _dataclass(kind, merged, pointer)


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(below)
    for key, value in above.items():
        if isinstance(value, Mapping) and isinstance(out.get(key), Mapping):
            out[key] = _merge(out[key], value)
        else:
            out[key] = value
    return out


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _dataclass(kind: type[T], data: Mapping[str, Any], pointer: str) -> T:
    if not isinstance(data, Mapping):
        raise InvalidPolicy(f"{pointer} must be a table", pointer=pointer)
    known = {f.name: f for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for name in data:
        if name not in known:
            raise InvalidPolicy(
                f"unknown setting {name!r}; known: {', '.join(known)}", pointer=f"{pointer}/{name}"
            )
    hints = _hints(kind)  # type: ignore[arg-type]
    values = {name: _convert(hints[name], value, f"{pointer}/{name}") for name, value in data.items()}
    for name, spec in known.items():
        missing = spec.default is dataclasses.MISSING and spec.default_factory is dataclasses.MISSING
        if name not in values and missing:
            raise InvalidPolicy(f"{name} is required", pointer=f"{pointer}/{name}")
    try:
        return kind(**values)
    except ValueError as why:
        raise InvalidPolicy(f"{pointer}: {why}", pointer=pointer) from None


def _convert(hint: Any, value: Any, pointer: str) -> Any:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        options = [a for a in get_args(hint) if a is not NoneType]
        return _convert(options[0], value, pointer)
    if dataclasses.is_dataclass(hint):
        return _dataclass(hint, value, pointer)  # type: ignore[arg-type]
    if isinstance(hint, type) and issubclass(hint, Pattern):
        return _pattern(hint, value, pointer)
    if origin is tuple:
        items = get_args(hint)
        if isinstance(items[0], type) and issubclass(items[0], Pattern):
            return _patterns(items[0], value, pointer)
        return _tuple(items, value, pointer)
    if origin is frozenset:
        return frozenset(_tuple((get_args(hint)[0], ...), value, pointer))
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            raise InvalidPolicy(f"{pointer} must be a table", pointer=pointer)
        key_hint, item_hint = get_args(hint)
        return MappingProxyType(
            {
                _convert(key_hint, k, f"{pointer}/{k}"): _convert(item_hint, v, f"{pointer}/{k}")
                for k, v in value.items()
            }
        )
    return _scalar(hint, value, pointer)


def _patterns(kind: type[Pattern], value: Any, pointer: str) -> tuple[Pattern, ...]:
    """Named rows, in their order; a user's row of the same name takes the place of ours."""
    if not isinstance(value, Mapping):
        raise InvalidPolicy(f"{pointer} must be a table of named rows with a pattern", pointer=pointer)
    return tuple(_pattern(kind, row, f"{pointer}/{name}", name) for name, row in value.items())


def _pattern(kind: type[Pattern], value: Any, pointer: str, name: str = "") -> Pattern:
    if not isinstance(value, Mapping):
        raise InvalidPolicy(f"{pointer} must be a row with pattern, says and not_says", pointer=pointer)
    for setting in value:
        if setting not in _ROW:
            known = ", ".join(_ROW)
            raise InvalidPolicy(f"unknown setting {setting!r}; known: {known}", pointer=f"{pointer}/{setting}")
    for setting in ("pattern", "says", "not_says"):
        if setting not in value:
            raise InvalidPolicy(f"{setting} is required", pointer=f"{pointer}/{setting}")
    given = {key: _convert(_ROW[key], item, f"{pointer}/{key}") for key, item in value.items()}
    return kind(name=name, **given)


_ROW: Mapping[str, Any] = {
    "pattern": str,
    "says": tuple[str, ...],
    "not_says": tuple[str, ...],
    "holes": Mapping[str, str],
}


def _tuple(args: tuple[Any, ...], value: Any, pointer: str) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise InvalidPolicy(f"{pointer} must be a list", pointer=pointer)
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_convert(args[0], v, f"{pointer}/{i}") for i, v in enumerate(value))
    if len(args) != len(value):
        raise InvalidPolicy(f"{pointer} needs {len(args)} items, has {len(value)}", pointer=pointer)
    return tuple(_convert(a, v, f"{pointer}/{i}") for i, (a, v) in enumerate(zip(args, value, strict=True)))


def _scalar(hint: Any, value: Any, pointer: str) -> Any:
    if hint is Any:
        return value
    if hint is Fraction:
        return _fraction(value, pointer)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(value)
        except ValueError:
            known = ", ".join(str(m.value) for m in hint)
            raise InvalidPolicy(f"{pointer} must be one of {known}", pointer=pointer) from None
    if isinstance(hint, type) and (
        not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool)
    ):
        raise InvalidPolicy(f"{pointer} must be {hint.__name__}, got {type(value).__name__}", pointer=pointer)
    return value


def _fraction(value: Any, pointer: str) -> Fraction:
    """Exact thresholds: 0.58 in a file means 58/100, never the nearest float."""
    try:
        return Fraction(str(value)) if isinstance(value, (int, float, str, Fraction)) else _bad(pointer)
    except (ValueError, ZeroDivisionError):
        return _bad(pointer)


def _bad(pointer: str) -> Fraction:
    raise InvalidPolicy(f'{pointer} must be a number or "n/d"', pointer=pointer)
