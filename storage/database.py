"""Connections to the two databases, and what is checked before the first query."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from sqlalchemy import make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from config import Settings
from storage.errors import (
    DatabaseDamaged,
    DatabaseTooNew,
    DatabaseTooOld,
    ExtensionMissing,
    QueryTooSlow,
    ServerUnavailable,
    StorageError,
)

if TYPE_CHECKING:
    from storage.postgres import ServerAddress

LEAST_POSTGRES = 150000
LEAST_PGVECTOR = (0, 8, 4)
NAMES = ("corpus", "history")


@dataclass(frozen=True, slots=True, repr=False)
class DatabaseUrls:
    """Where the databases are, as psycopg URLs. Never printed: they hold passwords."""

    corpus: str
    history: str
    embedded: ServerAddress | None = None  # keeps the embedded server running until it is released

    def release(self) -> None:
        """Let the embedded server stop once nobody else uses it."""
        if self.embedded:
            self.embedded.release()


def open_urls(settings: Settings) -> DatabaseUrls:
    """The configured URLs; whichever is unset is served by the embedded server, started on demand.

    Blocking (up to a second). Raises HomeUnusable and ServerUnavailable.
    """
    given = {name: getattr(settings, name).url for name in NAMES}
    urls = {name: _checked(url.get_secret_value()) for name, url in given.items() if url}
    address = None
    if len(urls) < len(NAMES):
        from storage.postgres import create_database, ensure_server

        address = ensure_server(settings.home)
        for name in NAMES:
            if name not in urls:
                create_database(address, f"carecite_{name}")
                urls[name] = address.url(f"carecite_{name}")
    return DatabaseUrls(**urls, embedded=address)


_SCHEME = re.compile(r"^postgres(?:ql)?(?:\+\w+)?://")


def _checked(url: str) -> str:
    """A URL in psycopg's spelling, otherwise as given. Raises ServerUnavailable where it is none."""
    try:
        make_url(url)
    except (ArgumentError, ValueError):
        raise ServerUnavailable("A database URL cannot be read.") from None
    if not _SCHEME.match(url):
        raise ServerUnavailable("A database URL does not begin with postgresql://.")
    return _SCHEME.sub("postgresql://", url)


# Set with the connection, so that a search is one statement and needs no transaction. JIT costs more than our
# short queries take. An iterative scan goes on until enough rows pass the filter (case F18).
_SESSION = (
    "jit=off",
    "statement_timeout=120000",
    "hnsw.ef_search=200",  # recall@10 of 19,000 passages: 100 gives 0.988, 200 0.997 (`make bench`)
    "hnsw.iterative_scan=strict_order",
    "hnsw.max_scan_tuples=40000",
)


def create_engine(url: str, *, pool_size: int = 8) -> AsyncEngine:
    """An engine on psycopg 3."""
    return create_async_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_pre_ping=False,
        hide_parameters=True,  # parameters are patients' words
        connect_args={"connect_timeout": 5, "options": " ".join(f"-c {option}" for option in _SESSION)},
    )


@asynccontextmanager
async def connect(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """One transaction, or single statements on an engine in AUTOCOMMIT.

    Raises ServerUnavailable, QueryTooSlow, DatabaseDamaged.
    """
    try:
        async with engine.begin() as connection:
            yield connection
    except (DBAPIError, psycopg.Error, PoolExhausted) as error:
        if explained := _explain(error):
            raise explained from None
        raise


_DAMAGE = (
    psycopg.errors.UndefinedTable,
    psycopg.errors.UndefinedColumn,
    psycopg.errors.UndefinedObject,
    psycopg.errors.InsufficientPrivilege,
    psycopg.InternalError,  # data_corrupted, index_corrupted
)


def _explain(error: Exception) -> StorageError | None:
    """What a driver's error means to us; None for one that only a mistake of ours can cause."""
    cause = getattr(error, "orig", error)  # SQLAlchemy wraps the driver's
    if isinstance(cause, psycopg.errors.QueryCanceled):
        return QueryTooSlow()
    if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError | PoolExhausted):
        return ServerUnavailable(_first_line(cause))
    if isinstance(cause, _DAMAGE):
        return DatabaseDamaged(_first_line(cause))
    return None


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__


_VERSIONS = """
SELECT current_setting('server_version_num')::int,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
       (SELECT default_version FROM pg_available_extensions WHERE name = 'vector')
"""


async def check_server(engine: AsyncEngine, *, vector: bool) -> str:
    """Refuse what is too old or lacks pgvector. Returns the versions in words.

    Raises ServerUnavailable, DatabaseTooOld, ExtensionMissing.
    """
    async with connect(engine) as connection:
        postgres, pgvector, available = (await connection.execute(text(_VERSIONS))).one()
    return _judge(postgres, pgvector, available, vector=vector)


def _judge(postgres: int, pgvector: str | None, available: str | None, *, vector: bool) -> str:
    if postgres < LEAST_POSTGRES:
        raise DatabaseTooOld(f"This server is {postgres // 10000}.")
    words = f"PostgreSQL {postgres // 10000}.{postgres % 10000}"
    if not vector:
        return words
    if pgvector is None:
        raise ExtensionMissing
    if _numbers(pgvector) < LEAST_PGVECTOR:
        update = "Ask the administrator to run, in that database: ALTER EXTENSION vector UPDATE;"
        remedy = update if available and _numbers(available) >= LEAST_PGVECTOR else None
        raise DatabaseTooOld(f"This pgvector is {pgvector}.", remedy=remedy)
    return f"{words}, pgvector {pgvector}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def prepare_server(url: str, *, vector: bool) -> None:
    """Refuse what is too old, and create `vector` if it is needed and missing.

    Serialised, since simultaneous creators collide (case F19). Raises ServerUnavailable, DatabaseTooOld,
    ExtensionMissing.
    """
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
            if vector:
                connection.execute("SELECT pg_advisory_lock(hashtext('carecite.schema'))")
                if not connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone():
                    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            versions = connection.execute(_VERSIONS).fetchone()
    except psycopg.OperationalError as error:
        raise ServerUnavailable(_first_line(error)) from None
    except (
        psycopg.errors.InsufficientPrivilege,
        psycopg.errors.FeatureNotSupported,
        psycopg.errors.UndefinedFile,
    ):
        raise ExtensionMissing from None
    assert versions
    _judge(*versions, vector=vector)


MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"


def newest_revision(name: str) -> str:
    """Revisions are numbered files, so that a start needs no Alembic to know the newest."""
    return max(path.stem.split("_", 1)[0] for path in (MIGRATIONS / name / "versions").glob("[0-9]*.py"))


def stored_revision(url: str, name: str) -> str | None:
    """The revision a database is at; None for an empty one. Raises ServerUnavailable, DatabaseTooNew."""
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            table = f"alembic_version_{name}"
            if connection.execute("SELECT to_regclass(%s)", (table,)).fetchone() == (None,):
                return None
            row = connection.execute(f"SELECT version_num FROM {table}").fetchone()
    except psycopg.OperationalError as error:
        raise ServerUnavailable(_first_line(error)) from None
    revision = str(row[0]) if row else None
    if revision and revision > newest_revision(name):
        raise DatabaseTooNew(f"Its {name} schema is {revision}, this carecite knows {newest_revision(name)}.")
    return revision
