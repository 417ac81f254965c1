"""Proactive messages, reminders, app opens, channels, and the jobs that see to them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    _table(
        "outreach",
        "retention_id user_id friend_id conversation_id kind status text created_at opener channel",
        "about memory_id notification_id delivered_at acknowledged_by acknowledged_at seen_at reason",
    )
    op.create_index("outreach_by_user", "outreach", ["user_id", "created_at"])
    _table(
        "reminders",
        "reminder_id user_id friend_id conversation_id text due_at timezone status created_at language",
        "message_id kept_at",
    )
    op.create_index("reminders_by_user", "reminders", ["user_id", "status"])
    _table("app_opens", "open_id user_id at", "notification_id retention_id reason")
    op.create_index("app_opens_by_user", "app_opens", ["user_id"])
    _table("channels", "channel_id user_id kind address secret created_at", "removed_at")
    op.create_index("channels_by_user", "channels", ["user_id"])
    _table(
        "jobs",
        "job_id kind payload status result created_at",
        "user_id owner claimed_at error finished_at",
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=True),
        sa.Column("attempts", sa.Integer, nullable=False),
    )
    op.create_index("jobs_due", "jobs", ["status", "due"])
    op.create_index("jobs_by_user", "jobs", ["user_id"])


def _table(name: str, needed: str, may_be_null: str, *more: sa.Column[int]) -> None:
    """The first of the needed columns is the key."""
    first, *rest = needed.split()
    op.create_table(
        name,
        sa.Column(first, sa.Text, primary_key=True),
        *(sa.Column(n, sa.Text, nullable=False) for n in rest),
        *(sa.Column(n, sa.Text, nullable=True) for n in may_be_null.split()),
        *more,
    )
