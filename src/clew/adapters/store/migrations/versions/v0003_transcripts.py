"""Ingested transcripts with their vectors, and causal links: made from files, and makeable again.

They carry no history of their own, so the tables are taken from where they are defined; one that a
command has already made is left as it is.
"""

from alembic import op

from clew.adapters.store.links import METADATA as LINK_TABLES
from clew.adapters.store.turns_index import INDEX_METADATA

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for tables in (INDEX_METADATA, LINK_TABLES):
        tables.create_all(op.get_bind(), checkfirst=True)
