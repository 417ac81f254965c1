"""Reading a JSON object field by field, so that every complaint names the field.

Kernels get frozen values; this is the one place where loose objects are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from clew.errors import InvalidInput

T = TypeVar("T")
E = TypeVar("E", bound=Enum)
_ABSENT: Any = object()
_ROW_MOST = 1 << 63


def parse_time(text: str, pointer: str, *, far: bool = False) -> datetime:
    """`far` allows the ends of the calendar in UTC, for a moment that is only compared."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"not an ISO 8601 time: {text[:60]!r}", pointer=pointer) from None
    if moment.tzinfo is None:
        raise InvalidInput(f"time needs an offset: {text[:60]!r}", pointer=pointer)
    # A year of room at both ends, so that no zone and no window falls off the calendar.
    near = datetime.min.year < moment.year < datetime.max.year
    if not near and not (far and moment.utcoffset() == timedelta(0)):
        raise InvalidInput(f"time is too far away: {text[:60]!r}", pointer=pointer)
    return moment


def parse_zone(name: str, pointer: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise InvalidInput(f"not an IANA time zone: {name[:60]!r}", pointer=pointer) from None


def is_text(value: str) -> bool:
    """False for a lone surrogate: JSON can write one, UTF-8 cannot."""
    if value.isascii():
        return True
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class Fields:
    """One JSON object and where it stands in the document."""

    __slots__ = ("data", "pointer")

    def __init__(self, data: Any, pointer: str = "") -> None:
        if not isinstance(data, Mapping):
            raise InvalidInput(f"expected an object, got {_kind(data)}", pointer=pointer or "/")
        self.data = data
        self.pointer = pointer

    def at(self, name: str) -> str:
        return f"{self.pointer}/{name.replace('~', '~0').replace('/', '~1')}"

    def has(self, name: str) -> bool:
        return self.data.get(name) is not None

    def raw(self, name: str, default: Any = _ABSENT) -> Any:
        value = self.data.get(name)
        if value is None:
            if default is _ABSENT:
                raise InvalidInput(f"{name} is required", pointer=self.at(name))
            return default
        return value

    def _typed(self, name: str, kinds: type | tuple[type, ...], word: str, default: Any) -> Any:
        value = self.raw(name, default)
        if value is default and default is not _ABSENT:
            return value
        if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
            raise InvalidInput(f"{name} must be {word}, got {_kind(value)}", pointer=self.at(name))
        return value

    def text(self, name: str, default: Any = _ABSENT) -> Any:
        value = self._typed(name, str, "a string", default)
        if isinstance(value, str) and not is_text(value):
            message = f"{name} holds a lone surrogate, which is not text"
            raise InvalidInput(message, pointer=self.at(name))
        return value

    def id(self, name: str, default: Any = _ABSENT) -> Any:
        value = self.text(name, default)
        if value == "":
            raise InvalidInput(f"{name} must not be empty", pointer=self.at(name))
        return value

    def flag(self, name: str, default: Any = _ABSENT) -> Any:
        return self._typed(name, bool, "true or false", default)

    def integer(self, name: str, default: Any = _ABSENT) -> Any:
        return self._typed(name, int, "an integer", default)

    def row_number(self, name: str, default: Any = _ABSENT) -> Any:
        """An integer that a database can hold."""
        value = self.integer(name, default)
        if isinstance(value, int) and not -_ROW_MOST <= value < _ROW_MOST:
            raise InvalidInput(f"{name} must be between -2^63 and 2^63", pointer=self.at(name))
        return value

    def number(self, name: str, default: Any = _ABSENT) -> Any:
        value = self._typed(name, (int, float), "a number", default)
        if isinstance(value, float) and not (-1e308 < value < 1e308):
            raise InvalidInput(f"{name} must be a finite number", pointer=self.at(name))
        return value

    def time(self, name: str, default: Any = _ABSENT) -> Any:
        value = self.text(name, default)
        return parse_time(value, self.at(name)) if isinstance(value, str) else value

    def far_time(self, name: str, default: Any = _ABSENT) -> Any:
        """A moment that may be the last of all times: muted for ever (ruling P99)."""
        value = self.text(name, default)
        return parse_time(value, self.at(name), far=True) if isinstance(value, str) else value

    def zone(self, name: str, default: Any = _ABSENT) -> Any:
        value = self.text(name, default)
        return parse_zone(value, self.at(name)) if isinstance(value, str) else value

    def enum(self, name: str, kind: type[E], default: Any = _ABSENT) -> Any:
        value = self.text(name, default)
        if not isinstance(value, str) or isinstance(value, Enum):
            return value
        try:
            return kind(value)
        except ValueError:
            known = ", ".join(m.value for m in kind)
            message = f"{name} must be one of {known}; got {value[:60]!r}"
            raise InvalidInput(message, pointer=self.at(name)) from None

    def choice(self, name: str, allowed: tuple[str, ...], default: Any = _ABSENT) -> Any:
        value = self.text(name, default)
        if value is not default and value not in allowed:
            message = f"{name} must be one of {', '.join(allowed)}; got {value[:60]!r}"
            raise InvalidInput(message, pointer=self.at(name))
        return value

    def items(self, name: str, default: Any = _ABSENT) -> Any:
        return self._typed(name, (list, tuple), "a list", default)

    def strings(self, name: str, default: Any = _ABSENT) -> Any:
        values = self.items(name, default)
        if values is default and default is not _ABSENT:
            return values
        for i, value in enumerate(values):
            if not isinstance(value, str):
                message = f"{name}[{i}] must be a string, got {_kind(value)}"
                raise InvalidInput(message, pointer=f"{self.at(name)}/{i}")
            if not is_text(value):
                message = f"{name}[{i}] holds a lone surrogate, which is not text"
                raise InvalidInput(message, pointer=f"{self.at(name)}/{i}")
        return tuple(values)

    def numbers(self, name: str, default: Any = _ABSENT) -> Any:
        """A vector: finite numbers only."""
        values = self.items(name, default)
        if values is default and default is not _ABSENT:
            return values
        for i, value in enumerate(values):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
                raise InvalidInput(f"{name}[{i}] must be a number", pointer=f"{self.at(name)}/{i}")
        return tuple(float(v) for v in values)

    def child(self, name: str, default: Any = _ABSENT) -> Any:
        value = self.raw(name, default)
        if value is default and default is not _ABSENT:
            return value
        return Fields(value, self.at(name))

    def children(self, name: str, default: Any = _ABSENT) -> Any:
        """The list's items as Fields, lazily checked so that one bad item can be skipped."""
        values = self.items(name, default)
        if values is default and default is not _ABSENT:
            return values
        return [Fields(v, f"{self.at(name)}/{i}") for i, v in enumerate(values)]

    def each(self, name: str, read: Callable[[Fields], T]) -> tuple[T, ...]:
        return tuple(read(item) for item in self.children(name, []))

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, (list, tuple)):
        return "a list"
    return "an object" if isinstance(value, Mapping) else type(value).__name__
