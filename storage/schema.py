"""Bringing a database to the newest schema: Alembic behind one lock (case F19)."""

from __future__ import annotations

import re

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, make_url

from storage.database import MIGRATIONS, newest_revision, prepare_server, stored_revision


def alembic_config(url: str, name: str) -> Config:
    """Alembic's settings for one of the databases; the URL travels as an attribute, never through a file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS / name))
    config.set_main_option("path_separator", "os")
    config.attributes["url"] = str(make_url(url).set(drivername="postgresql+psycopg").render_as_string(False))
    return config


def upgrade(url: str, name: str) -> bool:
    """Bring one database to the newest revision; True if something changed. Safe from many processes at once.

    Raises ServerUnavailable, DatabaseTooOld, DatabaseTooNew, ExtensionMissing.
    """
    if stored_revision(url, name) == newest_revision(name):
        return False
    prepare_server(url, vector=name == "corpus")
    with psycopg.connect(url, autocommit=True) as lock:
        lock.execute("SELECT pg_advisory_lock(hashtext('carecite.schema'))")
        if stored_revision(url, name) == newest_revision(name):
            return False
        command.upgrade(alembic_config(url, name), "head")
    return True


def downgrade(url: str, name: str, revision: str = "base") -> None:
    command.downgrade(alembic_config(url, name), revision)


def differences(url: str, name: str) -> list[object]:
    """What Alembic sees different between a database and the tables in the code."""
    from alembic.autogenerate import compare_metadata

    metadata = metadata_of(name)
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    try:
        with engine.connect() as connection:
            context = MigrationContext.configure(
                connection,
                opts={
                    "compare_type": True,
                    "include_name": include_name,
                    "version_table": f"alembic_version_{name}",
                },
            )
            return list(compare_metadata(context, metadata))
    finally:
        engine.dispose()


def metadata_of(name: str):  # type: ignore[no-untyped-def]
    if name == "corpus":
        from storage.corpus.schema import metadata
    else:
        from storage.history.review_tables import metadata
    return metadata


def include_name(name: str | None, type_: str, parent: object) -> bool:
    """Added encoders bring tables of their own, which no migration knows; the queue's are procrastinate's."""
    from storage.corpus.graph_tables import name_vector_tables
    from storage.corpus.schema import embedding_tables

    known = {table.name for table in (*embedding_tables.values(), *name_vector_tables.values())}
    if type_ != "table" or not name:
        return True
    return not name.startswith("procrastinate_") and (not name.startswith("embedding_") or name in known)


_BROKEN = """
SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE NOT i.indisvalid AND c.relnamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT 1 FROM pg_stat_progress_create_index b WHERE b.relid = i.indrelid)
ORDER BY 1
"""
_LEFTOVER = re.compile(r"_cc(?:new|old)\d*\"?$")  # of a REINDEX CONCURRENTLY that failed


def broken_indexes(url: str) -> list[str]:
    """Indexes whose concurrent build failed half-way; a table with a build under way is not judged.

    `repair_indexes` builds them anew.
    """
    with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
        return [str(name) for (name,) in connection.execute(_BROKEN).fetchall()]


def repair_indexes(url: str) -> list[str]:
    """Rebuild broken indexes without blocking writers, and drop leftovers of an earlier rebuild.

    Returns their names.
    """
    names = broken_indexes(url)
    with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
        for name in names:
            verb = "DROP" if _LEFTOVER.search(name) else "REINDEX"
            connection.execute(f"{verb} INDEX CONCURRENTLY {name}")
    return names
