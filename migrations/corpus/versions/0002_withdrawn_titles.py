"""Titles of retracted articles, so that asking after them does not read all articles."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NAME = "ix_articles_withdrawn_title"


def upgrade() -> None:
    op.create_index(
        NAME,
        "articles",
        [sa.text("to_tsvector('english', title)")],
        postgresql_using="gin",
        postgresql_where=sa.text("standing = 'retracted'"),
    )


def downgrade() -> None:
    op.drop_index(NAME, table_name="articles", postgresql_using="gin")
