"""Tables of the graphs, in the corpus database.

graphs 1─n entities 1─n entity_names 1─1 embedding_<encoder>_names
                    └─2 ends of facts
"""

from __future__ import annotations

from pathlib import Path

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
    event,
    func,
)

from storage.corpus.schema import metadata, vector_table
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

# Both orders are indexed: a path walks facts against their direction too. The ends are no foreign keys:
# checking them took more than half of an import's time, and facts come and go with all of their graph only.
facts = Table(
    "facts",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("head_id", Integer, nullable=False),
    Column("relation", Text, nullable=False),
    Column("tail_id", Integer, nullable=False),
    Column("sources", ARRAY(Text), nullable=False),
    UniqueConstraint("head_id", "tail_id", "relation"),
)
Index("ix_facts_tail_id_head_id", facts.c.tail_id, facts.c.head_id)


# What a path search calls, by the name that migrations create it under.
FUNCTIONS = {
    file.stem: file.read_text(encoding="utf-8")
    for file in sorted((Path(__file__).parent / "graph").glob("*.sql"))
}
event.listen(facts, "after_create", lambda _, bind, **__: bind.exec_driver_sql(FUNCTIONS["graph_paths_1"]))


def names_table(manifest: EncoderManifest) -> str:
    """Where one encoder's vectors of names are."""
    return f"{manifest.table}_names"


def name_vectors(manifest: EncoderManifest, into: MetaData = metadata) -> Table:
    """The table of one encoder's vectors of names."""
    return vector_table(names_table(manifest), "name_id", "entity_names.id", manifest, into)


name_vector_tables = {manifest.name: name_vectors(manifest) for manifest in (MINILM, MEDCPT)}
