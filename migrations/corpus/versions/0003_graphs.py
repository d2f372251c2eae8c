"""Knowledge graphs: entities with their names, facts between them, and the names' vectors."""

import sqlalchemy as sa
from alembic import op
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_VECTORS = {"embedding_minilm_names": (384, "cosine"), "embedding_medcpt_names": (768, "ip")}


def upgrade() -> None:
    op.create_table(
        "graphs",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("licence", sa.Text(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_graphs")),
        sa.UniqueConstraint("name", name=op.f("uq_graphs_name")),
    )
    op.create_table(
        "entities",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("graph_id", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kinds", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("degree", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["graph_id"], ["graphs.id"], name=op.f("fk_entities_graph_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entities")),
        sa.UniqueConstraint("graph_id", "code", name=op.f("uq_entities_graph_id_code")),
    )
    op.create_table(
        "entity_names",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("entity_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("grams", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ["entity_id"], ["entities.id"], name=op.f("fk_entity_names_entity_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entity_names")),
    )
    op.create_index(op.f("ix_entity_names_entity_id"), "entity_names", ["entity_id"])
    op.create_index(op.f("ix_entity_names_folded"), "entity_names", ["folded"])
    op.create_index("ix_entity_names_grams", "entity_names", ["grams"], postgresql_using="gin")
    op.create_table(
        "facts",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("head_id", sa.Integer(), nullable=False),
        sa.Column("relation", sa.Text(), nullable=False),
        sa.Column("tail_id", sa.Integer(), nullable=False),
        sa.Column("sources", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ["head_id"], ["entities.id"], name=op.f("fk_facts_head_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tail_id"], ["entities.id"], name=op.f("fk_facts_tail_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_facts")),
        sa.UniqueConstraint("head_id", "tail_id", "relation", name=op.f("uq_facts_head_id_tail_id_relation")),
    )
    op.create_index("ix_facts_tail_id_head_id", "facts", ["tail_id", "head_id"])
    for table, (dimensions, distance) in _VECTORS.items():
        _create_vectors(table, dimensions, f"halfvec_{distance}_ops")


def _create_vectors(table: str, dimensions: int, operators: str) -> None:
    op.create_table(
        table,
        sa.Column("name_id", sa.Integer(), nullable=False),
        sa.Column("embedding", HALFVEC(dim=dimensions), nullable=False),
        sa.ForeignKeyConstraint(
            ["name_id"], ["entity_names.id"], name=op.f(f"fk_{table}_name_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("name_id", name=op.f(f"pk_{table}")),
    )
    op.create_index(
        f"ix_{table}_embedding",
        table,
        ["embedding"],
        postgresql_using="hnsw",
        postgresql_with={"m": 16, "ef_construction": 100},
        postgresql_ops={"embedding": operators},
    )


def downgrade() -> None:
    for table in (*_VECTORS, "facts", "entity_names", "entities", "graphs"):
        op.drop_table(table)
