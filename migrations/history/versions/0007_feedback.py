"""What people think of answers; it goes with the answer and with the person."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "feedback",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("helpful", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("given_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "reason IS NULL OR NOT helpful", name=op.f("ck_feedback_reasons_of_what_did_not_help")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_feedback_person_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.run_id"], name=op.f("fk_feedback_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "person_id", name=op.f("pk_feedback")),
    )
    op.create_index("ix_feedback_person_id", "feedback", ["person_id"], unique=False)


def downgrade() -> None:
    op.drop_table("feedback")
