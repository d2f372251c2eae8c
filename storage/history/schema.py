"""Tables of the history database. It holds snapshots of what it cites, never a key into the corpus.

runs 1─n citations, model_replies, search_replies             runs 1─n feedback n─1 people
workspaces 1─n people 1─n inbox n─1 runs                      inbox 1─n outbox
           1─n lanes 1─n conversations 1─n inbox              lanes 1─n outbox

What reviewers need beside it is in `storage.history.review_tables`.

A `hash` is keyed (HMAC-SHA-256), a `sealed` value encrypted (AES-GCM); both keys are outside the database.
Platform ids and tokens are kept in no other way.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)

runs = Table(
    "runs",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("person", Text, nullable=False, index=True),  # "local" for the command line
    Column("question", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("triage", Text, nullable=False),
    Column("method", Text, nullable=False),
    Column("ran", Text, nullable=False),
    Column("abstained", Boolean, nullable=False),
    Column("answer", JSONB, nullable=False),  # the object of `ask --json`
    Column("trace", JSONB, nullable=False),
    Column("asked_at", DateTime(timezone=True), nullable=False, server_default=func.now(), index=True),
    Column("expires_at", DateTime(timezone=True), index=True),
)

citations = Table(
    "citations",
    metadata,
    Column("run_id", Text, ForeignKey("runs.run_id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("doc_id", Text, nullable=False, index=True),
    Column("pmid", Text, index=True),
    Column("title", Text, nullable=False),
    Column("url", Text),
    Column("quote", Text, nullable=False),
    Column("standing", Text, nullable=False),  # as it was then
)

cited_standings = Table(
    "cited_standings",  # of the PMIDs in `citations`, as the last check found them
    metadata,
    Column("pmid", Text, primary_key=True),
    Column("standing", Text, nullable=False),
    Column("checked_at", DateTime(timezone=True), nullable=False),
    Column("since", DateTime(timezone=True), nullable=False),  # first check that found this standing
)

model_replies = Table(
    "model_replies",
    metadata,
    Column("run_id", Text, ForeignKey("runs.run_id", ondelete="CASCADE"), primary_key=True),
    Column("key", Text, primary_key=True, index=True),  # SHA-256 of all that was sent
    Column("reply", JSONB, nullable=False),
)

search_replies = Table(
    "search_replies",
    metadata,
    Column("run_id", Text, ForeignKey("runs.run_id", ondelete="CASCADE"), primary_key=True),
    Column("key", Text, primary_key=True, index=True),  # SHA-256 of all that was asked
    Column("reply", JSONB, nullable=False),
    Column("kept_at", DateTime(timezone=True), nullable=False),  # when the door gave it
)


def identity() -> Column[int]:
    return Column("id", BigInteger, Identity(always=True), primary_key=True)


def key(name: str, target: str, *, nullable: bool = False, ondelete: str | None = None) -> Column[int]:
    return Column(name, BigInteger, ForeignKey(f"{target}.id", ondelete=ondelete), nullable=nullable)


def moment(name: str, *, nullable: bool = False) -> Column[object]:
    return Column(
        name, DateTime(timezone=True), nullable=nullable, server_default=None if nullable else func.now()
    )


workspaces = Table(
    "workspaces",  # a Slack workspace, or a Telegram bot
    metadata,
    identity(),
    Column("platform", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("sealed_id", LargeBinary),  # null once it was uninstalled
    Column("sealed_tokens", LargeBinary),
    Column("update_offset", BigInteger),  # Telegram: the next update to ask for
    moment("free_at"),  # nothing is sent to it before
    moment("installed_at"),
    moment("removed_at", nullable=True),
    Column("kept_days", Integer),  # null: KEPT_DAYS
    UniqueConstraint("platform", "hash"),
)

people = Table(
    "people",
    metadata,
    identity(),
    key("workspace_id", "workspaces"),
    Column("hash", LargeBinary, nullable=False),
    Column("sealed_id", LargeBinary, nullable=False),
    Column("consent", Text, nullable=False),
    moment("consent_at", nullable=True),
    Column("language", Text),
    moment("first_seen"),
    UniqueConstraint("workspace_id", "hash"),
    CheckConstraint("consent IN ('unasked', 'given', 'withdrawn')", name="consent"),
)

lanes = Table(
    "lanes",  # a channel or chat, in which messages go out one after another
    metadata,
    identity(),
    key("workspace_id", "workspaces"),
    Column("platform", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("shared", Boolean, nullable=False),  # a group has slower limits
    moment("free_at"),  # pace: nothing goes out before
    moment("due_at", nullable=True),  # when the sender looks next; null: nothing waits
    UniqueConstraint("workspace_id", "hash"),
    Index("ix_lanes_due", "platform", "due_at", postgresql_where=text("due_at IS NOT NULL")),
    Index("ix_lanes_due_there", "workspace_id", "due_at", postgresql_where=text("due_at IS NOT NULL")),
)

conversations = Table(
    "conversations",  # in a thread, a topic or a direct chat, between two silences
    metadata,
    identity(),
    key("workspace_id", "workspaces"),
    key("lane_id", "lanes"),
    Column("hash", LargeBinary, nullable=False),
    Column("sealed_place", LargeBinary, nullable=False),
    moment("opened_at"),
    moment("last_at"),
    moment("closed_at", nullable=True),
    Index("ix_conversations_lane_id", "lane_id"),
    Index(
        "ix_conversations_open",
        "workspace_id",
        "hash",
        unique=True,
        postgresql_where=text("closed_at IS NULL"),
    ),
)

inbox = Table(
    "inbox",  # every delivery that was ever taken; a question has its words here
    metadata,
    identity(),
    key("workspace_id", "workspaces"),
    Column("key_hash", LargeBinary, nullable=False),  # of what the platform repeats when it delivers twice
    Column("message_hash", LargeBinary),  # of the message, by which edits and deletes name it
    Column("sealed_message", LargeBinary),
    Column("kind", Text, nullable=False),
    Column("state", Text),  # of a question
    Column("reason", Text),  # a code: why it was parked or refused, or why there is no answer
    key("person_id", "people", nullable=True),
    key("conversation_id", "conversations", nullable=True),
    Column("text", Text),
    Column("edited_text", Text),  # it was edited after the answer
    Column("revision", Integer, nullable=False, server_default="0"),  # edits before the answer
    Column("attempt", Integer, nullable=False, server_default="0"),  # the newest claim
    Column("job_id", BigInteger),
    Column("run_id", Text, ForeignKey("runs.run_id", ondelete="SET NULL")),
    moment("received_at"),
    moment("finished_at", nullable=True),
    UniqueConstraint("workspace_id", "key_hash"),
    UniqueConstraint("workspace_id", "message_hash"),
    CheckConstraint("kind IN ('question', 'waiting', 'refused', 'handled', 'parked')", name="kind"),
    CheckConstraint(
        "state IN ('received', 'working', 'answered', 'abstained', 'apologised', 'withdrawn')", name="state"
    ),
    CheckConstraint("(kind = 'question') = (state IS NOT NULL)", name="questions_have_a_state"),
    CheckConstraint(
        "kind = 'question' AND state <> 'withdrawn' OR coalesce(text, edited_text) IS NULL",
        name="words_of_questions",
    ),
    Index("ix_inbox_person_id", "person_id", "id"),
    Index("ix_inbox_conversation_id", "conversation_id", "id"),
    Index("ix_inbox_received_at", "received_at"),
    Index("ix_inbox_run_id", "run_id", postgresql_where=text("run_id IS NOT NULL")),
    Index(
        "ix_inbox_unfinished",
        "received_at",
        postgresql_where=text("state IN ('received', 'working')"),
    ),
)

outbox = Table(
    "outbox",  # what is to be posted or edited, and what was
    metadata,
    identity(),
    key("inbox_id", "inbox", ondelete="CASCADE"),
    key("lane_id", "lanes"),
    key("conversation_id", "conversations", nullable=True),
    Column("sealed_place", LargeBinary),  # instead of a conversation, for somebody who has not agreed yet
    Column("part", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("target", Text),  # the part whose message an edit changes
    Column("body", JSONB),  # null once it was sent
    Column("state", Text, nullable=False, server_default="pending"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("last_error", Text),  # a code
    Column("sealed_message", LargeBinary),  # the platform's id of what was posted
    moment("created_at"),
    moment("sent_at", nullable=True),
    UniqueConstraint("inbox_id", "part"),
    CheckConstraint("kind IN ('post', 'edit', 'file')", name="kind"),
    CheckConstraint("state IN ('pending', 'sending', 'sent', 'failed')", name="state"),
    CheckConstraint("(conversation_id IS NULL) <> (sealed_place IS NULL)", name="place"),
    Index("ix_outbox_conversation_id", "conversation_id"),
    Index("ix_outbox_lane_id", "lane_id"),
    Index("ix_outbox_waiting", "lane_id", "id", postgresql_where=text("state IN ('pending', 'sending')")),
)

feedback = Table(
    "feedback",  # what somebody thinks of an answer; it goes with either
    metadata,
    Column("run_id", Text, ForeignKey("runs.run_id", ondelete="CASCADE"), primary_key=True),
    Column(
        "person_id", BigInteger, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True
    ),
    Column("helpful", Boolean, nullable=False),
    Column("reason", Text),  # a code
    moment("given_at"),
    CheckConstraint("reason IS NULL OR NOT helpful", name="reasons_of_what_did_not_help"),
)

person_days = Table(
    "person_days",
    metadata,
    Column("person_id", BigInteger, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("day", Date, primary_key=True),  # UTC
    Column("questions", Integer, nullable=False),
)

tallies = Table(
    "tallies",  # counts of a workspace that name nobody: `questions`, their `end:…`, `level:…` before consent
    metadata,
    Column("workspace_id", BigInteger, ForeignKey("workspaces.id"), primary_key=True),
    Column("day", Date, primary_key=True),  # UTC
    Column("what", Text, primary_key=True),
    Column("n", Integer, nullable=False),
)

erasures = Table(
    "erasures",  # that something was erased, when and how much; not whose
    metadata,
    identity(),
    key("workspace_id", "workspaces"),
    Column("scope", Text, nullable=False),
    Column("counts", JSONB, nullable=False),
    moment("erased_at"),
)
