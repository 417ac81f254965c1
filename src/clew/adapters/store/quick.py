"""Short statements on SQLite: the text of one is made once, and the driver is asked directly.

A turn reads some fifty times a row or two, and writes some twenty; the layers between cost more there than the
database does. On PostgreSQL the way over the network costs more than all of it, and the layers stay.
"""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc as sa_exc
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql import visitors

# Where a value comes from: (None, the value itself), (name, None), or (name of a list, place in it).
_Source = tuple[str | None, Any]
_DIALECT = sqlite.dialect()


def rows(connection: sa.Connection, query: sa.Select[Any], asked: Mapping[str, Any], plain: bool = False) -> list[Any]:
    """Named tuples, or `plain` ones. `query` is built once and kept by its module, since its text is kept with it."""
    lists = {name: value for name, value in asked.items() if isinstance(value, list)}
    if connection.dialect.name != "sqlite" or not all(lists.values()):
        return list(connection.execute(query, asked))
    if lists:
        lists = {name: _filled(value) for name, value in lists.items()}
        asked = {**asked, **lists}
    text, sources, made = _written(query, tuple((name, len(value)) for name, value in lists.items()))
    values = [at if name is None else asked[name] if at is None else asked[name][at] for name, at in sources]
    found = _run(connection, text, values)
    return found if plain else [made(row) for row in found]


def write(connection: sa.Connection, statement: sa.Insert, given: Sequence[Mapping[str, Any]]) -> None:
    """Rows with the same columns. `statement` is built once and kept by its module."""
    if connection.dialect.name != "sqlite":
        connection.execute(statement, [dict(row) for row in given])
        return
    text, names = _inserted(statement, tuple(given[0]))
    for row in given:
        _run(connection, text, [row[name] for name in names])


def delete(connection: sa.Connection, statement: sa.Delete, asked: Mapping[str, Any]) -> None:
    """Values by name. `statement` is built once and kept by its module."""
    if connection.dialect.name != "sqlite":
        connection.execute(statement, asked)
        return
    text, names = _deleted(statement)
    _run(connection, text, [asked[name] for name in names])


def _run(connection: sa.Connection, text: str, values: list[Any]) -> list[Any]:
    if not connection.in_transaction():
        connection.begin()
    return run(connection.connection.driver_connection, text, values)


def run(driver: Any, text: str, values: list[Any]) -> list[Any]:
    """What goes wrong is told as the layers above tell it."""
    try:
        return fetched(driver, text, values)
    except sqlite3.Error as why:
        raise sa_exc.DBAPIError.instance(text, values, why, sqlite3.Error) from why


def fetched(driver: Any, text: str, values: list[Any]) -> list[Any]:
    """The one place where the driver is asked: a test that ends the process at every statement ends it here too."""
    found: list[Any] = driver.execute(text, values).fetchall()
    return found


def first(connection: sa.Connection, query: sa.Select[Any], asked: Mapping[str, Any]) -> Any:
    """The first row of the few there are, or None."""
    found = rows(connection, query, asked)
    return found[0] if found else None


def scalar(connection: sa.Connection, query: sa.Select[Any], asked: Mapping[str, Any]) -> Any:
    """The first value of the first row, or None."""
    found = rows(connection, query, asked)
    return found[0][0] if found else None


def _filled(values: list[Any]) -> list[Any]:
    """Up to a power of two with one of its own: few texts serve lists of all lengths."""
    return values + values[-1:] * ((1 << (len(values) - 1).bit_length()) - len(values))


@lru_cache(maxsize=256)
def _inserted(statement: sa.Insert, columns: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The statement's text, and the columns in the order of its values."""
    compiled = statement.compile(dialect=_DIALECT, column_keys=list(columns))
    return str(compiled), tuple(compiled.positiontup or ())


@lru_cache(maxsize=64)
def _deleted(statement: sa.Delete) -> tuple[str, tuple[str, ...]]:
    compiled = statement.compile(dialect=_DIALECT)
    return str(compiled), tuple(compiled.positiontup or ())


@lru_cache(maxsize=1024)
def _written(query: sa.Select[Any], sizes: tuple[tuple[str, int], ...]) -> tuple[str, tuple[_Source, ...], Any]:
    """The statement's text, where its values come from, and what a row becomes."""
    given = {b.key for b in visitors.iterate(query) if isinstance(b, sa.BindParameter) and b.required}
    # Values are needed to write the text; those that count come with each call.
    filled = query.params(dict.fromkeys(given, "") | {name: [""] * size for name, size in sizes})
    compiled = filled.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
    listed = {f"{name}_{n + 1}": (name, n) for name, size in sizes for n in range(size)}
    sources: list[_Source] = []
    for name in compiled.positiontup or ():
        if name in listed:
            sources.append(listed[name])
        elif name in given:
            sources.append((name, None))
        else:
            sources.append((None, compiled.binds[name].effective_value))
    return str(compiled), tuple(sources), _row(columns_of(query))


@lru_cache(maxsize=256)
def columns_of(query: sa.Select[Any]) -> tuple[str, ...]:
    """The names of what `rows` gives, in their order."""
    return tuple(column.name for column in query.selected_columns)


@lru_cache(maxsize=256)
def _row(columns: tuple[str, ...]) -> Any:
    """What makes a named tuple: one for all statements that read the same columns."""
    row: Any = namedtuple("Row", columns, rename=True)  # type: ignore[misc]
    return row._make
