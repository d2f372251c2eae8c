"""First tables."""

import pgvector.sqlalchemy
import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "articles",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("record", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("year", sa.SmallInteger(), nullable=True),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("publication_types", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.Column(
            "standing_checked_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("cut_for", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_articles")),
        sa.UniqueConstraint("doc_id", name=op.f("uq_articles_doc_id")),
    )
    op.create_index(op.f("ix_articles_key"), "articles", ["key"], unique=False)
    op.create_index(
        "ix_articles_publication_types",
        "articles",
        ["publication_types"],
        unique=False,
        postgresql_using="gin",
    )
    op.create_index(op.f("ix_articles_source"), "articles", ["source"], unique=False)
    op.create_index(
        "ix_articles_withdrawn",
        "articles",
        ["key"],
        unique=False,
        postgresql_where=sa.text("standing IN ('retracted', 'retraction_notice')"),
    )
    op.create_index(op.f("ix_articles_year"), "articles", ["year"], unique=False)
    op.create_table(
        "encoders",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("manifest", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_encoders")),
    )
    op.create_table(
        "lexical_segments",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("passages", sa.Integer(), nullable=False),
        sa.Column("total_length", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lexical_segments")),
    )
    op.create_table(
        "marks",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_marks")),
    )
    op.create_table(
        "lexical_postings",
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("segment_id", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("df", sa.Integer(), nullable=False),
        sa.Column("passage_ids", sa.ARRAY(sa.Integer()), nullable=False),
        sa.Column("tfs", sa.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("lengths", sa.ARRAY(sa.SmallInteger()), nullable=False),
        sa.ForeignKeyConstraint(
            ["segment_id"],
            ["lexical_segments.id"],
            name=op.f("fk_lexical_postings_segment_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("term", "segment_id", "block", name=op.f("pk_lexical_postings")),
    )
    op.create_index("ix_lexical_postings_segment_id", "lexical_postings", ["segment_id"], unique=False)
    op.create_table(
        "passages",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("article_id", sa.Integer(), nullable=False),
        sa.Column("idx", sa.SmallInteger(), nullable=False),
        sa.Column("section", sa.Text(), nullable=True),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("own_start", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Integer(), nullable=False),
        sa.Column("n_tokens", sa.SmallInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name=op.f("fk_passages_article_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passages")),
        sa.UniqueConstraint("article_id", "idx", name=op.f("uq_passages_article_id_idx")),
    )
    op.create_table(
        "embedding_medcpt",
        sa.Column("passage_id", sa.Integer(), nullable=False),
        sa.Column("embedding", pgvector.sqlalchemy.halfvec.HALFVEC(dim=768), nullable=False),
        sa.ForeignKeyConstraint(
            ["passage_id"], ["passages.id"], name=op.f("fk_embedding_medcpt_passage_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("passage_id", name=op.f("pk_embedding_medcpt")),
    )
    op.create_index(
        "ix_embedding_medcpt_embedding",
        "embedding_medcpt",
        ["embedding"],
        unique=False,
        postgresql_using="hnsw",
        postgresql_with={"m": 16, "ef_construction": 100},
        postgresql_ops={"embedding": "halfvec_ip_ops"},
    )
    op.create_table(
        "embedding_minilm",
        sa.Column("passage_id", sa.Integer(), nullable=False),
        sa.Column("embedding", pgvector.sqlalchemy.halfvec.HALFVEC(dim=384), nullable=False),
        sa.ForeignKeyConstraint(
            ["passage_id"], ["passages.id"], name=op.f("fk_embedding_minilm_passage_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("passage_id", name=op.f("pk_embedding_minilm")),
    )
    op.create_index(
        "ix_embedding_minilm_embedding",
        "embedding_minilm",
        ["embedding"],
        unique=False,
        postgresql_using="hnsw",
        postgresql_with={"m": 16, "ef_construction": 100},
        postgresql_ops={"embedding": "halfvec_cosine_ops"},
    )
    op.create_table(
        "lexical_documents",
        sa.Column("passage_id", sa.Integer(), nullable=False),
        sa.Column("segment_id", sa.Integer(), nullable=False),
        sa.Column("terms", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("tfs", sa.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("length", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["passage_id"], ["passages.id"], name=op.f("fk_lexical_documents_passage_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["segment_id"], ["lexical_segments.id"], name=op.f("fk_lexical_documents_segment_id")
        ),
        sa.PrimaryKeyConstraint("passage_id", name=op.f("pk_lexical_documents")),
    )
    op.create_index(
        op.f("ix_lexical_documents_segment_id"), "lexical_documents", ["segment_id"], unique=False
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_lexical_documents_segment_id"), table_name="lexical_documents")
    op.drop_table("lexical_documents")
    op.drop_index(
        "ix_embedding_minilm_embedding",
        table_name="embedding_minilm",
        postgresql_using="hnsw",
        postgresql_with={"m": 16, "ef_construction": 100},
        postgresql_ops={"embedding": "halfvec_cosine_ops"},
    )
    op.drop_table("embedding_minilm")
    op.drop_index(
        "ix_embedding_medcpt_embedding",
        table_name="embedding_medcpt",
        postgresql_using="hnsw",
        postgresql_with={"m": 16, "ef_construction": 100},
        postgresql_ops={"embedding": "halfvec_ip_ops"},
    )
    op.drop_table("embedding_medcpt")
    op.drop_table("passages")
    op.drop_index("ix_lexical_postings_segment_id", table_name="lexical_postings")
    op.drop_table("lexical_postings")
    op.drop_table("marks")
    op.drop_table("lexical_segments")
    op.drop_table("encoders")
    op.drop_index(op.f("ix_articles_year"), table_name="articles")
    op.drop_index("ix_articles_withdrawn", table_name="articles")
    op.drop_index(op.f("ix_articles_source"), table_name="articles")
    op.drop_index("ix_articles_publication_types", table_name="articles", postgresql_using="gin")
    op.drop_index(op.f("ix_articles_key"), table_name="articles")
    op.drop_table("articles")
