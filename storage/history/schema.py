"""Tables of the history database. It holds snapshots of what it cites, never a key into the corpus."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Integer, MetaData, Table, Text, func
from sqlalchemy.dialects.postgresql import JSONB

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
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
