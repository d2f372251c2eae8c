"""The corpus seen through a further encoder: a planned re-embedding (case F21)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.app import load_named_encoder, open_stores, prepare_databases
from config import Settings
from reasoning.retrieval.graphs import embed_names
from reasoning.retrieval.indexing import encode_all

BATCH = 512


async def embed_for(settings: Settings, name: str, say: Callable[[str], None]) -> int:
    """Embed every passage and every name of a graph that has no vector of this encoder yet; returns how many
    passages.

    Raises ModelMissing, and TextTooLong where the passages were cut for a longer window.
    """
    encoder = await asyncio.to_thread(load_named_encoder, settings, name)
    urls = await asyncio.to_thread(prepare_databases, settings, say)
    done = last = 0
    async with open_stores(urls, encoder.manifest) as stores:
        if await stores.corpus.adopt():
            say("Another model of this name made the old vectors; they are replaced.")
        while batch := await stores.corpus.missing_passages(last, BATCH):
            vectors = await asyncio.to_thread(encode_all, encoder, [(row.title, row.text) for row in batch])
            done += await stores.corpus.store_vectors([row.passage_id for row in batch], vectors)
            last = batch[-1].passage_id
            say(f"{done} passages embedded …")
        async for names, of in embed_names(stores.graph, encoder):
            say(f"{names} of {of} names of the graphs embedded …")
    return done
