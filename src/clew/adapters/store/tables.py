"""The tables, for both databases. Text, integers and nulls only; JSON is canonical text.

`STATE` is what the journal rebuilds; `leases`, `jobs` and derived data stand outside it.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, Text, text

METADATA = MetaData()


def _text(name: str, *, key: bool = False, null: bool = False, default: str | None = None) -> Column[str]:
    return Column(name, Text, primary_key=key, nullable=null, server_default=default)


def _int(name: str, *, key: bool = False, null: bool = False, default: str | None = None) -> Column[int]:
    return Column(name, Integer, primary_key=key, nullable=null, server_default=default)


USERS = Table(
    "users", METADATA,
    _text("user_id", key=True), _text("state"), _text("answers"), _text("created_at"),
)
CONTROLS = Table(
    "controls", METADATA,
    _text("user_id", key=True), _int("proactive_messages_enabled"), _text("mute_until", null=True),
    _text("suppressed_topics"), _text("suppressed_memory_keys"), _text("suppressed_values", default="[]"),
)
FRIENDS = Table(
    "friends", METADATA,
    _text("friend_id", key=True), _text("user_id"), _text("assignment"), _text("combo_key"), _text("assigned_at"),
    Index("friends_by_user", "user_id", "friend_id"),
    Index("friends_by_time", "assigned_at"),
)
CONVERSATIONS = Table(
    "conversations", METADATA,
    _text("conversation_id", key=True), _text("user_id"), _text("friend_id"), _text("created_at"),
    Index("conversations_by_user", "user_id", "friend_id"),
)
MESSAGES = Table(
    "messages", METADATA,
    _text("message_id", key=True), _text("conversation_id"), _text("user_id"), _text("role"), _text("text"),
    _text("at"), _text("source"), _text("reply_to", null=True), _text("surfaced_memory_ids"),
    _text("extracted_memory_ids"), _int("position"), _int("generation", default="0"),
    Index("messages_in_order", "conversation_id", "position", unique=True),
    Index("messages_by_role", "conversation_id", "role", "position"),
    # One reply to a message and generation, by the database itself.
    Index("messages_by_reply", "reply_to", "generation", unique=True),
)
MEMORIES = Table(
    "memories", METADATA,
    _text("memory_id", key=True), _text("user_id"), _text("friend_id"), _text("type"), _text("memory_key"),
    _text("memory_value"), _text("confidence"), _text("status"), _text("created_at"), _text("last_confirmed_at"),
    _text("source_message_ids"), _text("superseded_by", null=True), _text("invalid_reason", null=True),
    _text("ended_at", null=True), _int("paused"), _int("pinned"),
    # Rows that an older journal holds know nothing of these; the database's own defaults stand for them.
    Column("subject", Text, nullable=True, server_default="self"), _text("attribute", null=True),
    _text("statement", null=True), _text("when_start", null=True), _text("when_end", null=True),
    _text("when_text", null=True), _int("sensitive", null=True, default="0"),
    Index("memories_by_scope", "user_id", "friend_id", "status", "memory_key"),
    Index("memories_by_attribute", "user_id", "friend_id", "attribute", "status", "created_at"),
    Index("memories_pinned", "user_id", "friend_id", "pinned"),
    Index("memories_by_age", "user_id", "friend_id", "status", "created_at"),
    # One ACTIVE memory per key, by the database itself; the first migration makes it, for both databases. Told here
    # for one of them: naming the other would load all of it at every start.
    Index(
        "memories_one_active", "user_id", "friend_id", "memory_key", unique=True,
        sqlite_where=text("status = 'ACTIVE'"),
    ),
)
RELATIONSHIPS = Table(
    "relationships", METADATA,
    _text("user_id", key=True), _text("friend_id", key=True), _text("relationship_stage"), _int("rapport_score"),
    _text("last_interaction_at", null=True), _text("last_stage_promotion_at", null=True), _int("sessions_count"),
    _text("last_session_at", null=True), _int("decay_applied_weeks"), _int("short_replies"),
    _int("past_reference_counted"),
)
THREADS = Table(
    "threads", METADATA,
    _text("conversation_id", key=True), _text("id", key=True), _text("user_id"), _text("type"), _text("text"),
    _text("urgency"), _text("status"), _int("opened_turn"), _text("supersedes", null=True), _text("origin"),
    _text("reason", null=True), _text("at"),
    Index("threads_by_status", "conversation_id", "status"),
)
CONTINUITY = Table(
    "continuity", METADATA,
    _text("conversation_id", key=True), _text("user_id"), _text("body"),
)
TRACES = Table(
    "traces", METADATA,
    _text("message_id", key=True), _text("conversation_id"), _text("user_id"), _text("at"), _text("body"),
    Index("traces_by_conversation", "conversation_id", "at"),
)

OUTREACH = Table(
    "outreach", METADATA,
    _text("retention_id", key=True), _text("user_id"), _text("friend_id"), _text("conversation_id"), _text("kind"),
    _text("status"), _text("text"), _text("created_at"), _text("opener"), _text("about", null=True),
    _text("memory_id", null=True), _text("channel"), _text("notification_id", null=True),
    _text("delivered_at", null=True), _text("acknowledged_by", null=True), _text("acknowledged_at", null=True),
    _text("seen_at", null=True), _text("reason", null=True),
    Index("outreach_by_user", "user_id", "created_at"),
)
REMINDERS = Table(
    "reminders", METADATA,
    _text("reminder_id", key=True), _text("user_id"), _text("friend_id"), _text("conversation_id"), _text("text"),
    _text("due_at"), _text("timezone"), _text("status"), _text("created_at"), _text("language"),
    _text("message_id", null=True), _text("kept_at", null=True),
    Index("reminders_by_user", "user_id", "status"),
)
APP_OPENS = Table(
    "app_opens", METADATA,
    _text("open_id", key=True), _text("user_id"), _text("at"), _text("notification_id", null=True),
    _text("retention_id", null=True), _text("reason", null=True),
    Index("app_opens_by_user", "user_id"),
)
CHANNELS = Table(
    "channels", METADATA,
    _text("channel_id", key=True), _text("user_id"), _text("kind"), _text("address"), _text("secret"),
    _text("created_at"), _text("removed_at", null=True),
    Index("channels_by_user", "user_id"),
)

# Derived from the ACTIVE memories: which words lead to which of them.
MEMORY_TERMS = Table(
    "memory_terms", METADATA,
    _text("user_id", key=True), _text("friend_id", key=True), _text("term", key=True), _text("memory_id", key=True),
    Index("memory_terms_by_memory", "memory_id"),
)

# Outside the history.
LEASES = Table(
    "leases", METADATA,
    _text("message_id", key=True), _text("conversation_id"), _text("text"), _text("owner"), _text("claimed_at"),
    _text("expires_at"), _text("failure", null=True),
    Index("leases_by_conversation", "conversation_id"),
)
# Moments as milliseconds, so that they compare as numbers on both databases.
JOBS = Table(
    "jobs", METADATA,
    _text("job_id", key=True), _text("kind"), _text("user_id", null=True), _text("payload"), _text("status"),
    Column("due", BigInteger, nullable=False), _int("attempts"), _text("owner", null=True),
    _text("claimed_at", null=True), Column("expires", BigInteger, nullable=True), _text("error", null=True),
    _text("result"), _text("created_at"), _text("finished_at", null=True),
    Index("jobs_due", "status", "due"),
    Index("jobs_by_user", "user_id"),
)
JOURNAL = Table(
    "journal", METADATA,
    Column("seq", Integer, primary_key=True, autoincrement=True), _text("kind"), _text("at"), _text("user_id"),
    _text("policy"), _text("message_id", null=True), _text("changes"), _text("note"),
    # Its place in the user's hash chain (chain.py).
    _int("number", null=True), _text("salt", null=True), _text("digest", null=True), _text("link", null=True),
    Index("journal_by_user", "user_id", "seq"),
    Index("journal_by_number", "user_id", "number", unique=True),
    sqlite_autoincrement=True,
)

JOURNAL_HEADS = Table(
    "journal_heads", METADATA,
    _text("user_id", key=True), _int("number"), _text("link"),
)

STATE: dict[str, Table] = {
    t.name: t
    for t in (
        USERS, CONTROLS, FRIENDS, CONVERSATIONS, MESSAGES, MEMORIES, RELATIONSHIPS, THREADS, CONTINUITY, TRACES,
        OUTREACH, REMINDERS, APP_OPENS, CHANNELS,
    )
}
