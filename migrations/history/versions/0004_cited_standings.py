"""The standing of what kept answers cite, as the last check found it."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cited_standings",
        sa.Column("pmid", sa.Text(), nullable=False),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("pmid", name=op.f("pk_cited_standings")),
    )


def downgrade() -> None:
    op.drop_table("cited_standings")
