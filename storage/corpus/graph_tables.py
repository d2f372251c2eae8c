"""Tables of the graphs, in the corpus database.

graphs 1─n entities 1─n entity_names 1─1 embedding_<encoder>_names
                    └─2 ends of facts
"""

from __future__ import annotations

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ARRAY,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    func,
)

from storage.corpus.schema import HNSW, metadata, operator_class
from storage.encoders import MEDCPT, MINILM, EncoderManifest

graphs = Table(
    "graphs",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("version", Text, nullable=False),  # hash of the content
    Column("language", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("licence", Text, nullable=False),
    Column("imported_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)

entities = Table(
    "entities",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("graph_id", Integer, ForeignKey("graphs.id", ondelete="CASCADE"), nullable=False),
    Column("code", Text, nullable=False),  # of the source (HP:0000822); the folded name where it has none
    Column("name", Text, nullable=False),
    Column("kinds", ARRAY(Text), nullable=False),
    Column("degree", Integer, nullable=False),  # facts it is an end of
    UniqueConstraint("graph_id", "code"),
)

entity_names = Table(
    "entity_names",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("entity_id", Integer, ForeignKey("entities.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False, index=True),
    Column("role", Text, nullable=False),  # name, alias, or lay for a patient's word
    Column("grams", ARRAY(Text), nullable=False),
)
Index("ix_entity_names_grams", entity_names.c.grams, postgresql_using="gin")

# Both orders are indexed: a path walks facts against their direction too.
facts = Table(
    "facts",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("head_id", Integer, ForeignKey("entities.id", ondelete="CASCADE"), nullable=False),
    Column("relation", Text, nullable=False),
    Column("tail_id", Integer, ForeignKey("entities.id", ondelete="CASCADE"), nullable=False),
    Column("sources", ARRAY(Text), nullable=False),
    UniqueConstraint("head_id", "tail_id", "relation"),
)
Index("ix_facts_tail_id_head_id", facts.c.tail_id, facts.c.head_id)


def names_table(manifest: EncoderManifest) -> str:
    """Where one encoder's vectors of names are."""
    return f"{manifest.table}_names"


def name_vectors(manifest: EncoderManifest, into: MetaData = metadata) -> Table:
    """The table of one encoder's vectors of names, half precision, with its HNSW index."""
    name = names_table(manifest)
    table = Table(
        name,
        into,
        Column("name_id", Integer, ForeignKey("entity_names.id", ondelete="CASCADE"), primary_key=True),
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


name_vector_tables = {manifest.name: name_vectors(manifest) for manifest in (MINILM, MEDCPT)}
