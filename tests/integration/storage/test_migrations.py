"""Schemas come up from nothing, go down and up again, and match the tables in the code (case F19)."""

from __future__ import annotations

import re

import psycopg
import pytest
from procrastinate.schema import SchemaManager
from sqlalchemy import create_engine, make_url

from storage.schema import differences, downgrade, metadata_of, upgrade
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import query

SCHEMAS = ("corpus", "history")
_ROUTINES = """
SELECT proname, pg_get_function_identity_arguments(oid), prosrc FROM pg_proc
WHERE proname LIKE 'procrastinate%' ORDER BY 1, 2
"""
_INDEXES = """
SELECT indexname, indexdef FROM pg_indexes
WHERE schemaname = 'public' AND tablename NOT LIKE 'alembic%' ORDER BY 1
"""
_COLUMNS = """
SELECT table_name, column_name, ordinal_position, udt_name, is_nullable, column_default, is_identity,
       character_maximum_length FROM information_schema.columns
WHERE table_schema = 'public' AND table_name NOT LIKE 'alembic%' ORDER BY 1, 2
"""
_TYPES = """
SELECT a.attrelid::regclass::text, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
JOIN pg_class c ON c.oid = a.attrelid WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  AND a.attnum > 0 AND c.relname NOT LIKE 'alembic%' ORDER BY 1, 2
"""
_CONSTRAINTS = """
SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE 'alembic%' ORDER BY 1, 2
"""


def schema_of(url: str) -> list[list[tuple[object, ...]]]:
    return [query(url, question) for question in (_COLUMNS, _TYPES, _INDEXES, _CONSTRAINTS)]


def make_tables(url: str, name: str) -> None:
    """The tables as the code has them, without any migration."""
    if name == "corpus":
        query(url, "CREATE EXTENSION vector")
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    metadata_of(name).create_all(engine)
    engine.dispose()


@pytest.mark.parametrize("name", SCHEMAS)
def test_up_down_and_up_again(new_database: NewDatabase, name: str) -> None:
    url = new_database(None)
    assert upgrade(url, name)
    assert differences(url, name) == []
    first = schema_of(url)
    downgrade(url, name)
    assert schema_of(url) == [[], [], [], []]
    assert upgrade(url, name)
    assert schema_of(url) == first
    assert not upgrade(url, name)


@pytest.mark.parametrize("name", SCHEMAS)
def test_fresh_tables_equal_migrated_ones(new_database: NewDatabase, name: str) -> None:
    """Index definitions too: operator classes and parameters, which autogenerate does not compare."""
    migrated, fresh = new_database(name), new_database(None)
    make_tables(fresh, name)
    for ours, theirs in zip(schema_of(migrated), schema_of(fresh), strict=True):
        assert [row for row in ours if not of_queue(row)] == theirs


def _without_places(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """A column that came later stands behind those that came with the table."""
    return [tuple(value for value in row if not isinstance(value, int)) for row in rows]


def of_queue(row: tuple[object, ...]) -> bool:
    return "procrastinate_" in f"{row[0]} {row[1]}"


def test_the_queue_is_that_of_the_package_installed(new_database: NewDatabase) -> None:
    """A newer package with migrations of its own fails here, and wants a revision of ours."""
    migrated, fresh = new_database("history"), new_database(None)
    with psycopg.connect(fresh, autocommit=True) as connection:
        connection.execute(SchemaManager.get_schema())
    for question in (_COLUMNS, _INDEXES, _ROUTINES):
        ours = [row for row in query(migrated, question) if of_queue(row)]
        assert _without_places(ours) == _without_places(query(fresh, question)) != []


def test_the_queue_goes_whole(new_database: NewDatabase) -> None:
    """Routines and types too, which another upgrade would stumble over."""
    url = new_database("history")
    downgrade(url, "history")
    assert query(url, _ROUTINES) == []
    assert query(url, "SELECT typname FROM pg_type WHERE typname LIKE 'procrastinate%'") == []


@pytest.mark.parametrize(
    ("index", "operators"),
    [
        ("ix_embedding_minilm_embedding", "halfvec_cosine_ops"),
        ("ix_embedding_medcpt_embedding", "halfvec_ip_ops"),
    ],
)
def test_vector_indexes(new_database: NewDatabase, index: str, operators: str) -> None:
    definitions = dict(query(new_database("corpus"), _INDEXES))
    found = re.search(r"USING (\w+) \(embedding (\w+)\) WITH \((.*)\)", definitions[index])
    assert found
    assert found.groups() == ("hnsw", operators, "m='16', ef_construction='100'")


def test_a_changed_operator_class_is_seen(new_database: NewDatabase) -> None:
    """The comparison above can fail: alembic sees nothing here, the definitions do."""
    migrated, altered = new_database("corpus"), new_database("corpus")
    query(altered, "DROP INDEX ix_embedding_minilm_embedding")
    query(
        altered,
        "CREATE INDEX ix_embedding_minilm_embedding ON embedding_minilm"
        " USING hnsw (embedding halfvec_l2_ops)",
    )
    assert differences(altered, "corpus") == []
    assert query(altered, _INDEXES) != query(migrated, _INDEXES)


def test_tables_of_added_encoders_are_left_alone(new_database: NewDatabase) -> None:
    url = new_database("corpus")
    query(url, "CREATE TABLE embedding_house (passage_id int PRIMARY KEY, embedding halfvec(8) NOT NULL)")
    assert differences(url, "corpus") == []
    query(url, "CREATE TABLE strange (id int)")
    assert [change[0] for change in differences(url, "corpus")] == ["remove_table"]  # type: ignore[index]


def test_both_schemas_may_share_a_database(new_database: NewDatabase) -> None:
    url = new_database("corpus")
    assert upgrade(url, "history")
    assert not upgrade(url, "corpus")
    downgrade(url, "history")
    assert query(url, "SELECT count(*) FROM articles") == [(0,)]
