"""Tables of searchable conversations, for both databases: turns are the truth, everything else is derived.

The turns of a transcript stand here; those of a chat are its messages, where the store keeps them. Derived data
holds no text: terms are numbers, so an erasure of the rows is an erasure of the words.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, Table, Text

from clew.adapters.store import quick, tenancy
from clew.adapters.store.queries import insert, listed
from clew.adapters.store.tables import CONVERSATIONS, MESSAGES
from clew.model.canonical import canonical_json
from clew.model.transcript import Line
from clew.ports.index import Derived, StoredRun, StoredTurn

INDEX_METADATA = MetaData()
COLUMNS = ("heads", "sizes", "hashes", "counts", "scales", "coarse", "vectors")
# Small runs are joined when there are so many of one level: the first number of turns grows by the product.
JOINED = (64, 16)
_CHUNK = 500

TURNS = Table(
    "recall_turns",
    INDEX_METADATA,
    Column("conversation", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("turn_id", Text, nullable=True),
    Column("line_index", Integer, nullable=False),
    Column("speaker", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Text, nullable=True),
)
_LOOKUPS = (
    Index("recall_turns_by_id", TURNS.c.conversation, TURNS.c.turn_id),
    Index("recall_turns_by_index", TURNS.c.conversation, TURNS.c.line_index),
)
# Whose transcript it is, and how its derived data was made. `number` stands for the name in the tables below.
SOURCES = Table(
    "recall_sources",
    INDEX_METADATA,
    Column("conversation", Text, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("owner", Text, nullable=True, index=True),
    Column("stamp", Text, nullable=True),
    Column("space", Text, nullable=True),
    Column("speakers", Text, nullable=True),
)
RUNS = Table(
    "recall_runs",
    INDEX_METADATA,
    Column("number", Integer, primary_key=True),
    Column("first", Integer, primary_key=True),
    Column("last", Integer, nullable=False),
    Column("level", Integer, nullable=False),
    # Vectors come last: a row is read up to the column that is asked for.
    *(Column(name, LargeBinary, nullable=False) for name in COLUMNS),
)
TERMS = Table(
    "recall_terms",
    INDEX_METADATA,
    Column("number", Integer, primary_key=True),
    Column("term", BigInteger, primary_key=True),
    Column("vector", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
# Derived tables of an earlier layout.
_OLD = ("recall_vectors", "recall_words")

# Statements of every turn, built once.
_LASTS = tuple(
    sa.select(sa.func.max(table.c.position)).where(table.c[name] == sa.bindparam("conversation"))
    for table, name in ((TURNS, "conversation"), (MESSAGES, "conversation_id"))
)
_CHAT = sa.select(CONVERSATIONS.c.conversation_id).where(
    CONVERSATIONS.c.conversation_id == sa.bindparam("conversation")
)
_NUMBER = sa.select(SOURCES.c.number).where(SOURCES.c.conversation == sa.bindparam("conversation"))
_SOURCE = sa.select(SOURCES).where(SOURCES.c.conversation == sa.bindparam("conversation"))
_TURN_GONE = sa.delete(TURNS).where(
    TURNS.c.conversation == sa.bindparam("name"), TURNS.c.position == sa.bindparam("place")
)
_SOURCE_SET = sa.update(SOURCES).where(SOURCES.c.number == sa.bindparam("of"))
_LAST_RUN = sa.select(sa.func.max(RUNS.c.last)).where(RUNS.c.number == sa.bindparam("number"))
_RUNS_OF_LEVEL = (
    sa.select(sa.func.count())
    .select_from(RUNS)
    .where(RUNS.c.number == sa.bindparam("number"), RUNS.c.level == sa.bindparam("level"))
)
_WORDS_ALL = sa.select(TERMS.c.term, TERMS.c.vector).where(TERMS.c.number == sa.bindparam("number"))
_WORDS_SOME = _WORDS_ALL.where(listed(TERMS.c.term, "terms"))
_WORDS_KNOWN = sa.select(TERMS.c.term).where(TERMS.c.number == sa.bindparam("number"), listed(TERMS.c.term, "terms"))


# Where the runs begin that hold these positions; on PostgreSQL the list comes as an array, on SQLite as JSON.
_BEGINS = {
    postgres: sa.text(
        "SELECT DISTINCT f FROM (SELECT (SELECT max(r.first) FROM recall_runs r WHERE r.number = :number "
        f"AND r.first <= w.place) AS f FROM ({places}) AS w) AS begins WHERE f IS NOT NULL ORDER BY f"
    )
    for postgres, places in (
        (True, "SELECT unnest(CAST(:wanted AS integer[])) AS place"),
        (False, "SELECT value AS place FROM json_each(:wanted)"),
    )
}


def ready(connection: sa.Connection) -> bool:
    there = set(sa.inspect(connection).get_table_names())
    return there.issuperset(INDEX_METADATA.tables) and there.isdisjoint(_OLD)


def create(connection: sa.Connection) -> None:
    for name in _OLD:
        connection.execute(sa.text(f"DROP TABLE IF EXISTS {name}"))
    INDEX_METADATA.create_all(connection, checkfirst=True)
    for lookup in _LOOKUPS:
        lookup.create(connection, checkfirst=True)


# -- turns -------------------------------------------------------------------------------------------


def is_chat(connection: sa.Connection, conversation: str) -> bool:
    return quick.first(connection, _CHAT, {"conversation": conversation}) is not None


def owned(connection: sa.Connection, owner: str) -> list[str]:
    query = sa.select(SOURCES.c.conversation).where(SOURCES.c.owner == owner)
    return sorted(connection.execute(query).scalars())


def last(connection: sa.Connection, conversation: str) -> int:
    for query in _LASTS:
        found = quick.scalar(connection, query, {"conversation": conversation})
        if found is not None:
            return int(found)
    return -1


def read_turns(
    connection: sa.Connection,
    conversation: str,
    *,
    positions: Collection[int] | None = None,
    after: int | None = None,
    most: int | None = None,
    holding: Collection[str] = (),
) -> list[StoredTurn]:
    asked = {"conversation": conversation, "after": after, "most": most}
    for chat in (False, True):
        query = _turns(chat, after is not None, most is not None, positions is not None)
        read: Callable[..., Iterable[Any]] = partial(quick.rows, connection)
        if holding:
            text = (MESSAGES if chat else TURNS).c.text
            query = query.where(
                sa.or_(*(sa.func.lower(text).contains(word, autoescape=True) for word in holding))
            )
            read = connection.execute
        if positions is None:
            found = [_turn(row) for row in read(query, asked)]
        else:
            wanted = sorted(set(positions))
            found = [
                _turn(row)
                for start in range(0, len(wanted), _CHUNK)
                for row in read(query, {**asked, "positions": wanted[start : start + _CHUNK]})
            ]
        if found:
            return found
    return []


@cache
def _turns(chat: bool, after: bool, most: bool, named: bool) -> sa.Select[Any]:
    query, position = _of_chat() if chat else _of_transcript()
    if after:
        query = query.where(position > sa.bindparam("after"))
    if named:
        query = query.where(listed(position, "positions"))
    query = query.order_by(position)
    return query.limit(sa.bindparam("most", type_=Integer)) if most else query


def known(connection: sa.Connection, conversation: str, lines: Iterable[Line]) -> list[StoredTurn]:
    named: set[str] = set()
    numbered: set[int] = set()
    for line in lines:
        if line.id is not None:
            named.add(line.id)
        else:
            numbered.add(line.index)
    out: list[StoredTurn] = []
    for column, values in (("turn_id", sorted(named)), ("line_index", sorted(numbered))):
        for start in range(0, len(values), _CHUNK):
            asked = {"conversation": conversation, "values": values[start : start + _CHUNK]}
            out.extend(_turn(row) for row in quick.rows(connection, _known_by(column), asked))
    return out


@cache
def _known_by(column: str) -> sa.Select[Any]:
    return _of_transcript()[0].where(listed(TURNS.c[column], "values"))


def places(connection: sa.Connection, conversation: str, ids: Collection[str]) -> list[int]:
    wanted = sorted(set(ids))
    out: list[int] = []
    for table, scope, name in (
        (TURNS, "conversation", "turn_id"),
        (MESSAGES, "conversation_id", "message_id"),
    ):
        query = sa.select(table.c.position).where(table.c[scope] == conversation)
        for start in range(0, len(wanted), _CHUNK):
            some = wanted[start : start + _CHUNK]
            out.extend(connection.execute(query.where(table.c[name].in_(some))).scalars())
    return out


def _of_transcript() -> tuple[sa.Select[Any], Any]:
    t = TURNS.c
    query = sa.select(t.position, t.turn_id.label("id"), t.line_index, t.speaker, t.text, t.at)
    return query.where(t.conversation == sa.bindparam("conversation")), t.position


def _of_chat() -> tuple[sa.Select[Any], Any]:
    m = MESSAGES.c
    query = sa.select(
        m.position,
        m.message_id.label("id"),
        m.position.label("line_index"),
        m.role.label("speaker"),
        m.text,
        m.at,
    )
    return query.where(m.conversation_id == sa.bindparam("conversation")), m.position


def _turn(row: Any) -> StoredTurn:
    at = datetime.fromisoformat(row.at) if row.at else None
    return StoredTurn(row.position, Line(row.line_index, row.speaker, row.text, at, row.id))


def write_turns(connection: sa.Connection, conversation: str, turns: Sequence[StoredTurn]) -> None:
    """A turn that is already at its position is replaced."""
    if not turns:
        return
    highest = quick.scalar(connection, _LASTS[0], {"conversation": conversation})
    there = [t.position for t in turns if highest is not None and t.position <= highest]
    if there:
        connection.execute(_TURN_GONE, [{"name": conversation, "place": place} for place in there])
    rows = [
        {
            "conversation": conversation,
            "position": t.position,
            "turn_id": t.line.id,
            "line_index": t.line.index,
            "speaker": t.line.speaker,
            "text": t.line.text,
            "at": t.line.at.isoformat() if t.line.at else None,
        }
        for t in turns
    ]
    connection.execute(insert(TURNS), rows)


# -- what is derived -----------------------------------------------------------------------------------


def number_of(connection: sa.Connection, conversation: str) -> int | None:
    number: int | None = quick.scalar(connection, _NUMBER, {"conversation": conversation})
    return number


def shared_name(space: str) -> str:
    """Not a name that a conversation can have: those are not empty before the line break."""
    return f"\n{space}"


def enter(connection: sa.Connection, conversation: str, **values: Any) -> int:
    """The conversation's number, with these values set."""
    row = quick.first(connection, _SOURCE, {"conversation": conversation})
    if row is None:
        number = _next_number(connection)
        connection.execute(sa.insert(SOURCES), {"conversation": conversation, "number": number, **values})
        return number
    if any(getattr(row, name) != value for name, value in values.items()):
        connection.execute(_SOURCE_SET, {"of": row.number, **values})
    return int(row.number)


def _next_number(connection: sa.Connection) -> int:
    if connection.dialect.name == "postgresql":
        return tenancy.next_source(connection)  # also over the rows that this transaction may not see
    return int(connection.execute(sa.select(sa.func.max(SOURCES.c.number))).scalar() or 0) + 1


def read_derived(connection: sa.Connection, conversation: str) -> Derived | None:
    row = quick.first(connection, _SOURCE, {"conversation": conversation})
    if row is None or row.stamp is None:
        return None
    highest = quick.scalar(connection, _LAST_RUN, {"number": row.number})
    return Derived(
        row.stamp,
        row.space or "",
        tuple(json.loads(row.speakers or "[]")),
        -1 if highest is None else int(highest),
    )


def read_runs(
    connection: sa.Connection,
    conversation: str,
    columns: Sequence[str],
    *,
    after: int = -1,
    upto: int | None = None,
    most: int | None = None,
) -> list[StoredRun]:
    number = number_of(connection, conversation)
    asked = {"number": number, "after": after, "upto": upto, "most": most}
    query = _runs(tuple(columns), upto is not None, most is not None)
    return [_run(row, columns) for row in quick.rows(connection, query, asked)]


def read_runs_at(
    connection: sa.Connection, conversation: str, columns: Sequence[str], positions: Collection[int]
) -> list[StoredRun]:
    """The database looks up where each run begins: of a long conversation even that is much to read."""
    number, wanted = number_of(connection, conversation), sorted(set(positions))
    if number is None or not wanted:
        return []
    postgres = connection.dialect.name == "postgresql"
    given = f"{{{','.join(map(str, wanted))}}}" if postgres else json.dumps(wanted)
    first = [begin for (begin,) in connection.execute(_BEGINS[postgres], {"number": number, "wanted": given})]
    found = [
        _run(row, columns)
        for start in range(0, len(first), _CHUNK)
        for row in quick.rows(
            connection, _runs_from(tuple(columns)), {"number": number, "first": first[start : start + _CHUNK]}
        )
    ]
    return [run for run in found if bisect_left(wanted, run.first) < bisect_right(wanted, run.last)]


def _run(row: Any, columns: Sequence[str]) -> StoredRun:
    return StoredRun(row[0], row[1], {name: bytes(value) for name, value in zip(columns, row[2:], strict=True)})


@cache
def _runs_from(columns: tuple[str, ...]) -> sa.Select[Any]:
    query = sa.select(RUNS.c.first, RUNS.c.last, *(RUNS.c[name] for name in columns))
    here = (RUNS.c.number == sa.bindparam("number"), listed(RUNS.c.first, "first"))
    return query.where(*here).order_by(RUNS.c.first)


@cache
def _runs(columns: tuple[str, ...], upto: bool, most: bool = False) -> sa.Select[Any]:
    query = sa.select(RUNS.c.first, RUNS.c.last, *(RUNS.c[name] for name in columns))
    query = query.where(RUNS.c.number == sa.bindparam("number"), RUNS.c.last > sa.bindparam("after"))
    if upto:
        query = query.where(RUNS.c.first <= sa.bindparam("upto"))
    query = query.order_by(RUNS.c.first)
    return query.limit(sa.bindparam("most", type_=Integer)) if most else query


def write_runs(
    connection: sa.Connection, number: int, runs: Sequence[StoredRun], joined: Sequence[int] = JOINED
) -> None:
    if not runs:
        return
    highest = quick.scalar(connection, _LAST_RUN, {"number": number})
    end = -1 if highest is None else int(highest)
    for run in runs:
        where = (RUNS.c.number == number, RUNS.c.first == run.first)
        if run.first > end:
            size = run.last - run.first + 1
            level = 0 if size < JOINED[0] else 1 if size < JOINED[0] * JOINED[1] else 2
            row = {"number": number, "first": run.first, "last": run.last, "level": level, **run.columns}
            connection.execute(insert(RUNS), row)
            end = run.last
        else:  # made again; another writer may have been first, and then nothing is there to change
            same = connection.execute(sa.select(RUNS.c.last).where(*where)).scalar()
            if same == run.last:
                connection.execute(sa.update(RUNS).where(*where).values(**run.columns))
    for level, most in enumerate(joined):
        _join(connection, number, level, most)


def _join(connection: sa.Connection, number: int, level: int, most: int) -> None:
    """So that reading a conversation reads few rows; what it costs does not depend on the conversation's length."""
    if (quick.scalar(connection, _RUNS_OF_LEVEL, {"number": number, "level": level}) or 0) < most:
        return
    here = (RUNS.c.number == number, RUNS.c.level == level)
    groups: list[list[Any]] = []
    for row in connection.execute(sa.select(RUNS).where(*here).order_by(RUNS.c.first)):
        if groups and groups[-1][-1].last + 1 == row.first:
            groups[-1].append(row)
        else:  # a longer run stands between them
            groups.append([row])
    connection.execute(sa.delete(RUNS).where(*here))
    for rows in groups:
        joined = {name: b"".join(bytes(row._mapping[name]) for row in rows) for name in COLUMNS}
        whole = {"number": number, "first": rows[0].first, "last": rows[-1].last, "level": level + 1}
        connection.execute(sa.insert(RUNS), {**whole, **joined})


def read_words(connection: sa.Connection, name: str, numbers: Collection[int] | None) -> dict[int, bytes]:
    number = number_of(connection, name)
    if number is None:
        return {}
    if numbers is None:
        found = quick.rows(connection, _WORDS_ALL, {"number": number}, plain=True)
        return {term: bytes(vector) for term, vector in found}
    wanted = sorted(set(numbers))
    return {
        term: bytes(vector)
        for start in range(0, len(wanted), _CHUNK)
        for term, vector in quick.rows(
            connection, _WORDS_SOME, {"number": number, "terms": wanted[start : start + _CHUNK]}, plain=True
        )
    }


def write_words(connection: sa.Connection, number: int, words: Mapping[int, bytes]) -> None:
    names = sorted(words)
    known_terms: set[int] = set()
    for start in range(0, len(names), _CHUNK):
        asked = {"number": number, "terms": names[start : start + _CHUNK]}
        known_terms.update(row[0] for row in quick.rows(connection, _WORDS_KNOWN, asked))
    new = [{"number": number, "term": t, "vector": words[t]} for t in names if t not in known_terms]
    if new:
        connection.execute(insert(TERMS), new)


def forget_derived(connection: sa.Connection, conversation: str) -> dict[str, int]:
    number = number_of(connection, conversation)
    out: dict[str, int] = {}
    for table in (RUNS, TERMS):
        result = connection.execute(sa.delete(table).where(table.c.number == number))
        out[table.name] = int(result.rowcount)
    connection.execute(sa.update(SOURCES).where(SOURCES.c.number == number).values(stamp=None, speakers=None))
    return out


def erase(connection: sa.Connection, conversation: str) -> dict[str, int]:
    out = forget_derived(connection, conversation)
    for table in (TURNS, SOURCES):
        result = connection.execute(sa.delete(table).where(table.c.conversation == conversation))
        out[table.name] = int(result.rowcount)
    return out


def dump_speakers(speakers: Sequence[str]) -> str:
    return canonical_json(list(speakers))
