"""A small graph of our own beside a small library, and the assistant over both."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from reasoning.assistant import Answered, Assistant
from reasoning.encoders import AsyncEncoder, Encoder
from reasoning.linking import GraphLinker
from reasoning.llm import Gateway, LanguageModel, Limits, ReplyCache
from reasoning.methods import METHODS
from reasoning.methods.mirage import PRODUCT, Preset, answer_with
from reasoning.retrieval.graph_search import CorpusGraph
from reasoning.retrieval.graphs import read_graph
from reasoning.retrieval.hybrid import HybridRetrieval
from storage.corpus import Corpus
from storage.corpus.graph import Graph, GraphLabel
from storage.database import create_engine
from storage.encoders import MINILM
from tests.emulators.model import ModelServer
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import article, load

FACTS = """
metformin|treats|type 2 diabetes|lib-metformin
type 2 diabetes|complication|kidney failure|lib-diabetes
metformin|side_effect|nausea|lib-metformin
type 2 diabetes|need_medical_test|blood sugar test|lib-diabetes
common cold|has_symptom|cough|lib-cold
common cold|has_symptom|runny nose|lib-cold
pneumonia|has_symptom|cough|lib-pneumonia
pneumonia|has_symptom|high fever|lib-pneumonia
pneumonia|need_medication|amoxicillin|lib-pneumonia
zinc|treats|common cold|lib-zinc
ibuprofen|treats|stomach ulcer|lib-ulcer
ibuprofen|contraindicated_in|stomach ulcer|lib-ulcer
asthma|co_occurs_with|eczema|MEDLINE
vitamin c|glows_with|night blindness|lib-odd
scurvy|has_symptom|bleeding gums|lib-scurvy
left hand|risk_factor|right foot|lib-odd
right foot|risk_factor|third eye|lib-odd
third eye|risk_factor|fourth wall|lib-odd
"""
RING = [f"ring {n}|complication|ring {n % 30 + 1}|lib-ring" for n in range(1, 31)]
HUB = [f"condition {n}|has_symptom|tiredness|lib-hub" for n in range(1, 10_001)]
LIBRARY = [
    article("lib-metformin", "Metformin treats type 2 diabetes in adults.", title="Metformin"),
    article(
        "lib-diabetes",
        "Over the years type 2 diabetes can lead to kidney failure.",
        title="Type 2 diabetes",
    ),
    article("lib-cold", "A common cold can cause a cough and a runny nose.", title="Common cold"),
    article("lib-other", "Zinc is not a treatment option for the common cold.", title="Zinc, a review"),
]


@dataclass(frozen=True, slots=True)
class Room:
    """Everything but a model; `ask` takes one where a test has one."""

    retrieval: HybridRetrieval
    graph: CorpusGraph
    linker: GraphLinker
    encoder: AsyncEncoder
    preset: Preset = PRODUCT

    def assistant(self, llm: LanguageModel | None = None, limits: Limits | None = None) -> Assistant:
        methods = {**METHODS, "mirage": answer_with(self.preset)}
        limits = limits or Limits(100, 500_000)
        return Assistant(self.retrieval, methods, llm, limits, graph=self.graph, linker=self.linker)

    async def ask(self, text: str, llm: LanguageModel | None = None) -> Answered:
        return await self.assistant(llm).answer(text, method="mirage")

    async def ask_scripted(
        self, text: str, server: ModelServer, replies: ReplyCache | None = None, **settings: bool
    ) -> Answered:
        """With the model of this server."""
        gateway = Gateway(server.endpoint(timeout=20.0, deadline=60.0, max_calls=100, **settings), replies)
        try:
            return await self.ask(text, gateway)
        finally:
            await gateway.aclose()


@pytest.fixture(scope="module")
async def stored(new_database: NewDatabase, minilm: Encoder, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The library and the graph, which tests only read."""
    url = new_database("corpus")
    engine = create_engine(url)
    await load(Corpus(engine, MINILM), minilm, LIBRARY)
    file = tmp_path_factory.mktemp("graph") / "small.tsv"
    lines = [*FACTS.strip().splitlines(), *RING, *HUB]
    rows = "\n".join(line.replace("|", "\t") for line in ("head|relation|tail|source", *lines))
    file.write_text(rows, encoding="utf-8")
    await Graph(engine, MINILM).replace(read_graph(file, "tsv", GraphLabel("small")).finish())
    await engine.dispose()
    return url


@pytest.fixture
async def room(stored: str, minilm: Encoder) -> AsyncIterator[Room]:
    engine, encoder = create_engine(stored), AsyncEncoder(minilm)
    corpus, graph = Corpus(engine, MINILM), Graph(engine, MINILM)
    await corpus.open()
    yield Room(
        HybridRetrieval(corpus, encoder),
        CorpusGraph(graph, corpus, encoder),
        GraphLinker(graph, encoder),
        encoder,
    )
    await encoder.close()
    await engine.dispose()
