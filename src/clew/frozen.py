"""`dataclass` of the standard library for frozen values, made in a third of the time.

The library writes and compiles six functions for each class; most of what a process does before its first turn is
that. Here only `__init__` is compiled; the others are the same for all classes. What a class can do is the same.
Anything but a frozen class of its own goes to the library as it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **how: Any) -> Any:
        if cls is None:
            return lambda given: _made(given, **how)
        return _made(cls, **how)


_NONE = dataclasses.MISSING
_PLAIN = frozenset({"frozen", "slots", "eq"})


def _made(cls: type, **how: Any) -> Any:
    derived = any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:])
    if not how.get("frozen") or derived or not _PLAIN.issuperset(how):
        return dataclasses.dataclass(**how)(cls)
    defines_hash = cls.__dict__.get("__hash__") is not None
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
    made.__dataclass_params__.frozen = True
    fields: dict[str, dataclasses.Field[Any]] = {f.name: f for f in dataclasses.fields(made)}
    names = tuple(fields)
    if "__init__" not in made.__dict__:
        made.__init__ = _init(made, fields)
    if "__repr__" not in made.__dict__:
        made.__repr__ = _repr
    made.__setattr__, made.__delattr__ = _not_set, _not_deleted
    if how.get("eq", True):
        made.__dataclass_params__.eq = True
        values = _values(names)
        if "__eq__" not in made.__dict__:
            made.__eq__ = _eq(values)
        if not defines_hash:
            made.__hash__ = _hash(values)
    return _slotted(made, names) if how.get("slots") else made


def _init(cls: Any, fields: dict[str, dataclasses.Field[Any]]) -> Callable[..., None]:
    known: dict[str, Any] = {"_set": object.__setattr__, "_none": _NONE}
    taken, named = ["self"], list[str]()
    lines: list[str] = []
    for name, field in fields.items():
        value = name
        if field.default_factory is not _NONE:
            known[f"_{name}"] = field.default_factory
            value = f"_{name}() if {name} is _none else {name}" if field.init else f"_{name}()"
        elif field.default is not _NONE:
            known[f"_{name}"] = field.default
            value = name if field.init else f"_{name}"
        elif not field.init:
            continue
        if field.init:
            default = "_none" if field.default_factory is not _NONE else f"_{name}" if f"_{name}" in known else ""
            (named if field.kw_only else taken).append(f"{name}={default}" if default else name)
        lines.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    given = ", ".join([*taken, "*", *named] if named else taken)
    made: dict[str, Any] = {}
    exec(f"def __init__({given}):\n " + "\n ".join(lines or ["pass"]), known, made)
    init: Callable[..., None] = made["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    init.__annotations__ = {n: f.type for n, f in fields.items() if f.init} | {"return": None}
    return init


def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def _not_set(self: Any, name: str, value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _not_deleted(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _values(names: tuple[str, ...]) -> Callable[[Any], Any]:
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda self: (getattr(self, names[0]),)) if names else (lambda self: ())


def _eq(values: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def __eq__(self: Any, other: Any) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _slotted(cls: Any, names: tuple[str, ...]) -> Any:
    """The same class with a place for each field instead of a dictionary."""
    body = {k: v for k, v in cls.__dict__.items() if k not in (*names, "__dict__", "__weakref__")}
    made = type(cls)(cls.__name__, cls.__bases__, {**body, "__slots__": names})
    made.__qualname__ = cls.__qualname__
    made.__getstate__, made.__setstate__ = _state, _set_state
    return made


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
