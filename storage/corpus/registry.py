"""Which encoder made which vectors (case F21)."""

from __future__ import annotations

import json
from dataclasses import asdict

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.encoders import EncoderManifest
from storage.errors import EncoderMismatch

FINGERPRINT = "SELECT fingerprint FROM encoders WHERE name = :name"
_INSERT = """
INSERT INTO encoders (name, fingerprint, manifest) VALUES (:name, :fingerprint, CAST(:manifest AS jsonb))
ON CONFLICT (name) DO NOTHING
"""


async def register_encoder(connection: AsyncConnection, manifest: EncoderManifest) -> None:
    """Note the encoder at its first use; refuse another model under the same name.

    Raises EncoderMismatch.
    """
    found = text(FINGERPRINT)
    stored = (await connection.execute(found, {"name": manifest.name})).scalar()
    if stored is None:
        manifest_json = json.dumps(asdict(manifest), sort_keys=True)
        params = {"name": manifest.name, "fingerprint": manifest.fingerprint(), "manifest": manifest_json}
        await connection.execute(text(_INSERT), params)
    else:
        refuse_other(stored, manifest)


def refuse_other(stored: str | None, manifest: EncoderManifest) -> None:
    """Raises EncoderMismatch where the vectors at hand were made by another model than this."""
    if stored is not None and stored != manifest.fingerprint():
        raise EncoderMismatch(
            f"The index `{manifest.name}` was made with {stored}, now {manifest.fingerprint()} is set."
        )


async def replace_encoder(connection: AsyncConnection, manifest: EncoderManifest) -> bool:
    """Drop the vectors of another model of the same name, and note this one; True if there was another."""
    found = text("DELETE FROM encoders WHERE name = :name AND fingerprint <> :fingerprint")
    params = {"name": manifest.name, "fingerprint": manifest.fingerprint()}
    replaced = bool((await connection.execute(found, params)).rowcount)
    if replaced:
        await connection.execute(text(f"TRUNCATE {manifest.table}"))
    await register_encoder(connection, manifest)
    return replaced
