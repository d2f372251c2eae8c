"""The oldest checks of standing first, and retracted articles by their words."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_articles_standing_checked_at",
        "articles",
        ["standing_checked_at", "id"],
        unique=False,
        postgresql_where=sa.text("record->>'pmid' IS NOT NULL"),
    )
    op.create_index(
        "ix_articles_withdrawn_words",
        "articles",
        [sa.text("to_tsvector('english'::regconfig, (title || ' ') || left(text, 20000))")],
        unique=False,
        postgresql_using="gin",
        postgresql_where=sa.text("standing = 'retracted'"),
    )


def downgrade() -> None:
    op.drop_index("ix_articles_withdrawn_words", table_name="articles")
    op.drop_index("ix_articles_standing_checked_at", table_name="articles")
