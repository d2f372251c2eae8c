"""Connections to the two databases, and what is checked before the first query."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from sqlalchemy import make_url, text
from sqlalchemy.exc import ArgumentError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from config import Settings
from storage.errors import DatabaseTooNew, DatabaseTooOld, ExtensionMissing, ServerUnavailable

if TYPE_CHECKING:
    from storage.postgres import ServerAddress

LEAST_POSTGRES = 150000
LEAST_PGVECTOR = (0, 8, 4)
NAMES = ("corpus", "history")


@dataclass(frozen=True, slots=True)
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


def _checked(url: str) -> str:
    """A URL in psycopg's spelling. Raises ServerUnavailable where it is none."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        raise ServerUnavailable("A database URL cannot be read.") from None
    if parsed.get_backend_name() not in ("postgresql", "postgres"):
        raise ServerUnavailable("A database URL does not begin with postgresql://.")
    return parsed.set(drivername="postgresql").render_as_string(hide_password=False)


def create_engine(url: str, *, pool_size: int = 8) -> AsyncEngine:
    """An engine on psycopg 3; JIT off, since it costs more than our short queries take."""
    return create_async_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_pre_ping=False,
        hide_parameters=True,  # parameters are patients' words
        connect_args={"connect_timeout": 5, "options": "-c jit=off -c statement_timeout=120000"},
    )


@asynccontextmanager
async def connect(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """One transaction; a server that is gone becomes ServerUnavailable."""
    try:
        async with engine.begin() as connection:
            yield connection
    except (OperationalError, InterfaceError) as error:
        raise ServerUnavailable(_first_line(error)) from None


def _first_line(error: Exception) -> str:
    lines = str(getattr(error, "orig", error)).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__


async def check_server(engine: AsyncEngine, *, vector: bool) -> str:
    """Refuse what is too old; create `vector` where needed. Returns the versions in words.

    Raises ServerUnavailable, DatabaseTooOld, ExtensionMissing.
    """
    async with connect(engine) as connection:
        version = int((await connection.execute(text("SHOW server_version_num"))).scalar_one())
        if version < LEAST_POSTGRES:
            raise DatabaseTooOld(f"This server is {version // 10000}.")
        words = f"PostgreSQL {version // 10000}.{version % 10000}"
        if not vector:
            return words
        query = text("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        pgvector = (await connection.execute(query)).scalar()
    if pgvector is None:
        raise ExtensionMissing
    if tuple(int(part) for part in pgvector.split(".")[:3]) < LEAST_PGVECTOR:
        raise DatabaseTooOld(f"This pgvector is {pgvector}.")
    return f"{words}, pgvector {pgvector}"


def create_extension(url: str) -> None:
    """Create `vector` if it is missing; serialised, since simultaneous creators collide (case F19)."""
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone():
                return
            connection.execute("SELECT pg_advisory_lock(hashtext('carecite.schema'))")
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.OperationalError as error:
        raise ServerUnavailable(_first_line(error)) from None
    except (
        psycopg.errors.InsufficientPrivilege,
        psycopg.errors.FeatureNotSupported,
        psycopg.errors.UndefinedFile,
    ):
        raise ExtensionMissing from None


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
