"""`carecite graph import`, step by step: read and check, store, embed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from config import Settings

if TYPE_CHECKING:
    from reasoning.retrieval.graphs import Draft
    from storage.corpus.graph import GraphLabel, GraphRecord

Progress = Callable[[str, int, int], None]  # step, done, of how many


@dataclass(frozen=True, slots=True)
class Import:
    """What an import found and did; nothing is `stored` in a dry run, nor of a version that is here."""

    draft: Draft
    record: GraphRecord
    stored: bool = False
    embedded: int = 0


async def import_graph(
    settings: Settings,
    path: Path,
    format_name: str,
    label: GraphLabel,
    progress: Progress,
    *,
    dry_run: bool,
    embeddings: bool,
) -> Import:
    """Nothing but the file is touched in a dry run. Raises ReadingError, StorageError, EncoderError."""
    from reasoning.retrieval.graphs import read_graph

    draft = await asyncio.to_thread(
        read_graph, path, format_name, label, lambda done, of: progress("reading", done, of)
    )
    record = await asyncio.to_thread(draft.finish)
    if dry_run or not record.entities:
        return Import(draft, record)
    stored, embedded = await _store(settings, record, progress, embeddings=embeddings)
    return Import(draft, record, stored, embedded)


async def _store(
    settings: Settings, record: GraphRecord, progress: Progress, *, embeddings: bool
) -> tuple[bool, int]:
    from bot.app import load_configured_encoder, open_stores, prepare_databases
    from reasoning.retrieval.graphs import embed_names
    from storage.encoders import MINILM

    urls = await asyncio.to_thread(prepare_databases, settings)
    encoder = await asyncio.to_thread(load_configured_encoder, settings) if embeddings else None
    async with open_stores(urls, encoder.manifest if encoder else MINILM) as stores:
        stored = await stores.graph.replace(record, lambda done, of: progress("storing", done, of))
        embedded = 0
        if encoder:
            async for embedded, of in embed_names(stores.graph.restricted([record.label.name]), encoder):
                progress("embedding", embedded, of)
        return stored, embedded
