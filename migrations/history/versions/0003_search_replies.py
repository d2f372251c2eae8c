"""What literature searches replied, kept with the run they were asked for."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_replies",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("reply", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.run_id"], name=op.f("fk_search_replies_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "key", name=op.f("pk_search_replies")),
    )
    op.create_index(op.f("ix_search_replies_key"), "search_replies", ["key"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_search_replies_key"), table_name="search_replies")
    op.drop_table("search_replies")
