"""Graphs for measuring: each in a database of its own, with what is compared on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from bot.app import Workshop
from bot.cli.evaluating import patient_limits
from bot.measuring import open_measuring_database
from config import Settings
from reasoning.encoders import AsyncEncoder
from reasoning.evaluation.graph_arms import Bench, Documents
from reasoning.evaluation.graph_set import KnownGraph, Measured, find_triples, read_documents
from reasoning.linking import GraphLinker
from reasoning.llm import RulesOnly
from reasoning.retrieval.graph_search import CorpusGraph
from reasoning.retrieval.graphs import embed_names, read_graph
from reasoning.retrieval.hybrid import HybridRetrieval
from storage.corpus.graph import GraphLabel, GraphRecord

_PATIENCE = 60.0  # seconds of a look-up: what is measured must not depend on how busy the machine is


@asynccontextmanager
async def open_measuring_graph(
    settings: Settings, record: GraphRecord, file: Path, say: Callable[[str], None]
) -> AsyncIterator[Workshop]:
    """A database with this graph of `file` alone, stored if it is not there yet; English names have vectors.

    A measured graph never comes into the corpus that people are answered from. Raises StorageError,
    EncoderError.
    """
    name = record.label.name
    async with open_measuring_database(settings, [file], f"graph {name}", say) as (stores, encoder, _):
        await stores.corpus.open()
        if await stores.graph.replace(record):
            say(f"{name}: {len(record.entities):,} entities, {len(record.facts):,} facts.")
        graph = stores.graph.restricted([name])
        if record.label.language == "en":
            async for _ in embed_names(graph, encoder):
                pass
        yield Workshop(replace(stores, graph=graph), encoder)


@asynccontextmanager
async def open_bench(
    settings: Settings, data: Path, measured: Measured, arms: Collection[str], say: Callable[[str], None]
) -> AsyncIterator[Bench]:
    """What these arms need on one graph, by rules. Raises DataMissing, ReadingError, StorageError, and
    EncoderError."""
    file = find_triples(data, measured)
    label = GraphLabel(measured.name, measured.language)
    draft = await asyncio.to_thread(read_graph, file, "tsv", label)
    known = KnownGraph(await asyncio.to_thread(draft.finish))
    async with open_measuring_graph(settings, known.record, file, say) as workshop:
        documents = read_documents(data, measured, known) if {"bm25", "dense"} & set(arms) else {}
        labels = sorted(known.names) if "mindmap" in arms else []
        encode = workshop.encoder.encode_sentences
        if documents or labels:
            say(f"{measured.name}: reading {len(labels):,} names and {len(documents):,} documents …")
        vectors = await asyncio.to_thread(encode, [known.names[each] for each in labels])
        read = await asyncio.to_thread(Documents.of, documents, workshop.encoder)
        encoder = AsyncEncoder(workshop.encoder)
        try:
            yield Bench(
                known,
                workshop.graph,
                CorpusGraph(workshop.graph, workshop.corpus, encoder, deadline=_PATIENCE),
                GraphLinker(workshop.graph, encoder),
                HybridRetrieval(workshop.corpus, encoder),
                encode,
                read,
                labels,
                vectors,
                RulesOnly(),
                patient_limits(settings),
                measured.language,
            )
        finally:
            await encoder.close()
