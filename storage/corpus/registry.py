"""Which encoder made which vectors (case F21)."""

from __future__ import annotations

import json
from dataclasses import asdict

from sqlalchemy import Connection, MetaData, text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.graph_tables import entities, entity_names, graphs, name_vectors, names_table
from storage.corpus.schema import articles, embedding_table, passages
from storage.encoders import EncoderManifest
from storage.errors import EncoderMismatch

FINGERPRINT = "SELECT fingerprint FROM encoders WHERE name = :name"
_TABLE = "SELECT to_regclass(:table) IS NOT NULL"
# Estimates of the planner would do, but a corpus that was just loaded has none.
_WITHOUT = "SELECT (SELECT count(*) FROM passages) - (SELECT count(*) FROM {table})"
_INSERT = """
INSERT INTO encoders (name, fingerprint, manifest) VALUES (:name, :fingerprint, CAST(:manifest AS jsonb))
ON CONFLICT (name) DO NOTHING
"""


async def register_encoder(connection: AsyncConnection, manifest: EncoderManifest) -> None:
    """Note the encoder at its first use; refuse another model under the same name.

    Raises EncoderMismatch.
    """
    stored = await read_fingerprint(connection, manifest.name)
    if stored is None:
        manifest_json = json.dumps(asdict(manifest), sort_keys=True)
        params = {"name": manifest.name, "fingerprint": manifest.fingerprint(), "manifest": manifest_json}
        await connection.execute(text(_INSERT), params)
    else:
        refuse_other(stored, manifest)


async def read_fingerprint(connection: AsyncConnection, name: str) -> str | None:
    """Of the model that made the vectors of this name."""
    found: str | None = (await connection.execute(text(FINGERPRINT), {"name": name})).scalar()
    return found


def refuse_other(stored: str | None, manifest: EncoderManifest) -> None:
    """Raises EncoderMismatch where the vectors at hand were made by another model than this."""
    if stored is not None and stored != manifest.fingerprint():
        raise EncoderMismatch(
            f"The index `{manifest.name}` was made with {stored}, now {manifest.fingerprint()} is set."
        )


async def replace_encoder(connection: AsyncConnection, manifest: EncoderManifest) -> bool:
    """Make room for this encoder: its table where it is missing, and no vectors of another model of its
    name; True if there were such."""
    await connection.run_sync(create_table, manifest)
    found = text("DELETE FROM encoders WHERE name = :name AND fingerprint <> :fingerprint")
    params = {"name": manifest.name, "fingerprint": manifest.fingerprint()}
    replaced = bool((await connection.execute(found, params)).rowcount)
    if replaced:
        await connection.execute(text(f"TRUNCATE {manifest.table}, {names_table(manifest)}"))
    await register_encoder(connection, manifest)
    return replaced


def create_table(connection: Connection, manifest: EncoderManifest) -> None:
    """The tables and indexes of an encoder that no migration brought."""
    into = MetaData()
    for table in (articles, passages, graphs, entities, entity_names):
        table.to_metadata(into)
    embedding_table(manifest, into).create(connection, checkfirst=True)
    name_vectors(manifest, into).create(connection, checkfirst=True)


async def count_unembedded(connection: AsyncConnection, manifest: EncoderManifest) -> int:
    """How many passages have no vector of this encoder. Raises EncoderMismatch where it has no table."""
    if not (await connection.execute(text(_TABLE), {"table": manifest.table})).scalar_one():
        raise EncoderMismatch(f"There is no index for {manifest.name} yet.")
    return int((await connection.execute(text(_WITHOUT.format(table=manifest.table)))).scalar_one())
