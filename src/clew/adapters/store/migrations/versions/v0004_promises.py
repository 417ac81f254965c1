"""Who and when a memory is about; replies by generation; a hash chain over each user's journal."""

import sqlalchemy as sa
from alembic import op

from clew.adapters.store.chain import Head, forged

revision = "0004"
down_revision = "0003"

# "CLEW" in ASCII: what a SQLite file of ours says of itself.
APPLICATION_ID = 0x434C4557


def upgrade() -> None:
    text, integer = sa.Text, sa.Integer
    for column in (
        sa.Column("subject", text, nullable=True, server_default="self"),
        sa.Column("attribute", text, nullable=True),
        sa.Column("statement", text, nullable=True),
        sa.Column("when_start", text, nullable=True),
        sa.Column("when_end", text, nullable=True),
        sa.Column("when_text", text, nullable=True),
        sa.Column("sensitive", integer, nullable=True, server_default="0"),
    ):
        op.add_column("memories", column)
    op.create_index(
        "memories_by_attribute", "memories", ["user_id", "friend_id", "attribute", "status", "created_at"]
    )
    op.add_column("controls", sa.Column("suppressed_values", text, nullable=False, server_default="[]"))
    op.add_column("messages", sa.Column("generation", integer, nullable=False, server_default="0"))
    op.drop_index("messages_by_reply", "messages")
    op.create_index("messages_by_reply", "messages", ["reply_to", "generation"], unique=True)
    op.add_column("journal", sa.Column("number", integer, nullable=True))
    for name in ("salt", "digest", "link"):
        op.add_column("journal", sa.Column(name, text, nullable=True))
    op.create_table(
        "journal_heads",
        sa.Column("user_id", text, primary_key=True),
        sa.Column("number", integer, nullable=False),
        sa.Column("link", text, nullable=False),
    )
    _chain(op.get_bind())
    op.create_index("journal_by_number", "journal", ["user_id", "number"], unique=True)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE INDEX memories_by_beginning ON memories (user_id, friend_id, status, memory_key text_pattern_ops)"
        )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"PRAGMA application_id={APPLICATION_ID}")


def _chain(connection: sa.Connection) -> None:
    """Entries written before there was a chain are taken as they stand."""
    journal = sa.table("journal", *map(sa.column, (
        "seq", "kind", "at", "user_id", "policy", "message_id", "changes", "note", "number", "salt", "digest", "link",
    )))  # fmt: skip
    heads: dict[str, Head] = {}
    last = -1
    while True:
        page = sa.select(journal).where(journal.c.seq > last).order_by(journal.c.seq).limit(500)
        rows = [dict(row._mapping) for row in connection.execute(page)]
        if not rows:
            break
        for row in rows:
            last = row["seq"]
            made, heads[row["user_id"]] = forged(row, heads.get(row["user_id"], Head()))
            values = {name: made[name] for name in ("number", "salt", "digest", "link")}
            connection.execute(sa.update(journal).where(journal.c.seq == last).values(**values))
    if heads:
        table = sa.table("journal_heads", *map(sa.column, ("user_id", "number", "link")))
        rows = [{"user_id": u, "number": h.number, "link": h.link} for u, h in heads.items()]
        connection.execute(sa.insert(table), rows)
