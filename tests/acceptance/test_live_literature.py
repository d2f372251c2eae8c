"""Cancer questions from PubMed as it is today: live, in an outage, offline, in Chinese (issue 4)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.app import Workshop, open_evidence, open_workshop
from config import Settings, load_settings
from reasoning.assistant import Answered, Assistant
from reasoning.methods import METHODS
from tests.acceptance.sotorasib import (
    FRESH,
    IN_CHINESE,
    OPEN_REVIEW,
    PMCID,
    QUESTION,
    RETRACTED,
    REVIEW,
    TRIAL,
    build_pubmed,
)
from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.faults import Fault, backend_failed, broken, silence
from tests.emulators.eutils.server import EutilsServer
from tests.program import FRANCE, Program

UNKNOWN = "Does zanubrutinib help people with hairy cell leukemia of the spleen?"


@pytest.fixture(scope="module")
def pubmed() -> Iterator[EutilsServer]:
    with EutilsServer(build_pubmed()) as server:
        yield server


@pytest.fixture(autouse=True)
def _as_new(pubmed: EutilsServer) -> None:
    pubmed.forget()


@pytest.fixture
def failing() -> Iterator[EutilsServer]:
    """A server of its own: that a host failed is remembered for a while."""
    with EutilsServer(build_pubmed()) as server:
        yield server


@pytest.fixture(scope="module")
def settings(carecite: Program, pubmed: EutilsServer) -> Settings:
    """The starter library in a corpus that grows here and nowhere else."""
    names = carecite.settings() | pubmed.settings()
    names |= {"CARECITE_CORPUS_URL": carecite.copy_database("corpus", "corpus_live")}
    names |= {"CARECITE_EUTILS_PER_SECOND": "100", "CARECITE_EUTILS_DEADLINE": "2"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in names.items():
            patch.setenv(name, value)
        return load_settings()


@pytest.fixture(scope="module")
async def workshop(settings: Settings) -> AsyncIterator[Workshop]:
    async with open_workshop(settings) as opened:
        yield opened


@asynccontextmanager
async def house(settings: Settings, workshop: Workshop, server: EutilsServer) -> AsyncIterator[Assistant]:
    """An assistant that asks this server."""
    eutils = settings.eutils.model_copy(update={"base_url": server.base_url})
    settings = settings.model_copy(update={"eutils": eutils})
    async with open_evidence(settings, workshop) as evidence:
        yield Assistant(evidence.retrieval, METHODS, literature=evidence.doors, reranker=evidence.reranker)


@pytest.fixture
async def assistant(settings: Settings, workshop: Workshop, pubmed: EutilsServer) -> AsyncIterator[Assistant]:
    async with house(settings, workshop, pubmed) as opened:
        yield opened


def codes(found: Answered) -> list[str]:
    return [item.code for item in found.answer.answer.notices]


def said(found: Answered, code: str) -> str:
    return next(item.text for item in found.answer.answer.notices if item.code == code)


def report(found: Answered) -> dict[str, Any]:
    assert found.answer.report is not None
    return found.answer.report


async def test_a_cancer_question_end_to_end(assistant: Assistant, pubmed: EutilsServer, workshop: Workshop):
    found = await assistant.answer(QUESTION)
    answer, course = found.answer, report(found)
    assert (answer.route.method, answer.route.ran) == ("cometa", "cometa")
    assert not answer.answer.abstained
    assert {citation.pmid for citation in answer.citations} <= {REVIEW, OPEN_REVIEW, TRIAL}
    assert course["levels"][0]["door"] == "pubmed"
    assert answer.usage.esearch_calls == len(pubmed.searches) <= 4
    assert course["depth"]["read_in_full"] == {OPEN_REVIEW: PMCID}
    assert course["depth"]["abstract_only"][REVIEW] == "no_pmcid"
    assert "pool" in course["streams"]
    stages = [span.stage for span in found.trace.spans]
    figure = ["rewrite", "search", "fuse", "fetch", "depth", "recall", "rerank", "gate", "answer", "verify"]
    assert [stage for stage in figure if stage not in stages] == []
    assert await workshop.corpus.existing([REVIEW, TRIAL]) == {REVIEW, TRIAL}


async def test_a_retracted_study_is_counted_and_never_read(assistant: Assistant):
    found = await assistant.answer(QUESTION)
    assert report(found)["dropped"]["withdrawn"] == [RETRACTED]
    assert "retracted" in codes(found)
    assert "1 " in said(found, "retracted")
    assert RETRACTED not in {citation.pmid for citation in found.answer.citations}
    recalled = [span.output["passages"] for span in found.trace.spans if span.stage == "retrieve"]
    assert recalled
    assert not [eid for eids in recalled for eid in eids if eid.startswith(RETRACTED)]


async def test_a_review_is_read_in_full(assistant: Assistant):
    found = await assistant.answer("Which side effects does sotorasib have in colorectal cancer?")
    quotes = {citation.pmid: citation.quote for citation in found.answer.citations}
    assert "diarrhoea" in quotes[OPEN_REVIEW]
    assert report(found)["depth"]["licences"][OPEN_REVIEW]


async def test_offline_asks_nobody_and_knows_what_was_read(assistant: Assistant, pubmed: EutilsServer):
    await assistant.answer(QUESTION)
    pubmed.forget()
    found = await assistant.answer(QUESTION, offline=True)
    assert pubmed.asked == []
    assert found.answer.usage.esearch_calls == 0
    assert not found.answer.answer.abstained
    assert "degraded" not in codes(found)


@pytest.mark.parametrize(
    "fault", [broken(200), silence(), backend_failed()], ids=["page", "silence", "backend"]
)
async def test_an_outage_leaves_an_answer_from_the_corpus(
    assistant: Assistant, settings: Settings, workshop: Workshop, failing: EutilsServer, fault: Fault
):
    await assistant.answer(QUESTION)
    failing.fail(None, fault, times=None)
    async with house(settings, workshop, failing) as afflicted:
        found = await afflicted.answer(QUESTION)
        lost = await afflicted.answer(UNKNOWN)
    assert failing.asked
    assert not found.answer.answer.abstained
    assert "degraded" in codes(found)
    assert report(found)["levels"][-1]["door"] == "corpus"
    assert found.answer.answer.confidence != "high"
    assert "did not work" in said(lost, "abstain")


async def test_an_outage_in_the_middle_of_a_question(
    settings: Settings, workshop: Workshop, failing: EutilsServer
):
    """The search answers, and no record can be had."""
    failing.corpus = Corpus([FRESH])
    failing.fail("efetch.fcgi", broken(503), times=None)
    async with house(settings, workshop, failing) as afflicted:
        found = await afflicted.answer("Does ensartinib help people with ROS1 lung cancer?")
    assert failing.searches
    assert "degraded" in codes(found)
    assert found.answer.answer.abstained
    assert "did not work" in said(found, "abstain")


async def test_nothing_anywhere_is_said_as_such(assistant: Assistant):
    found = await assistant.answer(UNKNOWN)
    assert found.answer.answer.abstained
    assert [run["state"] for run in report(found)["levels"]]
    assert "PubMed was searched as well." in said(found, "abstain")
    assert "did not work" not in said(found, "abstain")
    assert found.answer.citations == []


async def test_a_chinese_question_without_a_model(assistant: Assistant):
    found = await assistant.answer(IN_CHINESE)
    assert found.answer.language == "zh"
    assert not found.answer.answer.abstained
    assert {citation.pmid for citation in found.answer.citations} & {REVIEW, OPEN_REVIEW, TRIAL}
    assert "引文" in said(found, "language")


async def test_a_language_without_concepts_is_declined_in_it(assistant: Assistant, pubmed: EutilsServer):
    found = await assistant.answer("今天天气怎么样？")
    assert found.answer.answer.abstained
    assert "英文" in said(found, "abstain")
    assert pubmed.asked == []


async def test_a_question_without_medical_content(
    settings: Settings, workshop: Workshop, failing: EutilsServer
):
    failing.fail(None, broken(503), times=None)
    async with house(settings, workshop, failing) as afflicted:
        found = await afflicted.answer(FRANCE)
    assert found.answer.answer.abstained
    assert "did not work" not in said(found, "abstain")
