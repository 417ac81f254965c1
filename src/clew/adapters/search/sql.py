"""The search index in the database of the store: postings by term, vectors compared one by one.

Works on SQLite and on any PostgreSQL. Vectors are read in stretches, so that memory stays the same however long the
conversation is; `pgvector.py` lets the database compare them instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np
import sqlalchemy as sa

from clew.adapters.store import tenancy
from clew.adapters.store import turns_index as turns
from clew.adapters.store.queries import listed
from clew.errors import InvalidInput
from clew.ports.search import EVERYTHING, Narrow, Near, Point

METADATA = sa.MetaData()
SEARCHED = sa.Table(
    "recall_searched",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("made", sa.Text, nullable=False),
)


def points_table(name: str, vector: sa.Column[Any]) -> sa.Table:
    """One row a passage; what a vector is stored as depends on the database."""
    return sa.Table(
        name,
        METADATA,
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("part", sa.Integer, primary_key=True),
        sa.Column("speaker", sa.Integer, nullable=False),
        sa.Column("at", sa.Float(53), nullable=True),
        vector,
    )


# Half precision.
POINTS = points_table("recall_points", sa.Column("vector", sa.LargeBinary, nullable=False))
POSTINGS = sa.Table(
    "recall_postings",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("term", sa.BigInteger, primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("value", sa.Float(24), nullable=False),
    sqlite_with_rowid=False,
)
_MADE = sa.select(SEARCHED.c.number, SEARCHED.c.made).where(
    SEARCHED.c.number == turns.SOURCES.c.number, turns.SOURCES.c.conversation == sa.bindparam("conversation")
)
_CHUNK = 500
_STRETCH = 4096  # vectors compared at once


class Session(Protocol):
    @property
    def connection(self) -> sa.Connection: ...


class Store(Protocol):
    def read(self) -> AbstractContextManager[Session]: ...

    def write(self, lock: str) -> AbstractContextManager[Session]: ...


class SqlSearch:
    """Satisfies ports.search.SearchIndex."""

    name = "postings and vectors in the database"
    kept_elsewhere: tuple[str, ...] = ()  # what holds for the database holds for this
    points = POINTS

    def __init__(self, store: Store) -> None:
        self._store = store
        with store.read() as session:
            there = set(sa.inspect(session.connection).get_table_names())
        if not there.issuperset({SEARCHED.name, self.points.name, POSTINGS.name}):
            with store.write("recall:tables") as session:
                self._create(session.connection)

    def _create(self, connection: sa.Connection) -> None:
        """Tables that are there already stay as they are; on PostgreSQL the rules for tenants hold for them too."""
        tables = [SEARCHED, self.points, POSTINGS]
        SEARCHED.metadata.create_all(connection, tables=[SEARCHED, POSTINGS], checkfirst=True)
        self.points.create(connection, checkfirst=True)
        if connection.dialect.name == "postgresql":
            tenancy.enforce(connection, [table.name for table in tables])

    def last(self, conversation: str, made: str) -> int:
        with self._store.read() as session:
            number = self._number(session.connection, conversation, made)
            if number is None:
                return -1
            query = sa.select(sa.func.max(self.points.c.position)).where(self.points.c.number == number)
            found = session.connection.execute(query).scalar()
        return -1 if found is None else int(found)

    def put(self, conversation: str, made: str, points: Sequence[Point]) -> None:
        if not points:
            return
        with self._store.write("recall:search") as session:
            connection = session.connection
            number = turns.enter(connection, named(conversation))
            if self._number(connection, conversation, made) is None:
                self._drop(connection, number)
                connection.execute(sa.insert(SEARCHED), {"number": number, "made": made})
            places = [point.position for point in points]
            for table in (self.points, POSTINGS):
                for start in range(0, len(places), _CHUNK):
                    some = table.c.position.in_(places[start : start + _CHUNK])
                    connection.execute(sa.delete(table).where(table.c.number == number, some))
            rows = [row for point in points for row in self._rows(number, point)]
            self._insert(connection, rows)
            held = [
                {"number": number, "term": term, "position": point.position, "value": float(value)}
                for point in points
                for term, value in point.terms.items()
            ]
            if held:
                connection.execute(sa.insert(POSTINGS), held)

    def nearest(
        self, conversation: str, vector: Sequence[float], most: int, only: Narrow = EVERYTHING
    ) -> list[Near]:
        with self._store.read() as session:
            number = self._number(session.connection, conversation)
            if number is None or most < 1:
                return []
            return self._nearest(session.connection, number, np.asarray(vector, np.float32), most, only)

    def holding(
        self, conversation: str, terms: Mapping[int, float], most: int, only: Narrow = EVERYTHING
    ) -> list[Near]:
        if not terms or most < 1:
            return []
        p = POSTINGS.c
        weight = sa.case(
            *((p.term == term, sa.literal(float(w), sa.Float)) for term, w in terms.items()), else_=0.0
        )
        score = sa.func.sum(p.value * weight)
        with self._store.read() as session:
            number = self._number(session.connection, conversation)
            query = sa.select(p.position, score).where(p.number == number, listed(p.term, "terms"))
            if only != EVERYTHING:
                query = query.where(p.position.in_(self._narrowed(number, only)))
            query = query.group_by(p.position).order_by(score.desc(), p.position).limit(most)
            rows = session.connection.execute(query, {"terms": list(terms)}).all()
        return [Near(int(position), float(value)) for position, value in rows]

    def frequencies(self, conversation: str, terms: Collection[int]) -> dict[int, int]:
        if not terms:
            return {}
        p = POSTINGS.c
        with self._store.read() as session:
            number = self._number(session.connection, conversation)
            query = sa.select(p.term, sa.func.count()).where(p.number == number, listed(p.term, "terms"))
            rows = session.connection.execute(query.group_by(p.term), {"terms": list(terms)}).all()
        return {int(term): int(count) for term, count in rows}

    def drop(self, conversation: str) -> int:
        with self._store.write("recall:search") as session:
            number = turns.number_of(session.connection, named(conversation))
            return 0 if number is None else self._drop(session.connection, number)

    def _drop(self, connection: sa.Connection, number: int) -> int:
        c = self.points.c
        count = sa.select(sa.func.count()).where(c.number == number, c.part == 0)
        held = int(connection.execute(count).scalar() or 0)
        for table in (self.points, POSTINGS, SEARCHED):
            connection.execute(sa.delete(table).where(table.c.number == number))
        return held

    def _number(self, connection: sa.Connection, conversation: str, made: str | None = None) -> int | None:
        """None where nothing stands, or not made in this way."""
        found = connection.execute(_MADE, {"conversation": named(conversation)}).first()
        return None if found is None or made not in (None, found.made) else int(found.number)

    def _narrowed(self, number: int | None, only: Narrow) -> sa.Select[Any]:
        """Positions that may be found."""
        c = self.points.c
        return sa.select(c.position).where(c.number == number, c.part == 0, *self._spans(only))

    def _spans(self, only: Narrow) -> Iterator[sa.ColumnElement[bool]]:
        c = self.points.c
        if only.speakers is not None:
            yield c.speaker.in_(sorted(only.speakers))
        if only.since is not None:
            yield c.at >= only.since
        if only.until is not None:
            yield c.at <= only.until

    def _rows(self, number: int, point: Point) -> Iterator[dict[str, Any]]:
        """A turn without a vector has one row all the same: it has a speaker and a time."""
        shared = {"number": number, "position": point.position, "speaker": point.speaker, "at": point.at}
        vectors = [self._packed(vector) for vector in point.vectors] or [self._packed(())]
        for part, vector in enumerate(vectors):
            yield {**shared, "part": part, "vector": vector}

    def _insert(self, connection: sa.Connection, rows: list[dict[str, Any]]) -> None:
        connection.execute(sa.insert(self.points), rows)

    def _packed(self, vector: Sequence[float]) -> Any:
        return np.asarray(vector, np.float16).tobytes()

    def _nearest(
        self, connection: sa.Connection, number: int, vector: Any, most: int, only: Narrow
    ) -> list[Near]:
        c = self.points.c
        query = sa.select(c.position, c.vector).where(c.number == number, *self._spans(only))
        best: dict[int, float] = {}
        width = 2 * len(vector)
        with connection.execution_options(yield_per=_STRETCH).execute(query) as result:
            for stretch in result.partitions():
                rows = [(position, held) for position, held in stretch if len(held) == width]
                if not rows:
                    continue
                grid = np.frombuffer(b"".join(held for _, held in rows), np.float16).reshape(len(rows), -1)
                dots = grid.astype(np.float32) @ vector
                for place in np.argsort(-dots, kind="stable").tolist():
                    position, score = int(rows[place][0]), float(dots[place])
                    best[position] = max(best.get(position, score), score)
                best = dict(sorted(best.items(), key=_by_score)[:most])
        return [Near(position, score) for position, score in sorted(best.items(), key=_by_score)]


def _by_score(found: tuple[int, float]) -> tuple[float, int]:
    return -found[1], found[0]


def once(found: Sequence[tuple[int, float]], most: int) -> list[Near]:
    """Of passages, best first, the turns: each position with its best."""
    best: dict[int, float] = {}
    for position, score in found:
        best.setdefault(int(position), float(score))
    return [Near(position, score) for position, score in sorted(best.items(), key=_by_score)[:most]]


def named(conversation: str) -> str:
    """No conversation named means nothing may be seen."""
    if not isinstance(conversation, str) or not conversation.strip() or conversation.startswith("\n"):
        raise InvalidInput(
            "conversation must not be empty, nor begin with a line break", pointer="/conversation"
        )
    return conversation
