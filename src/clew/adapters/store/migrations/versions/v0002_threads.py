"""Open loops and continuity of a conversation; the words that lead to a memory."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "threads",
        sa.Column("conversation_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        *(
            sa.Column(name, sa.Text, nullable=False)
            for name in ("user_id", "type", "text", "urgency", "status")
        ),
        sa.Column("opened_turn", sa.Integer, nullable=False),
        sa.Column("supersedes", sa.Text, nullable=True),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=True),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_index("threads_by_status", "threads", ["conversation_id", "status"])
    op.create_table(
        "continuity",
        sa.Column("conversation_id", sa.Text, primary_key=True),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "memory_terms",
        *(
            sa.Column(name, sa.Text, primary_key=True)
            for name in ("user_id", "friend_id", "term", "memory_id")
        ),
    )
    op.create_index("memory_terms_by_memory", "memory_terms", ["memory_id"])
