"""Database and encoder: without them nothing is answered."""

from __future__ import annotations

import asyncio

from bot.health.findings import Finding
from config import Settings


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


async def check_encoder(settings: Settings) -> Finding:
    from bot.app import load_configured_encoder
    from reasoning.encoders import EncoderError

    try:
        encoder = await asyncio.to_thread(load_configured_encoder, settings)
    except EncoderError as error:
        return Finding("encoder", False, str(error), error.remedy)
    manifest = encoder.manifest
    return Finding("encoder", True, f"{manifest.name}, {manifest.dimensions} dimensions, {manifest.dtype}")
