"""Index builds that failed are found and redone, and no build keeps writers waiting (case F19.5)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import psycopg
import pytest

from storage.schema import broken_indexes, repair_indexes
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import query

INDEX = "ix_embedding_minilm_embedding"
BUILD = (
    f"CREATE INDEX CONCURRENTLY {INDEX} ON embedding_minilm USING hnsw (embedding halfvec_cosine_ops)"
    " WITH (m=16, ef_construction=100)"
)
REBUILD = f"REINDEX INDEX CONCURRENTLY {INDEX}"
BUILDING = "SELECT count(*) FROM pg_stat_progress_create_index WHERE datname = current_database()"
ARTICLE = """
INSERT INTO articles (doc_id, key, title, text, record, language, publication_types, standing, source,
                      content_hash, cut_for)
VALUES (%s, %s, '', '', '{}', 'en', '{}', 'ok', 'pubmed', '', '') RETURNING id
"""
PASSAGE = """
INSERT INTO passages (article_id, idx, start, own_start, stop, n_tokens, text)
VALUES (%s, 0, 0, 0, 1, 1, 'x') RETURNING id
"""
VECTOR = "INSERT INTO embedding_minilm SELECT %s, array_fill(%s::float4, ARRAY[384])::halfvec"


def add_vector(connection: psycopg.Connection, doc_id: str) -> None:
    (article,) = connection.execute(ARTICLE, (doc_id, doc_id)).fetchone() or (None,)
    (passage,) = connection.execute(PASSAGE, (article,)).fetchone() or (None,)
    connection.execute(VECTOR, (passage, 0.5))


@pytest.fixture
def filled(new_database: NewDatabase) -> str:
    url = new_database("corpus")
    with psycopg.connect(url) as connection:
        for n in range(50):
            add_vector(connection, str(n))
    return url


def cancel_while_building(url: str, build: str) -> None:
    """Run a concurrent build that waits for an older transaction until it is cancelled, as by a restart."""
    with psycopg.connect(url) as older, psycopg.connect(url, autocommit=True) as builder:
        add_vector(older, "held")
        builder.execute("SET statement_timeout = 300")
        with pytest.raises(psycopg.errors.QueryCanceled):
            builder.execute(build)
        older.rollback()


def definitions(url: str) -> dict[str, str]:
    return dict(query(url, "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"))


@pytest.mark.parametrize(
    ("build", "broken"), [(BUILD, INDEX), (REBUILD, f"{INDEX}_ccnew")], ids=["build", "rebuild"]
)
def test_a_build_that_failed_half_way(filled: str, build: str, broken: str) -> None:
    before = definitions(filled)
    assert broken_indexes(filled) == []
    if build == BUILD:
        query(filled, f"DROP INDEX {INDEX}")
    cancel_while_building(filled, build)
    assert broken_indexes(filled) == [broken]
    assert repair_indexes(filled) == [broken]
    assert broken_indexes(filled) == []
    assert definitions(filled) == before


@pytest.mark.parametrize(
    "rebuild", [repair_indexes, lambda url: query(url, REBUILD)], ids=["repair", "reindex"]
)
def test_writers_do_not_wait_for_a_build(filled: str, rebuild: Callable[[str], object]) -> None:
    """A build is held up half-way by an older transaction; meanwhile rows come in and are found later."""
    if rebuild is repair_indexes:
        query(filled, f"DROP INDEX {INDEX}")
        cancel_while_building(filled, BUILD)
    with psycopg.connect(filled) as older:
        add_vector(older, "older")
        thread = threading.Thread(target=rebuild, args=(filled,))
        thread.start()
        deadline = time.monotonic() + 30
        while query(filled, BUILDING) == [(0,)]:
            assert time.monotonic() < deadline, "no build began"
            time.sleep(0.02)
        assert broken_indexes(filled) == []  # it is being built, not broken
        with psycopg.connect(filled) as writer:
            writer.execute("SET lock_timeout = 5000")
            add_vector(writer, "meanwhile")
        assert thread.is_alive()
        older.commit()
    thread.join(30)
    assert not thread.is_alive()
    assert broken_indexes(filled) == []
    with psycopg.connect(filled) as reader:
        reader.execute("SET LOCAL enable_seqscan = off")
        reader.execute("SET LOCAL hnsw.ef_search = 200")
        statement = (
            "SELECT count(*) FROM (SELECT 1 FROM embedding_minilm ORDER BY embedding <=>"
            " array_fill(0.5::float4, ARRAY[384])::halfvec LIMIT 100) s"
        )
        assert f"Index Scan using {INDEX}" in str(reader.execute(f"EXPLAIN {statement}").fetchall())
        assert reader.execute(statement).fetchone() == (52,)
