"""A small library of invented drugs, and the assistant over it; every text that asks for evidence is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

import pytest

from reasoning.assistant import Answered, Assistant
from reasoning.encoders import AsyncEncoder, Encoder
from reasoning.encoders.interface import QueryVector
from reasoning.evidence import Question
from reasoning.literature import Literature
from reasoning.llm import Gateway, LanguageModel, Limits
from reasoning.methods import METHODS
from reasoning.methods.sema_rag import PRODUCT, Preset, answer_with
from reasoning.retrieval.hybrid import HybridRetrieval
from storage.corpus import Corpus
from storage.database import create_engine
from storage.encoders import MINILM
from tests.emulators.model import ModelServer
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import article, load

LIBRARY = [
    article(
        "lib-dolexan",
        "Dolexan prevents attacks of gout in adults. Dolexan lowers uric acid within a week.",
        title="Dolexan for gout",
    ),
    article(
        "lib-gout",
        "Gout is a painful disease of the joints. In gout, crystals of uric acid lie in a joint.",
        title="Gout",
    ),
    article(
        "lib-gout-guide",
        "To prevent attacks of gout, dolexan is the first choice. Merivast does not prevent attacks of gout.",
        title="Preventing attacks of gout",
    ),
    article("lib-merivast", "Merivast lowers cholesterol. It is taken at night.", title="Merivast"),
    article("lib-sleep", "Adults need seven hours of sleep a night.", title="Sleep"),
]
ASKED = "Which drug prevents attacks of gout?"
EXAM = f"{ASKED} A) merivast B) dolexan C) salbutamol"


class Watched(AsyncEncoder):
    """The encoder, which remembers what was searched for."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self.queries: list[str] = []

    async def encode_query(self, text: str) -> QueryVector:
        self.queries.append(text)
        return await super().encode_query(text)


@dataclass(slots=True)
class Room:
    """Everything but a model; `ask` takes one where a test has one."""

    retrieval: HybridRetrieval
    encoder: Watched
    preset: Preset = PRODUCT
    doors: Callable[[Question], Sequence[Literature]] = field(default=lambda _: ())

    async def ask(self, text: str, llm: LanguageModel | None = None, *, offline: bool = False) -> Answered:
        methods = {**METHODS, "sema-rag": answer_with(self.preset)}
        limits = Limits(100, 500_000)
        assistant = Assistant(self.retrieval, methods, llm, limits, literature=self.doors)
        return await assistant.answer(text, method="sema-rag", offline=offline)

    async def ask_scripted(self, text: str, server: ModelServer, **settings: float) -> Answered:
        """With the model of this server."""
        endpoint = server.endpoint(**{"timeout": 20.0, "deadline": 60.0, "max_calls": 100} | settings)
        gateway = Gateway(endpoint)
        try:
            return await self.ask(text, gateway)
        finally:
            await gateway.aclose()


@pytest.fixture(scope="module")
async def stored(new_database: NewDatabase, minilm: Encoder) -> str:
    """The library, which tests only read."""
    url = new_database("corpus")
    engine = create_engine(url)
    await load(Corpus(engine, MINILM), minilm, LIBRARY)
    await engine.dispose()
    return url


@pytest.fixture
async def room(stored: str, minilm: Encoder) -> AsyncIterator[Room]:
    engine, encoder = create_engine(stored), Watched(minilm)
    corpus = Corpus(engine, MINILM)
    await corpus.open()
    yield Room(HybridRetrieval(corpus, encoder), encoder)
    await encoder.close()
    await engine.dispose()


@pytest.fixture
async def empty_room(new_database: NewDatabase, minilm: Encoder) -> AsyncIterator[Room]:
    """A corpus without an article."""
    engine, encoder = create_engine(new_database("corpus")), Watched(minilm)
    corpus = Corpus(engine, MINILM)
    await corpus.open()
    yield Room(HybridRetrieval(corpus, encoder), encoder)
    await encoder.close()
    await engine.dispose()
