"""Tables of the review, in the history database.

runs 1─1 cases 1─n reviews n─1 staff                staff 1─n grants, staff_sessions, saved_filters
         cases n─n exports                          holds n─1 workspaces

A case is an answer as reviewers find it: facets to filter by, and its words without personal details, to
search in. It goes with its run, and reviews go with it. The audit has no key into any table and none of
anybody's words: what is erased leaves it true. The reasons that people typed are beside it, and may go.
"""

from __future__ import annotations

from typing import Literal, get_args

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Computed,
    DateTime,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    event,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR

from storage.history.schema import identity, key, moment
from storage.history.schema import metadata as metadata
from storage.words import IDEOGRAPH

Verdict = Literal["correct", "incomplete", "unsupported", "unsafe"]
Severity = Literal["none", "minor", "major", "critical"]
Cause = Literal["red_flag", "feedback", "retracted", "asked"]  # why it is in the queue
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
CAUSES: tuple[Cause, ...] = get_args(Cause)
ROLES = ("reviewer", "lead", "auditor", "admin")
STATES = ("open", "assigned", "submitted", "disputed", "confirmed")  # null: not in the queue
# Chinese and Japanese have no spaces: each character is a word, and a query looks for them in sequence.
WORDS = rf"to_tsvector('simple', regexp_replace(masked, '({IDEOGRAPH.pattern})', ' \1 ', 'g'))"


def _one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(map(repr, values))})", name=column)


def _run(*, primary: bool = True, parent: str = "cases") -> Column[str]:
    return Column("run_id", Text, ForeignKey(f"{parent}.run_id", ondelete="CASCADE"), primary_key=primary)


def _of_staff(*, primary: bool = False, index: bool = False) -> Column[int]:
    return Column(
        "account_id", BigInteger, ForeignKey("staff.id"), primary_key=primary, nullable=False, index=index
    )


staff = Table(
    "staff",  # who may sign in; never deleted, so that an audit can name them
    metadata,
    identity(),
    Column("name", Text, nullable=False),
    Column("login", Text, unique=True),  # lower case; null for those who come through OIDC alone
    Column("password", Text),  # argon2id, with its parameters
    Column("sealed_totp", LargeBinary),
    Column("totp_step", BigInteger),  # the last one that was used, which is not taken again
    Column("oidc_hash", LargeBinary, unique=True),  # of issuer and subject
    moment("created_at"),
    moment("disabled_at", nullable=True),
)

grants = Table(
    "grants",
    metadata,
    identity(),
    _of_staff(),
    Column("role", Text, nullable=False),
    key("workspace_id", "workspaces", nullable=True, ondelete="CASCADE"),  # null: all of them
    UniqueConstraint("account_id", "role", "workspace_id", postgresql_nulls_not_distinct=True),
    _one_of("role", ROLES),
)

staff_sessions = Table(
    "staff_sessions",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # of a random token, which only the browser has
    _of_staff(index=True),
    moment("started_at"),
    moment("seen_at"),
    Column("ends_at", DateTime(timezone=True), nullable=False, index=True),  # at the latest
)

failed_logins = Table(
    "failed_logins",
    metadata,
    identity(),
    Column("hash", LargeBinary, nullable=False),  # of a login, or of an address
    moment("failed_at"),
    Index("ix_failed_logins_hash", "hash", "failed_at"),
    Index("ix_failed_logins_failed_at", "failed_at"),
)

_FACETS = {
    "workspace_id": None,
    "platform": None,
    "method": None,
    "language": None,
    "triage": "triage <> 'none'",
    "feedback": "feedback IS NOT NULL",
    "state": "state IS NOT NULL",
    "verdict": "verdict IS NOT NULL",
    "assigned_to": "assigned_to IS NOT NULL",
    "conversation_id": "conversation_id IS NOT NULL",
}
_FLAGS = ("abstained", "degraded")

cases = Table(
    "cases",
    metadata,
    _run(parent="runs"),
    key("workspace_id", "workspaces", nullable=True),  # null: asked on the command line
    key("conversation_id", "conversations", nullable=True, ondelete="SET NULL"),
    key("person_id", "people", nullable=True, ondelete="SET NULL"),
    Column("platform", Text, nullable=False),
    Column("asked_at", DateTime(timezone=True), nullable=False),
    Column("method", Text, nullable=False),  # that ran
    Column("language", Text, nullable=False),
    Column("triage", Text, nullable=False),
    Column("abstained", Boolean, nullable=False),
    Column("degraded", Boolean, nullable=False),
    Column("feedback", Text),  # of all who gave it
    Column("state", Text),
    Column("cause", Text),
    Column("verdict", Text),
    Column("severity", Text),
    key("assigned_to", "staff", nullable=True),
    moment("queued_at", nullable=True),
    moment("reviewed_at", nullable=True),
    Column("seconds", Double),  # from question to answer, in a chat
    Column("masked", Text),  # question and answer without personal details; null: not read yet
    Column("words", TSVECTOR, Computed(WORDS, persisted=True)),
    _one_of("platform", ("slack", "telegram", "local")),
    _one_of("feedback", ("helpful", "mixed", "unhelpful")),
    _one_of("state", STATES),
    _one_of("cause", CAUSES),
    _one_of("verdict", VERDICTS),
    _one_of("severity", SEVERITIES),
    Index("ix_cases_asked_at", "asked_at", "run_id"),
    *(
        Index(f"ix_cases_{name}", name, "asked_at", "run_id", postgresql_where=where and text(where))
        for name, where in _FACETS.items()
    ),
    *(Index(f"ix_cases_{name}", "asked_at", "run_id", postgresql_where=text(name)) for name in _FLAGS),
    Index("ix_cases_person_id", "person_id", postgresql_where=text("person_id IS NOT NULL")),
    Index("ix_cases_words", "words", postgresql_using="gin"),
    Index("ix_cases_unread", "run_id", postgresql_where=text("masked IS NULL")),
)

reviews = Table(
    "reviews",  # what one reviewer thinks of one answer
    metadata,
    _run(),
    _of_staff(primary=True, index=True),
    Column("draft", Boolean, nullable=False),
    Column("verdict", Text),
    Column("severity", Text),
    Column("corrected", Text),  # the answer as it should have been
    Column("note", Text),
    moment("changed_at"),
    _one_of("verdict", VERDICTS),
    _one_of("severity", SEVERITIES),
    CheckConstraint("draft OR verdict IS NOT NULL", name="submitted_with_a_verdict"),
)

saved_filters = Table(
    "saved_filters",  # never with words to search for, which may be a patient's
    metadata,
    identity(),
    _of_staff(),
    Column("name", Text, nullable=False),
    Column("filters", JSONB, nullable=False),
    UniqueConstraint("account_id", "name"),
)

holds = Table(
    "holds",  # nothing it covers is erased because of its age
    metadata,
    identity(),
    key("workspace_id", "workspaces"),
    key("conversation_id", "conversations", nullable=True, ondelete="CASCADE"),  # null: all of them
    Column("placed_by", BigInteger),  # of staff; null: the command line
    moment("placed_at"),
    moment("lifted_at", nullable=True),
    Index("ix_holds_workspace_id", "workspace_id", postgresql_where=text("lifted_at IS NULL")),
    Index("ix_holds_conversation_id", "conversation_id"),
)

exports = Table(
    "exports",  # that something left the house; the file is with whoever asked for it
    metadata,
    identity(),
    Column("account_id", BigInteger),  # null: the command line
    Column("format", Text, nullable=False),
    Column("rows", Integer, nullable=False),
    moment("made_at"),
)

exported_cases = Table(
    "exported_cases",
    metadata,
    _run(),
    Column(
        "export_id",
        BigInteger,
        ForeignKey("exports.id", ondelete="CASCADE"),
        primary_key=True,
        index=True,
    ),
)

audit = Table(
    "audit",  # append-only: see REFUSAL
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # without gaps
    Column("at", DateTime(timezone=True), nullable=False),
    Column("actor", Text, nullable=False),  # account:N, operator or carecite
    Column("role", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject_kind", Text, nullable=False),
    Column("subject_id", Text),
    Column("workspace_id", BigInteger),
    Column("request_id", Text),
    Column("refused", Boolean, nullable=False),
    Column("reason_hash", LargeBinary),  # salted
    Column("hash", LargeBinary, nullable=False),  # SHA-256 of the row before and of this one
    Index("ix_audit_subject", "subject_kind", "subject_id", "id"),
    Index("ix_audit_actor", "actor", "id"),
    Index("ix_audit_action", "action", "id"),
)

audit_reasons = Table(
    "audit_reasons",  # what somebody typed; goes with the subject, if that is erased
    metadata,
    Column("audit_id", BigInteger, primary_key=True, autoincrement=False),
    Column("salt", LargeBinary, nullable=False),
    Column("reason", Text, nullable=False),
)

REFUSAL = (
    """
CREATE FUNCTION carecite_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'insufficient_privilege'; END $$
""",
    """
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE ON audit
FOR EACH ROW EXECUTE FUNCTION carecite_refuse_change()
""",
    """
CREATE TRIGGER audit_is_never_emptied BEFORE TRUNCATE ON audit
FOR EACH STATEMENT EXECUTE FUNCTION carecite_refuse_change()
""",
)
for _statement in REFUSAL:
    event.listen(audit, "after_create", DDL(_statement))  # type: ignore[no-untyped-call]
