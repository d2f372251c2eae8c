"""What is checked and set up before the first query: versions, extension, schema (case F19)."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from psycopg import sql
from psycopg.pq import TransactionStatus
from pydantic import SecretStr
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine

import storage.database
from config import Settings
from config.settings import Database
from storage.corpus import Corpus
from storage.database import (
    check_server,
    connect,
    create_engine,
    newest_revision,
    open_urls,
    stored_revision,
)
from storage.errors import (
    DatabaseDamaged,
    DatabaseTooNew,
    DatabaseTooOld,
    ExtensionMissing,
    QueryTooSlow,
    ServerUnavailable,
    StorageError,
)
from storage.schema import upgrade
from tests.integration.conftest import NewDatabase, url_of
from tests.integration.storage.documents import query

ROOT = Path(__file__).resolve().parents[3]
STARTING = Path(__file__).with_name("starting.py")
TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"


def test_eight_processes_start_at_once(new_database: NewDatabase) -> None:
    """Three times, since not every time they collide."""
    urls = [new_database(None) for _ in range(3)]
    command = [sys.executable, str(STARTING), *urls]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, said.stderr
    assert [Counter(outcomes) for outcomes in json.loads(said.stdout)] == [{"upgraded": 1, "ready": 7}] * 3
    assert {stored_revision(url, "corpus") for url in urls} == {newest_revision("corpus")}


@pytest.fixture(scope="module")
def clinic(server: str) -> tuple[str, str]:
    """A role that may connect, and no more; its password."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE ROLE clinic LOGIN PASSWORD 'socks'")
    return "clinic", "socks"


def test_missing_extension(server: str, new_database: NewDatabase, clinic: tuple[str, str]) -> None:
    user, password = clinic
    database = psycopg.conninfo.conninfo_to_dict(new_database(None))["dbname"]
    as_clinic = url_of(server, str(database), user=user, password=password)
    with pytest.raises(ExtensionMissing) as refused:
        upgrade(as_clinic, "corpus")
    assert refused.value.remedy.endswith("CREATE EXTENSION vector;")
    assert query(as_clinic, TABLES) == [(0,)]
    for remedy in ("CREATE EXTENSION vector;", f"GRANT CREATE ON SCHEMA public TO {user}"):
        query(url_of(server, str(database)), remedy)
    assert upgrade(as_clinic, "corpus")


async def test_missing_extension_at_start(new_database: NewDatabase) -> None:
    engine = create_engine(new_database("history"))
    assert (await check_server(engine, vector=False)).startswith("PostgreSQL ")
    with pytest.raises(ExtensionMissing):
        await check_server(engine, vector=True)
    await engine.dispose()


async def test_versions_in_words(corpus_url: str) -> None:
    engine = create_engine(corpus_url)
    words = await check_server(engine, vector=True)
    await engine.dispose()
    versions = query(corpus_url, "SHOW server_version") + query(
        corpus_url, "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
    )
    assert words == "PostgreSQL {}, pgvector {}".format(*(row[0] for row in versions))


@pytest.mark.parametrize(
    ("name", "least", "said"),
    [("LEAST_PGVECTOR", (99, 0, 0), "This pgvector is 0."), ("LEAST_POSTGRES", 990000, "This server is ")],
)
async def test_too_old(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch, name: str, least: object, said: str
) -> None:
    """Refused at start, and before anything is migrated; by numbers, not by letters (0.10 is above 0.8)."""
    ready, empty = new_database("corpus"), new_database(None)
    monkeypatch.setattr(storage.database, name, least)
    engine = create_engine(ready)
    with pytest.raises(DatabaseTooOld, match=said):
        await check_server(engine, vector=True)
    await engine.dispose()
    with pytest.raises(DatabaseTooOld, match=said):
        upgrade(empty, "corpus")
    assert query(empty, TABLES) == [(0,)]


def test_an_extension_older_than_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's files are new enough, the database still has the old extension."""
    monkeypatch.setattr(storage.database, "LEAST_PGVECTOR", (0, 10, 0))
    with pytest.raises(DatabaseTooOld) as refused:
        storage.database._judge(180000, "0.9.2", "0.10.1", vector=True)
    assert refused.value.remedy.endswith("ALTER EXTENSION vector UPDATE;")
    assert storage.database._judge(180000, "0.10.0", "0.10.1", vector=True).endswith("pgvector 0.10.0")


@pytest.mark.parametrize("name", ["corpus", "history"])
def test_too_new(new_database: NewDatabase, name: str) -> None:
    url = new_database(name)
    query(url, f"UPDATE alembic_version_{name} SET version_num = '9999'")
    for refused in (lambda: stored_revision(url, name), lambda: upgrade(url, name)):
        with pytest.raises(DatabaseTooNew, match="9999"):
            refused()


def test_revision_of_an_empty_database(new_database: NewDatabase) -> None:
    assert stored_revision(new_database(None), "corpus") is None


async def test_nobody_listens(server: str, unused_tcp_port: int) -> None:
    url = f"postgresql://carecite:x@127.0.0.1:{unused_tcp_port}/corpus"
    with pytest.raises(ServerUnavailable):
        stored_revision(url, "corpus")
    with pytest.raises(ServerUnavailable):
        upgrade(url, "corpus")
    engine = create_engine(url)
    with pytest.raises(ServerUnavailable) as refused:
        await check_server(engine, vector=True)
    assert refused.value.retryable
    await engine.dispose()


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("SELECT pg_terminate_backend(pg_backend_pid())", ServerUnavailable),
        ("SELECT pg_sleep(60)", QueryTooSlow),
        ("SELECT 1 FROM passages", DatabaseDamaged),
        ("SELECT 1 FROM pg_authid", DatabaseDamaged),
    ],
)
async def test_failures_have_names(
    server: str, new_database: NewDatabase, clinic: tuple[str, str], statement: str, error: type[StorageError]
) -> None:
    database = str(psycopg.conninfo.conninfo_to_dict(new_database(None))["dbname"])
    engine = create_engine(url_of(server, database, user=clinic[0], password=clinic[1]))
    with pytest.raises(error) as raised:
        await run_impatiently(engine, statement)
    assert raised.value.remedy
    async with connect(engine) as connection:  # the pool has let go of the broken connection
        assert (await connection.execute(text("SELECT 1"))).scalar() == 1
    await engine.dispose()


async def run_impatiently(engine: AsyncEngine, statement: str) -> None:
    async with connect(engine) as connection:
        await connection.execute(text("SET LOCAL statement_timeout = 100"))
        await connection.execute(text(statement))


async def test_single_statements_open_no_transaction(corpus: Corpus) -> None:
    """Reads send one statement, without BEGIN and COMMIT around it; writes are transactions."""
    states = []
    for engine in (corpus._reading, corpus._engine):
        async with connect(engine) as connection:
            await connection.execute(text("SELECT 1"))
            driver = (await connection.get_raw_connection()).driver_connection
            states.append(driver.info.transaction_status)  # type: ignore[union-attr]
    assert states == [TransactionStatus.IDLE, TransactionStatus.INTRANS]


async def test_all_connections_in_use(corpus_url: str) -> None:
    engine = create_engine(corpus_url, pool_size=1)
    engine.sync_engine.pool._timeout = 0.05  # type: ignore[attr-defined]
    async with connect(engine), connect(engine):
        with pytest.raises(ServerUnavailable):
            async with connect(engine):
                await asyncio.sleep(0)
    await engine.dispose()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_names_and_passwords_of_any_kind(server: str, scheme: str) -> None:
    """A configured URL keeps its percent signs: blanks, quotes, pluses and colons may be in both."""
    name, password, user = f'{scheme} "day+night"', "a b+c:d/e@f%", f"night {scheme}"
    with psycopg.connect(server, autocommit=True) as connection:
        role = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
        connection.execute(role.format(sql.Identifier(user), sql.Literal(password)))
        database = sql.SQL("CREATE DATABASE {} OWNER {}")
        connection.execute(database.format(sql.Identifier(name), sql.Identifier(user)))
    parts = make_url(server)
    who = f"{quote(user, safe='')}:{quote(password, safe='')}"
    url = SecretStr(f"{scheme}://{who}@{parts.host}:{parts.port}/{quote(name, safe='')}")
    settings = Settings(corpus=Database(url=url), history=Database(url=url))
    opened = open_urls(settings)
    assert opened.corpus == opened.history
    assert upgrade(opened.history, "history")
    assert stored_revision(opened.history, "history") == newest_revision("history")


@pytest.mark.parametrize("url", ["mysql://x@localhost/y", "no url at all", "postgresql://a:b:c@d:e/f"])
def test_a_url_of_another_kind(url: str) -> None:
    bad = Database(url=SecretStr(url))
    with pytest.raises(ServerUnavailable) as refused:
        open_urls(Settings(corpus=bad, history=bad))
    assert url not in str(refused.value)
