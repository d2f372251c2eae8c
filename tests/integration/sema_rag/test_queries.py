"""Everything that is asked for evidence, at every door: no option gets into it (methods.md 1.7, 3.1)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event

from config.settings import Eutils, Ncbi
from reasoning.encoders import Encoder
from reasoning.methods.sema_rag import PRODUCT
from reasoning.retrieval.eutils import PubMedDoor
from reasoning.retrieval.hybrid import HybridRetrieval
from reasoning.retrieval.indexing import index_articles
from reasoning.retrieval.local_literature import LocalLiterature
from storage.corpus import Corpus
from storage.database import create_engine
from storage.documents import Article
from storage.encoders import MINILM
from tests.emulators.eutils.corpus import Corpus as PubMedCorpus
from tests.emulators.eutils.faults import backend_failed
from tests.emulators.eutils.records import Record, Section
from tests.emulators.eutils.server import EutilsServer
from tests.emulators.model import ModelServer
from tests.integration.conftest import NewDatabase
from tests.integration.sema_rag.conftest import LIBRARY, Room, Watched
from tests.integration.sema_rag.scripts import explored, in_turn, scripted
from tests.integration.storage.documents import load

TEXT = "Dolexan prevents attacks of gout in people with kidney disease in a study of three hundred patients."
OPTIONS = ("salbutamol", "dolexan", "zinc acetate")
EXAM = "Which drug prevents attacks of gout in kidney disease? A) salbutamol B) dolexan C) zinc acetate"


@pytest.fixture
def pubmed() -> Iterator[EutilsServer]:
    record = Record(
        pmid="90090001",
        title="Attacks of gout in kidney disease",
        abstract=(Section(TEXT),),
        types=("Journal Article",),
        published=(2024,),
    )
    with EutilsServer(PubMedCorpus([record])) as server:
        yield server


@pytest.fixture
async def live(
    new_database: NewDatabase, minilm: Encoder, pubmed: EutilsServer
) -> AsyncIterator[tuple[Room, list[str]]]:
    """The library with PubMed beside it, and every parameter of every statement that was sent."""
    engine, encoder = create_engine(new_database("corpus")), Watched(minilm)
    corpus = Corpus(engine, MINILM)
    await load(corpus, minilm, LIBRARY)
    await corpus.open()

    async def store(articles: Sequence[Article]) -> None:
        async for _ in index_articles(articles, corpus, minilm):
            pass

    sent: list[str] = []

    def note(*call: Any) -> None:
        if str(call[2]).lstrip().upper().startswith(("SELECT", "WITH")):
            sent.append(f"{call[2]} {call[3]}")

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    names = {"base_url": pubmed.base_url, "per_second": 1000}
    door = PubMedDoor(Eutils.model_validate(names), Ncbi(), records=corpus, store=store)
    room = Room(
        HybridRetrieval(corpus, encoder),
        encoder,
        doors=lambda question: [door.for_question(), LocalLiterature(corpus, question.filters)],
    )
    yield room, sent
    await door.aclose()
    await encoder.close()
    await engine.dispose()


GAP = explored(False, "studies in kidney disease", "gout kidney disease", literature=True)
BAD = explored(False, "dolexan", "dolexan gout", "gout kidney disease", literature=True)


async def ask(room: Room, text: str, **roles: Any) -> Any:
    with ModelServer(scripted(**roles)) as server:
        return (await room.ask_scripted(text, server)).answer


async def test_pubmed_is_asked_where_the_gap_wants_studies(
    live: tuple[Room, list[str]], pubmed: EutilsServer
) -> None:
    room, _ = live
    answer = await ask(room, EXAM, explore=in_turn(GAP, explored(True)))
    assert pubmed.searches
    (query,) = answer.report["rounds"][1]["queries"]
    assert query["pubmed"]
    assert query["new"] >= 1
    assert answer.usage.esearch_calls >= 1
    assert answer.usage.retrievals == 2
    assert "90090001" in [citation.pmid for citation in answer.citations]


async def test_pubmed_is_left_alone_where_the_corpus_is_enough(
    live: tuple[Room, list[str]], pubmed: EutilsServer
) -> None:
    room, _ = live
    await ask(room, EXAM)
    assert not pubmed.searches


async def test_a_pubmed_that_is_down_is_told_and_costs_no_answer(
    live: tuple[Room, list[str]], pubmed: EutilsServer
) -> None:
    room, _ = live
    pubmed.fail("esearch.fcgi", backend_failed(), times=50)
    answer = await ask(room, EXAM, explore=GAP)
    assert any(remark.code == "pubmed_failed" for remark in answer.degraded)
    assert answer.report["choice"]["label"] == "B"


@pytest.mark.parametrize("model", [True, False])
async def test_no_option_is_in_any_query(
    live: tuple[Room, list[str]], pubmed: EutilsServer, model: bool
) -> None:
    room, sent = live
    room.preset = replace(PRODUCT, matrix=True)
    answer = await ask(room, EXAM, explore=BAD) if model else (await room.ask(EXAM)).answer
    queries = [query["query"] for one in answer.report["rounds"] for query in one["queries"]]
    assert queries
    assert sent
    asked = [*room.encoder.queries, *queries, *pubmed.searches, *sent]
    for query in asked:
        assert not [option for option in OPTIONS if option in query.lower()], query
    if model:
        assert ["dolexan gout", "it names an option"] in answer.report["rounds"][0]["rejected"]
