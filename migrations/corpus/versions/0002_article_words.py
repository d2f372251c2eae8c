"""The words of articles, for boolean search."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from storage.corpus.records import article_from_json
from storage.corpus.word_index import index_row

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_BATCH = 500


def upgrade() -> None:
    op.create_table(
        "article_words",
        sa.Column("article_id", sa.Integer(), nullable=False),
        sa.Column("words", postgresql.TSVECTOR(), nullable=False),
        sa.Column("earliest", sa.Date(), nullable=True),
        sa.Column("latest", sa.Date(), nullable=True),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name=op.f("fk_article_words_article_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("article_id", name=op.f("pk_article_words")),
    )
    _fill()
    op.create_index(
        "ix_article_words_words", "article_words", ["words"], unique=False, postgresql_using="gin"
    )


def _fill() -> None:
    """Index the articles that are already here, in statements of a bounded size."""
    connection = op.get_bind()
    batch = sa.text("SELECT id, record FROM articles WHERE id > :last ORDER BY id LIMIT :size")
    last = 0
    while rows := connection.execute(batch, {"last": last, "size": _BATCH}).all():
        last = rows[-1].id
        entries = [(row.id, index_row(article_from_json(row.record))) for row in rows]
        connection.execute(
            sa.text(
                "INSERT INTO article_words VALUES"
                " (:article_id, CAST(:words AS tsvector), CAST(:earliest AS date), CAST(:latest AS date))"
            ),
            [{"article_id": key, **entry} for key, entry in entries],
        )


def downgrade() -> None:
    op.drop_table("article_words")
