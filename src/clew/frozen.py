"""`dataclass` of the standard library for frozen values, made in a tenth of the time.

The library writes and compiles six functions for each class; most of what a process does before its first turn is
that. Here only `__init__` is compiled, and only when it is needed; the others are the same for all classes. What a
class can do is the same.
Anything but a frozen class goes to the library as it is.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from copy import copy
from inspect import get_annotations
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
# Written as a text: what is no field, or a field of another kind.
_SPECIAL = re.compile(r"\b(?:ClassVar|InitVar|KW_ONLY)\b")


@dataclasses.dataclass(init=False, repr=False, eq=False)
class _Like:
    """Made by the library: how it marks its classes and their fields."""

    a: int


_LIKE: Any = _Like
_LIKE.__dataclass_params__.frozen = True
_ORDINARY = _LIKE.__dataclass_fields__["a"]._field_type


def _made(cls: type, **how: Any) -> Any:
    known = _fields(cls) if how.get("frozen") and _PLAIN.issuperset(how) else None
    if known is None:
        return dataclasses.dataclass(**how)(cls)
    defines_hash = cls.__dict__.get("__hash__") is not None
    fields = [f for f in known.values() if f._field_type is _ORDINARY]  # type: ignore[attr-defined]
    names = tuple(f.name for f in fields)
    made: Any = cls
    made.__dataclass_fields__ = known
    made.__dataclass_params__ = copy(_LIKE.__dataclass_params__)
    if "__match_args__" not in made.__dict__:
        setattr(made, "__match_args__", tuple(f.name for f in fields if f.init and not f.kw_only))  # noqa: B010
    if "__init__" not in made.__dict__:
        made.__init__ = _Init(made)
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


def _fields(cls: Any) -> dict[str, dataclasses.Field[Any]] | None:
    """The fields in their order, those of its bases first; None where only the library knows what to do, or to say."""
    out: dict[str, dataclasses.Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        if "__dataclass_fields__" in base.__dict__:
            if not base.__dataclass_params__.frozen:
                return None
            out |= base.__dataclass_fields__
    own: dict[str, Any] = {}
    for name, kind in get_annotations(cls).items():
        given = cls.__dict__.get(name, _NONE)
        field: Any = given if isinstance(given, dataclasses.Field) else dataclasses.field(default=given)
        if not isinstance(kind, str) or _SPECIAL.search(kind) or type(field.default).__hash__ is None:
            return None
        field.kw_only = field.kw_only is True
        own[name] = out[name] = field
    taken = [f for f in out.values() if f.init and not f.kw_only]
    optional = [f.default is not _NONE or f.default_factory is not _NONE for f in taken]
    if optional != sorted(optional):
        return None
    for name, field in own.items():
        field.name, field.type, field._field_type = name, cls.__annotations__[name], _ORDINARY
        if field.default is not _NONE:
            setattr(cls, name, field.default)
        elif name in cls.__dict__:
            delattr(cls, name)
    return out


class _Init:
    """Stands for `__init__` until the first value is made, or somebody looks: most classes of a process make none."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __set_name__(self, owner: Any, name: str) -> None:
        self.owner = owner

    def __get__(self, held: Any, cls: Any = None) -> Any:
        fields = {f.name: f for f in dataclasses.fields(self.owner)}
        self.owner.__init__ = made = _init(self.owner, fields)
        return made.__get__(held, cls)


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
    """The same class with a place for each field of its own instead of a dictionary."""
    body = {k: v for k, v in cls.__dict__.items() if k not in (*names, "__dict__", "__weakref__")}
    above = {name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    own = tuple(name for name in names if name not in above)
    made = type(cls)(cls.__name__, cls.__bases__, {**body, "__slots__": own})
    made.__qualname__ = cls.__qualname__
    made.__getstate__, made.__setstate__ = _state, _set_state
    return made


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
