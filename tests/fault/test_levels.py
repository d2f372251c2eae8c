"""Adapt-E over real servers: when it stops, what it never mistakes, who goes on after an outage."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest

from config.settings import Eutils, Ncbi
from reasoning.methods.cometa.adapting import Adapted, adapt
from reasoning.methods.cometa.presets import FAITHFUL
from reasoning.methods.cometa.strategy import Level
from reasoning.retrieval.eutils import PubMed, PubMedDoor
from reasoning.trace import Trace
from storage.query import AllOf, AnyOf, Field, Query, Term
from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.faults import broken
from tests.emulators.eutils.records import Record, Section
from tests.emulators.eutils.server import EutilsServer

SMALL = replace(FAITHFUL, n_min=2, per_level=2)
RECORDS = [
    Record(str(90040000 + n), title=title, abstract=(Section(f"{title}. It was studied."),))
    for n, title in enumerate(
        ["Wool socks", "Wool hats", "Felt hats", "Nettle socks", "A syndrome of cold feet", "Cold hands"], 1
    )
]


def level(name: str, *words: str) -> Level:
    query: Query = AllOf(tuple(Term(word, Field.TITLE_ABSTRACT) for word in words))
    return Level(name, query if len(words) > 1 else Term(words[0], Field.TITLE_ABSTRACT), "a test")


@pytest.fixture
def server() -> Iterator[EutilsServer]:
    with EutilsServer(Corpus(RECORDS)) as running:
        yield running


@pytest.fixture
def second() -> Iterator[EutilsServer]:
    with EutilsServer(Corpus(RECORDS)) as running:
        yield running


@pytest.fixture
async def doors(server: EutilsServer, second: EutilsServer) -> AsyncIterator[list[PubMed]]:
    opened = [_open(server), _open(second)]
    yield [door.for_question() for door in opened]
    for door in opened:
        await door.aclose()


def _open(server: EutilsServer) -> PubMedDoor:
    eutils = Eutils.model_validate({"base_url": server.base_url, "per_second": 100, "deadline": 3})
    return PubMedDoor(eutils, Ncbi.model_validate({}))


def states(found: Adapted) -> list[tuple[str, str]]:
    return [(run.level.name, run.reply.state) for run in found.runs]


async def test_it_stops_at_enough_not_at_the_first_hit(doors: list[PubMed], server: EutilsServer) -> None:
    levels = [level("L1", "wool", "socks"), level("L2", "wool"), level("L3", "socks")]
    found = await adapt(levels, doors, SMALL, Trace())
    assert states(found) == [("L1", "results"), ("L2", "results")]
    assert [(hit.key, hit.level) for hit in found.hits] == [("90040001", "L1"), ("90040002", "L2")]
    assert found.calls == len(server.searches) == 2


async def test_the_rescue_is_for_nothing_at_all(doors: list[PubMed]) -> None:
    some = await adapt([level("L1", "felt"), level("L4", "socks")], doors, SMALL, Trace())
    assert states(some) == [("L1", "results")]
    none = await adapt([level("L1", "silk"), level("L4", "socks")], doors, SMALL, Trace())
    assert states(none) == [("L1", "empty"), ("L4", "results")]
    assert len(none.hits) == 2


async def test_a_failed_search_is_not_an_empty_one(doors: list[PubMed], server: EutilsServer) -> None:
    server.fail("esearch.fcgi", broken(400), times=None, after=1)
    found = await adapt([level("L1", "felt"), level("L2", "nettle")], doors, SMALL, Trace())
    assert states(found)[0] == ("L1", "results")
    assert states(found)[1][1] in ("transient", "permanent")
    assert states(found)[-1] == ("L2", "results")
    assert found.keys == ["90040003", "90040004"]
    assert [remark.code for remark in found.degraded] == ["pubmed_failed"]


async def test_with_every_door_shut_nothing_is_called_empty(
    doors: list[PubMed], server: EutilsServer, second: EutilsServer
) -> None:
    for one in (server, second):
        one.fail(None, broken(503), times=None)
    found = await adapt([level("L1", "felt"), level("L2", "nettle")], doors, SMALL, Trace())
    assert found.hits == []
    assert found.answered == []
    assert "empty" not in [state for _, state in states(found)]
    assert len(found.degraded) == 2


async def test_no_more_searches_than_the_preset_allows(doors: list[PubMed], server: EutilsServer) -> None:
    levels = [level("L1", word) for word in ("silk", "linen", "velvet", "felt")]
    found = await adapt(levels, doors, replace(SMALL, live_searches=2), Trace())
    assert found.hits == []
    assert len(server.searches) == 2


async def test_hits_for_another_subject_are_not_used(doors: list[PubMed]) -> None:
    """Case F04: the index does not know the disease, and PubMed finds articles on syndromes."""
    unknown = Level("L1", Term("Veldhoven-Asakura syndrome"), "a test")
    other = Level("L2", AnyOf((Term("Veldhoven-Asakura syndrome"), Term("nettle"))), "a test")
    found = await adapt([unknown, other], doors, SMALL, Trace())
    assert found.runs[0].kept == ()
    if found.runs[0].reply.count:
        assert {word.lower() for word in found.lost} & {"veldhoven", "asakura", "veldhoven-asakura"}
    assert "90040004" in found.keys


async def test_unwanted_articles_are_not_found(doors: list[PubMed]) -> None:
    found = await adapt([level("L1", "wool")], doors, SMALL, Trace(), ["90040001"])
    assert found.keys == ["90040002"]
