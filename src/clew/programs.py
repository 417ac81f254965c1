"""What an earlier process made of the policy: programs of its patterns, and tables that take long to make.

`program` is `re.compile` of the standard library for patterns of the policy.

The library reads a pattern step by step, in Python; that was a fifth of all that a process does before its first
reply. A program is what comes out of it: whole numbers, which the library's engine checks before it takes them. Only
patterns made of policy come here, never one with a user's words in it: programs are kept in a file.
"""

from __future__ import annotations

import hashlib
import marshal
import re
from array import array
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

T = TypeVar("T")
# The library's engine, which has no other door for programs.
_sre: Any = import_module("_sre")
# (pattern, flags as given) -> (flags as they came out, code, groups, names of groups).
_Known = tuple[int, bytes, int, dict[str, int]]
_KNOWN: dict[tuple[str, int], _Known] = {}
# What `table` made: name and digest of what it was made from -> its value, as `marshal` writes it.
_TABLES: dict[tuple[str, str], bytes] = {}
_NEW: set[tuple[str, int | str]] = set()


def program(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile(pattern, flags)`."""
    pattern, flags = str(pattern), int(flags)  # a row of a table is a text with more to it
    known = _KNOWN.get((pattern, flags)) or _noted(pattern, flags)
    return (_made(pattern, known) if known else None) or re.compile(pattern, flags)


def table(name: str, made_of: object, make: Callable[[], T]) -> T:
    """What `make` makes of policy alone, in plain tuples, lists, dicts, texts and numbers.

    made_of: all that it depends on besides the code, as something whose `repr` tells it.
    """
    key = (name, hashlib.sha256(repr(made_of).encode("utf-8", "surrogatepass")).hexdigest())
    if key in _TABLES:
        known: T = marshal.loads(_TABLES[key])
        return known
    made: Any = make()
    _TABLES[key] = marshal.dumps(made)
    _NEW.add(key)
    found: T = made
    return found


def take(kept: bytes | memoryview) -> None:
    """Programs and tables of an earlier process, as `given` gave them; what cannot be read is made again."""
    try:
        mark, known, tables = marshal.loads(kept)
        if mark == _mark() and isinstance(known, dict) and isinstance(tables, dict):
            _KNOWN.update(known)
            _TABLES.update(tables)
    except (ValueError, EOFError, TypeError):
        return


def given() -> bytes | None:
    """All programs and tables for the next process; None where it knows them already."""
    try:
        return marshal.dumps((_mark(), _KNOWN, _TABLES)) if _NEW else None
    except ValueError:
        return None


def _mark() -> tuple[int, int]:
    """Programs of another engine are of no use."""
    return _sre.MAGIC, _sre.CODESIZE


def _made(pattern: str, known: _Known) -> re.Pattern[str] | None:
    flags, code, groups, named = known
    by_number: list[str | None] = [None] * (groups + 1)
    for name, number in named.items():
        by_number[number] = name
    try:
        made: Any = _sre.compile(pattern, flags, array(_letter(), code).tolist(), groups, named, tuple(by_number))
    except (RuntimeError, TypeError, ValueError, OverflowError):
        return None
    found: re.Pattern[str] = made
    return found


def _noted(pattern: str, flags: int) -> _Known | None:
    """The library hands out no programs: its two steps are taken one by one. None where they are others than ours."""
    try:
        from re import _compiler, _parser  # type: ignore[attr-defined]

        read = _parser.parse(pattern, flags)
        code = array(_letter(), _compiler._code(read, flags)).tobytes()
        known = (int(flags | read.state.flags), code, read.state.groups - 1, dict(read.state.groupdict))
    except (ImportError, AttributeError, TypeError, OverflowError):
        return None
    _KNOWN[pattern, flags] = known
    _NEW.add((pattern, flags))
    return known


def _letter() -> str:
    return "I" if array("I").itemsize == _sre.CODESIZE else "L"
