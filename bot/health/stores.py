"""Database and encoder: without them nothing is answered."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from bot.health.findings import Finding
from config import Settings

LONGEST_UNCHECKED = timedelta(days=14)  # twice the age at which a check is due


async def check_database(settings: Settings) -> Finding:
    from bot.app import prepare_databases
    from storage.database import check_server, create_engine
    from storage.errors import StorageError

    try:
        urls = await asyncio.to_thread(prepare_databases, settings)
        engine = create_engine(urls.corpus, pool_size=1)
        try:
            words = await check_server(engine, vector=True)
        finally:
            await engine.dispose()
            urls.release()
    except StorageError as error:
        return Finding("database", False, str(error), error.remedy)
    places = {"corpus": settings.corpus.url, "history": settings.history.url}
    own = [name for name, url in places.items() if url]
    where = f"own server for {' and '.join(own)}" if own else "embedded server"
    return Finding("database", True, f"{words}, {where}")


async def check_standing(settings: Settings) -> Finding:
    """How long ago the standing of any cached PubMed record was read (case F12)."""
    from bot.app import open_stores, prepare_databases
    from storage.encoders import MINILM
    from storage.errors import StorageError

    try:
        urls = await asyncio.to_thread(prepare_databases, settings, names=("corpus",))
        async with open_stores(urls, MINILM) as stores:  # no vector is looked at
            oldest = await stores.corpus.oldest_check()
    except StorageError:
        return Finding("standing", None, "not known without the database")
    if oldest is None:
        return Finding("standing", None, "no PubMed record is cached")
    words = f"oldest check of a cached PubMed record: {oldest.date()}"
    if datetime.now(UTC) - oldest <= LONGEST_UNCHECKED:
        return Finding("standing", True, words)
    remedy = "Run `carecite ingest --refresh`, and keep `carecite worker` running: it checks each night."
    return Finding("standing", False, f"{words}; what was retracted since is not known", remedy)


async def check_encoder(settings: Settings) -> Finding:
    from bot.app import load_configured_encoder
    from reasoning.encoders import EncoderError

    try:
        encoder = await asyncio.to_thread(load_configured_encoder, settings)
    except EncoderError as error:
        return Finding("encoder", False, str(error), error.remedy)
    manifest = encoder.manifest
    return Finding("encoder", True, f"{manifest.name}, {manifest.dimensions} dimensions, {manifest.dtype}")
