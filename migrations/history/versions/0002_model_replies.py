"""What models replied, kept with the run they were asked for."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "model_replies",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("reply", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.run_id"], name=op.f("fk_model_replies_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "key", name=op.f("pk_model_replies")),
    )
    op.create_index(op.f("ix_model_replies_key"), "model_replies", ["key"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_model_replies_key"), table_name="model_replies")
    op.drop_table("model_replies")
