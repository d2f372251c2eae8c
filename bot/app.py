"""Composition root: settings in, a working assistant out. Encoder and database get ready side by side."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from config import Settings
from storage.corpus import Corpus
from storage.corpus.graph import Graph
from storage.database import check_server, create_engine, newest_revision, open_urls, stored_revision
from storage.history import History

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

    from bot.literature import Doors
    from config.settings import ModelEndpoint
    from reasoning.assistant import Assistant
    from reasoning.encoders import AsyncEncoder, Encoder, ModelThread
    from reasoning.llm import LanguageModel
    from reasoning.retrieval.graph_search import CorpusGraph
    from reasoning.retrieval.hybrid import HybridRetrieval
    from reasoning.retrieval.reranking import Reranker, Similarity
    from storage.database import DatabaseUrls
    from storage.encoders import EncoderManifest

Say = Callable[[str], None]


def quiet(_: str) -> None:
    """Progress nobody asked for."""


@dataclass(frozen=True, slots=True)
class Stores:
    """The two databases, ready to use."""

    corpus: Corpus
    history: History
    graph: Graph
    urls: DatabaseUrls


def prepare_databases(
    settings: Settings, say: Say = quiet, names: Sequence[str] = ("corpus", "history")
) -> DatabaseUrls:
    """Start or reach the servers and bring the schemas up to date. Blocking; raises StorageError."""
    urls = open_urls(settings)
    try:
        for name in names:
            _prepare(getattr(urls, name), name, say)
    except BaseException:
        urls.release()
        raise
    return urls


def _prepare(url: str, name: str, say: Say) -> None:
    if stored_revision(url, name) != newest_revision(name):
        from storage.schema import upgrade

        say(f"Preparing the {name} database …")
        upgrade(url, name)


def load_configured_encoder(settings: Settings) -> Encoder:
    """The encoder of the settings. Blocking, some seconds; raises EncoderError."""
    return load_named_encoder(settings, settings.encoder)


def load_named_encoder(settings: Settings, name: str) -> Encoder:
    """An encoder by name, with the folder, window and precision of the settings; raises EncoderError."""
    from reasoning.encoders import load_encoder

    models = settings.models
    return load_encoder(
        name,
        models_dir=models.dir,
        dtype=models.dtype,
        allow_download=models.download,
        window=models.window,
    )


def load_named_reranker(
    settings: Settings, name: str, similarity: Similarity, thread: ModelThread
) -> Reranker:
    """A reranker by name, with the folder, window and precision of the settings. Blocking; raises
    EncoderError."""
    from reasoning.retrieval.reranking import load_reranker

    models = settings.models
    return load_reranker(
        name,
        similarity,
        vectors=settings.home / "vectors",
        thread=thread,
        models_dir=models.dir,
        dtype=models.dtype,
        allow_download=models.download,
        window=models.window,
    )


@asynccontextmanager
async def open_stores(urls: DatabaseUrls, manifest: EncoderManifest) -> AsyncIterator[Stores]:
    """Connections to both databases, seen through one encoder. Raises StorageError."""
    corpus_engine, history_engine = create_engine(urls.corpus), create_engine(urls.history, pool_size=2)
    try:
        await check_server(corpus_engine, vector=True)
        corpus = Corpus(corpus_engine, manifest)
        yield Stores(corpus, History(history_engine), Graph(corpus_engine, manifest), urls)
    finally:
        await corpus_engine.dispose()
        await history_engine.dispose()
        urls.release()


class HistoryDatabase(NamedTuple):
    engine: AsyncEngine
    url: str


@asynccontextmanager
async def open_history_database(
    settings: Settings, say: Say = quiet, *, connections: int = 1
) -> AsyncIterator[HistoryDatabase]:
    """Brought up to date; it needs no encoder. Raises StorageError."""
    urls = await asyncio.to_thread(prepare_databases, settings, say, ("history",))
    engine = create_engine(urls.history, pool_size=connections)
    try:
        yield HistoryDatabase(engine, urls.history)
    finally:
        await engine.dispose()
        urls.release()


@asynccontextmanager
async def open_history(settings: Settings, say: Say = quiet) -> AsyncIterator[History]:
    """What was asked and answered. Raises StorageError."""
    async with open_history_database(settings, say) as database:
        yield History(database.engine)


@dataclass(frozen=True, slots=True)
class Workshop:
    """Everything a command needs: stores and the loaded encoder."""

    stores: Stores
    encoder: Encoder

    @property
    def corpus(self) -> Corpus:
        return self.stores.corpus

    @property
    def graph(self) -> Graph:
        return self.stores.graph


@asynccontextmanager
async def open_workshop(settings: Settings, say: Say = quiet) -> AsyncIterator[Workshop]:
    """Corpus and encoder, starter library and graph loaded; the history is prepared by who writes to it.

    Raises StorageError and EncoderError.
    """
    from bot.graphs import load_starter_graph
    from bot.library import load_starter_library

    encoder, urls = await asyncio.gather(
        asyncio.to_thread(load_configured_encoder, settings),
        asyncio.to_thread(prepare_databases, settings, say, ("corpus",)),
    )
    async with open_stores(urls, encoder.manifest) as stores:
        await stores.corpus.open()
        await load_starter_library(stores.corpus, encoder, say)
        await load_starter_graph(stores, encoder, say)
        if stores.corpus.unembedded:
            words = f"{stores.corpus.unembedded:,} passages have no vector of this encoder"
            say(f"{words}; `carecite db add-encoder {settings.encoder}` makes them.")
        yield Workshop(stores, encoder)


@asynccontextmanager
async def open_assistant(
    settings: Settings, say: Say = quiet, *, history: History | None = None
) -> AsyncIterator[tuple[Assistant, Workshop]]:
    """The assistant with its evidence layer, methods, and the model where one is configured.

    What a model replied to the same request before is found in `history`, where that is given.
    """
    async with (
        open_workshop(settings, say) as workshop,
        open_assistant_in(workshop, settings, history) as assistant,
    ):
        yield assistant, workshop


@asynccontextmanager
async def open_assistant_in(
    workshop: Workshop, settings: Settings, history: History | None = None
) -> AsyncIterator[Assistant]:
    """An assistant in a workshop that is open already."""
    from reasoning.assistant import Assistant
    from reasoning.linking import GraphLinker
    from reasoning.llm import limits_of
    from reasoning.methods import METHODS

    async with (
        open_evidence(settings, workshop, history) as evidence,
        open_model(settings.llm, history) as model,
    ):
        yield Assistant(
            evidence.retrieval,
            METHODS,
            model,
            limits_of(settings.llm),
            literature=evidence.doors,
            reranker=evidence.reranker,
            graph=evidence.graph,
            linker=GraphLinker(workshop.graph, evidence.encoder),
            country=settings.country,
        )


@dataclass(frozen=True, slots=True)
class EvidenceLayer:
    """What methods find evidence with."""

    retrieval: HybridRetrieval
    doors: Doors
    reranker: Reranker
    graph: CorpusGraph
    encoder: AsyncEncoder


@asynccontextmanager
async def open_evidence(
    settings: Settings, workshop: Workshop, history: History | None = None
) -> AsyncIterator[EvidenceLayer]:
    """Hybrid search over the corpus and the doors to the literature, with one thread for all models."""
    from bot.literature import open_doors
    from reasoning.encoders import AsyncEncoder
    from reasoning.encoders.model_thread import ModelThread
    from reasoning.retrieval.graph_search import CorpusGraph
    from reasoning.retrieval.hybrid import HybridRetrieval
    from reasoning.retrieval.reranking import stored_similarity

    thread = ModelThread()
    encoder = AsyncEncoder(workshop.encoder, thread=thread)
    try:
        similarity = stored_similarity(workshop.corpus, encoder)
        reranker = await asyncio.to_thread(
            load_named_reranker, settings, settings.reranker, similarity, thread
        )
        async with open_doors(settings, workshop, thread, history) as doors:
            retrieval = HybridRetrieval(workshop.corpus, encoder)
            graph = CorpusGraph(workshop.graph, workshop.corpus, encoder)
            yield EvidenceLayer(retrieval, doors, reranker, graph, encoder)
    finally:
        await encoder.close()


@asynccontextmanager
async def open_model(endpoint: ModelEndpoint, history: History | None = None) -> AsyncIterator[LanguageModel]:
    """The door to the configured model; rules alone where none is."""
    from bot.replies import HistoryReplies
    from reasoning.llm import Gateway, RulesOnly

    if not endpoint.configured:
        yield RulesOnly()
        return
    gateway = Gateway(endpoint, HistoryReplies(history) if history else None)
    try:
        yield gateway
    finally:
        await gateway.aclose()


async def describe_corpus(settings: Settings) -> list[str]:
    """What is in the corpus and the history, in words."""
    from storage.encoders import MINILM

    urls = await asyncio.to_thread(prepare_databases, settings)
    async with open_stores(urls, MINILM) as stores:  # no vector is looked at
        counts = await stores.corpus.count_articles()
        lines = [f"corpus: {n:,} articles from {door}" for door, n in counts.items()] or ["corpus: empty"]
        graphs = await stores.graph.counts()
        lines += [
            f"graph {graph.name}: {graph.entities:,} entities, {graph.facts:,} facts" for graph in graphs
        ]
        return [*lines, f"history: {await stores.history.count_runs():,} questions"]


@asynccontextmanager
async def open_retrieval(workshop: Workshop) -> AsyncIterator[HybridRetrieval]:
    """Hybrid search over the corpus alone, the encoder behind its own thread."""
    from reasoning.encoders import AsyncEncoder
    from reasoning.retrieval.hybrid import HybridRetrieval

    encoder = AsyncEncoder(workshop.encoder)
    try:
        yield HybridRetrieval(workshop.corpus, encoder)
    finally:
        await encoder.close()
