"""Users, friends, conversations, memories, relationships, threads, traces, leases, journal."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _columns(spec: str) -> list[sa.Column]:  # type: ignore[type-arg]
    """name:t text, name:i integer; ! primary key, ? nullable."""
    out = []
    for word in spec.split():
        name, kind = word.split(":")
        out.append(
            sa.Column(
                name, sa.Integer if kind[0] == "i" else sa.Text, primary_key="!" in kind, nullable="?" in kind
            )
        )
    return out


def upgrade() -> None:
    op.create_table("users", *_columns("user_id:t! state:t answers:t created_at:t"))
    op.create_table(
        "controls",
        *_columns(
            "user_id:t! proactive_messages_enabled:i mute_until:t? suppressed_topics:t suppressed_memory_keys:t"
        ),
    )
    op.create_table("friends", *_columns("friend_id:t! user_id:t assignment:t combo_key:t assigned_at:t"))
    op.create_index("friends_by_user", "friends", ["user_id", "friend_id"])
    op.create_index("friends_by_time", "friends", ["assigned_at"])
    op.create_table("conversations", *_columns("conversation_id:t! user_id:t friend_id:t created_at:t"))
    op.create_index("conversations_by_user", "conversations", ["user_id", "friend_id"])
    op.create_table(
        "messages",
        *_columns(
            "message_id:t! conversation_id:t user_id:t role:t text:t at:t source:t reply_to:t? "
            "surfaced_memory_ids:t extracted_memory_ids:t position:i"
        ),
    )
    op.create_index("messages_in_order", "messages", ["conversation_id", "position"], unique=True)
    op.create_index("messages_by_role", "messages", ["conversation_id", "role", "position"])
    op.create_index("messages_by_reply", "messages", ["reply_to"])
    op.create_table(
        "memories",
        *_columns(
            "memory_id:t! user_id:t friend_id:t type:t memory_key:t memory_value:t confidence:t status:t "
            "created_at:t last_confirmed_at:t source_message_ids:t superseded_by:t? invalid_reason:t? ended_at:t? "
            "paused:i pinned:i"
        ),
    )
    op.create_index("memories_by_scope", "memories", ["user_id", "friend_id", "status", "memory_key"])
    op.create_index("memories_pinned", "memories", ["user_id", "friend_id", "pinned"])
    op.create_index("memories_by_age", "memories", ["user_id", "friend_id", "status", "created_at"])
    active = sa.text("status = 'ACTIVE'")
    op.create_index(
        "memories_one_active",
        "memories",
        ["user_id", "friend_id", "memory_key"],
        unique=True,
        sqlite_where=active,
        postgresql_where=active,
    )
    op.create_table(
        "relationships",
        *_columns(
            "user_id:t! friend_id:t! relationship_stage:t rapport_score:i last_interaction_at:t? "
            "last_stage_promotion_at:t? sessions_count:i last_session_at:t? decay_applied_weeks:i short_replies:i "
            "past_reference_counted:i"
        ),
    )
    op.create_table("traces", *_columns("message_id:t! conversation_id:t user_id:t at:t body:t"))
    op.create_index("traces_by_conversation", "traces", ["conversation_id", "at"])
    op.create_table(
        "leases",
        *_columns("message_id:t! conversation_id:t text:t owner:t claimed_at:t expires_at:t failure:t?"),
    )
    op.create_index("leases_by_conversation", "leases", ["conversation_id"])
    op.create_table(
        "journal",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
        *_columns("kind:t at:t user_id:t policy:t message_id:t? changes:t note:t"),
        sqlite_autoincrement=True,
    )
    op.create_index("journal_by_user", "journal", ["user_id", "seq"])
