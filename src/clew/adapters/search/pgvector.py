"""The search index on PostgreSQL with the extension `vector`: the database compares, by an index of its own.

Points stand in a table of their own, because the column has another type than where the extension is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy.types import UserDefinedType

from clew.adapters.search.sql import SqlSearch, Store, once, points_table
from clew.errors import StoreFailure
from clew.ports.search import Narrow, Near

EXTENSION = "vector"
# Neighbours that the index looks at before it is sure; the database allows no more than the second.
_LOOKED, _LOOKED_MOST = 200, 1000
# A turn of several passages is found by its best: more passages are asked for than turns.
_PASSAGES = 3
# It goes on looking until enough rows of this conversation were found.
_SETTINGS = sa.text(
    "SELECT set_config('hnsw.ef_search', :looked, true), set_config('hnsw.iterative_scan', 'strict_order', true)"
)


class HalfVector(UserDefinedType[Any]):
    """Half precision, of any dimension: each space has its own index."""

    cache_ok = True

    def __init__(self, size: int | None = None) -> None:
        self.size = size

    def get_col_spec(self, **_: Any) -> str:
        return "halfvec" if self.size is None else f"halfvec({self.size})"

    def bind_expression(self, bindvalue: Any) -> Any:
        return sa.cast(bindvalue, self)


POINTS = points_table("recall_points_pgvector", sa.Column("vector", HalfVector(), nullable=True))


def available(connection: sa.Connection) -> bool:
    """Installed in this database, or ready to be."""
    query = sa.text("SELECT 1 FROM pg_available_extensions WHERE name = :name")
    return connection.execute(query, {"name": EXTENSION}).first() is not None


class PgvectorSearch(SqlSearch):
    """Satisfies ports.search.SearchIndex."""

    name = "postings in PostgreSQL, vectors by pgvector"
    points = POINTS

    def __init__(self, store: Store) -> None:
        self._indexed: set[int] = set()
        with store.read() as session:
            connection = session.connection
            if connection.dialect.name != "postgresql" or not available(connection):
                raise StoreFailure(
                    "this database has no extension 'vector': install pgvector on the server, or leave CLEW_INDEX unset"
                )
        super().__init__(store)

    def _create(self, connection: sa.Connection) -> None:
        connection.execute(sa.text(f"CREATE EXTENSION IF NOT EXISTS {EXTENSION}"))
        super()._create(connection)

    def _packed(self, vector: Sequence[float]) -> str | None:
        numbers = np.asarray(vector, np.float16).tolist()
        return f"[{','.join(map(repr, numbers))}]" if numbers else None

    def _insert(self, connection: sa.Connection, rows: list[dict[str, Any]]) -> None:
        sizes = {row["vector"].count(",") + 1 for row in rows if row["vector"]}
        for size in sizes - self._indexed:
            # Made by whoever may; who may not searches without it, more slowly and no less right.
            with connection.begin_nested() as made:
                try:
                    connection.execute(
                        sa.text(
                            f"CREATE INDEX IF NOT EXISTS recall_points_near_{size} ON {POINTS.name} USING hnsw "
                            f"((vector::halfvec({size})) halfvec_ip_ops) WHERE vector_dims(vector) = {size}"
                        )
                    )
                except sa.exc.ProgrammingError:
                    made.rollback()
            self._indexed.add(size)
        super()._insert(connection, rows)

    def _nearest(
        self, connection: sa.Connection, number: int, vector: Any, most: int, only: Narrow
    ) -> list[Near]:
        c, size = self.points.c, len(vector)
        wanted = most * _PASSAGES
        connection.execute(_SETTINGS, {"looked": str(min(max(wanted, _LOOKED), _LOOKED_MOST))})
        # Less is nearer: the inner product with its sign turned. Written as the index has it, or it is not used.
        asked = sa.cast(sa.literal(self._packed(vector), sa.Text), HalfVector(size))
        distance = sa.cast(c.vector, HalfVector(size)).op("<#>", return_type=sa.Float())(asked)
        dimensions = sa.func.vector_dims(c.vector) == sa.literal_column(str(size))
        query = (
            sa.select(c.position, distance)
            .where(c.number == number, dimensions, *self._spans(only))
            .order_by(distance)
            .limit(wanted)
        )
        return once([(position, -value) for position, value in connection.execute(query)], most)
