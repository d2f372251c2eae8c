"""First tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("triage", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("ran", sa.Text(), nullable=False),
        sa.Column("abstained", sa.Boolean(), nullable=False),
        sa.Column("answer", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("trace", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_runs")),
    )
    op.create_index(op.f("ix_runs_asked_at"), "runs", ["asked_at"], unique=False)
    op.create_index(op.f("ix_runs_expires_at"), "runs", ["expires_at"], unique=False)
    op.create_index(op.f("ix_runs_person"), "runs", ["person"], unique=False)
    op.create_table(
        "citations",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.Column("pmid", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.run_id"], name=op.f("fk_citations_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "n", name=op.f("pk_citations")),
    )
    op.create_index(op.f("ix_citations_doc_id"), "citations", ["doc_id"], unique=False)
    op.create_index(op.f("ix_citations_pmid"), "citations", ["pmid"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_citations_pmid"), table_name="citations")
    op.drop_index(op.f("ix_citations_doc_id"), table_name="citations")
    op.drop_table("citations")
    op.drop_index(op.f("ix_runs_person"), table_name="runs")
    op.drop_index(op.f("ix_runs_expires_at"), table_name="runs")
    op.drop_index(op.f("ix_runs_asked_at"), table_name="runs")
    op.drop_table("runs")
