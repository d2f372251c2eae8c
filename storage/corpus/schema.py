"""Tables of the corpus database. What Alembic cannot compare (operator classes, index parameters) is
compared by a test against `pg_indexes` (case F19).

articles 1─1 article_words
         1─n passages 1─1 lexical_documents n─1 lexical_segments 1─n lexical_postings
                      1─1 embedding_<encoder>
"""

from __future__ import annotations

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR

from storage.encoders import MEDCPT, MINILM, EncoderManifest

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# What a retracted article is found by, only to say that it was left out; the vector of a book is too long.
WITHDRAWN_WORDS = "(title || ' ') || left(text, 20000)"

articles = Table(
    "articles",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("doc_id", Text, nullable=False, unique=True),
    Column("key", Text, nullable=False, index=True),  # abstract and full text of one article share it
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),  # passages are spans of it
    Column("record", JSONB, nullable=False),  # the whole Article
    Column("year", SmallInteger, index=True),
    Column("language", Text, nullable=False),
    Column("publication_types", ARRAY(Text), nullable=False),
    Column("standing", Text, nullable=False),
    Column("standing_checked_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("source", Text, nullable=False, index=True),
    Column("content_hash", Text, nullable=False),
    Column("cut_for", Text, nullable=False),  # the window the passages fit (case F16)
)
Index("ix_articles_publication_types", articles.c.publication_types, postgresql_using="gin")
Index(
    "ix_articles_withdrawn",
    articles.c.key,
    postgresql_where=articles.c.standing.in_(("retracted", "retraction_notice")),
)

Index(
    "ix_articles_standing_checked_at",
    articles.c.standing_checked_at,
    articles.c.id,
    postgresql_where=text("record->>'pmid' IS NOT NULL"),
)
Index(
    "ix_articles_withdrawn_words",
    text(f"to_tsvector('english'::regconfig, {WITHDRAWN_WORDS})"),
    postgresql_using="gin",
    postgresql_where=articles.c.standing == "retracted",
    _table=articles,
)
# What a boolean search reads (`word_index`). Apart from `articles`, whose rows change with every check of
# their standing.
article_words = Table(
    "article_words",
    metadata,
    Column("article_id", Integer, ForeignKey("articles.id", ondelete="CASCADE"), primary_key=True),
    Column("words", TSVECTOR, nullable=False),
    Column("earliest", Date),  # the span in which it may have been published (case F09)
    Column("latest", Date),
)
Index("ix_article_words_words", article_words.c.words, postgresql_using="gin")

passages = Table(
    "passages",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("article_id", Integer, ForeignKey("articles.id", ondelete="CASCADE"), nullable=False),
    Column("idx", SmallInteger, nullable=False),
    Column("section", Text),
    Column("page", Integer),
    Column("start", Integer, nullable=False),
    Column("own_start", Integer, nullable=False),
    Column("stop", Integer, nullable=False),
    Column("n_tokens", SmallInteger, nullable=False),
    Column("text", Text, nullable=False),
    UniqueConstraint("article_id", "idx"),
)

lexical_segments = Table(
    "lexical_segments",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("passages", Integer, nullable=False),
    Column("total_length", BigInteger, nullable=False),
)

# Forward index: what a passage says. Postings are a pure function of it.
lexical_documents = Table(
    "lexical_documents",
    metadata,
    Column("passage_id", Integer, ForeignKey("passages.id", ondelete="CASCADE"), primary_key=True),
    Column("segment_id", Integer, ForeignKey("lexical_segments.id"), nullable=False, index=True),
    Column("terms", ARRAY(Text), nullable=False),
    Column("tfs", ARRAY(SmallInteger), nullable=False),
    Column("length", SmallInteger, nullable=False),
)

# Inverted index: blocks of POSTINGS_PER_BLOCK passages, the heaviest first.
lexical_postings = Table(
    "lexical_postings",
    metadata,
    Column("term", Text, primary_key=True),
    Column("segment_id", Integer, ForeignKey("lexical_segments.id", ondelete="CASCADE"), primary_key=True),
    Column("block", Integer, primary_key=True),
    Column("df", Integer, nullable=False),  # passages of the segment that hold the term
    Column("passage_ids", ARRAY(Integer), nullable=False),
    Column("tfs", ARRAY(SmallInteger), nullable=False),
    Column("lengths", ARRAY(SmallInteger), nullable=False),
)
Index("ix_lexical_postings_segment_id", lexical_postings.c.segment_id)

encoders = Table(
    "encoders",
    metadata,
    Column("name", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("manifest", JSONB, nullable=False),
)

marks = Table(
    "marks",  # small notes of the house about the corpus itself, such as which starter library it holds
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

HNSW = {"m": 16, "ef_construction": 100}  # our choice; recall measured by `make bench`


def embedding_table(manifest: EncoderManifest, into: MetaData = metadata) -> Table:
    """The table of one encoder's vectors of passages."""
    return vector_table(manifest.table, "passage_id", "passages.id", manifest, into)


def vector_table(name: str, key: str, owner: str, manifest: EncoderManifest, into: MetaData) -> Table:
    """One encoder's vectors in half precision, one a row of `owner`, with their HNSW index."""
    table = Table(
        name,
        into,
        Column(key, Integer, ForeignKey(owner, ondelete="CASCADE"), primary_key=True),
        Column("embedding", HALFVEC(manifest.dimensions), nullable=False),
    )
    Index(
        f"ix_{name}_embedding",
        table.c.embedding,
        postgresql_using="hnsw",
        postgresql_with=HNSW,
        postgresql_ops={"embedding": operator_class(manifest)},
    )
    return table


_OPERATORS = {"cosine": ("<=>", "halfvec_cosine_ops"), "inner_product": ("<#>", "halfvec_ip_ops")}


def distance_operator(manifest: EncoderManifest) -> str:
    """Operator and operator class come from one place, so that the index can serve the query (F19)."""
    return _OPERATORS[manifest.distance][0]


def operator_class(manifest: EncoderManifest) -> str:
    return _OPERATORS[manifest.distance][1]


embedding_tables = {manifest.name: embedding_table(manifest) for manifest in (MINILM, MEDCPT)}
