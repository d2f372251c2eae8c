"""The symbolic stream over real servers: no heading that nothing knows, and ESpell as the last try."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest

from config.settings import Eutils, Ncbi
from reasoning.methods.cometa.adapting import Adapted
from reasoning.methods.cometa.presets import FAITHFUL
from reasoning.methods.cometa.symbolic import search_symbolic
from reasoning.retrieval.eutils import PubMed, PubMedDoor
from reasoning.rewriting import Concept, Rewriting, Rewritten, Vocabulary
from reasoning.rewriting.schema import Pico
from reasoning.trace import Trace
from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.faults import broken
from tests.emulators.eutils.mesh import Descriptor, Thesaurus
from tests.emulators.eutils.records import Record, Section
from tests.emulators.eutils.server import EutilsServer

SMALL = replace(FAITHFUL, n_min=1, per_level=5)
RECORDS = [
    Record(str(90060000 + n), title=title, abstract=(Section(f"{title}. It was studied."),))
    for n, title in enumerate(["Chilblains of the toes", "Hydralazine and cold feet", "Woollen hats"] * 40, 1)
]


def _corpus(*headings: str) -> Corpus:
    return Corpus(RECORDS, thesaurus=Thesaurus(Descriptor(name) for name in headings))


@pytest.fixture
def server() -> Iterator[EutilsServer]:
    with EutilsServer(_corpus("Chilblains", "Toes")) as running:
        yield running


@pytest.fixture
async def door(server: EutilsServer) -> AsyncIterator[PubMedDoor]:
    door = _open(server)
    yield door
    await door.aclose()


def _open(server: EutilsServer) -> PubMedDoor:
    eutils = Eutils.model_validate({"base_url": server.base_url, "per_second": 100, "deadline": 5})
    return PubMedDoor(eutils, Ncbi.model_validate({}))


def about(name: str, *headings: str, drug: str | None = None) -> Rewritten:
    concept = Concept(name=name, mesh_candidates=list(headings), drug_generic=drug)
    value = Rewriting(corrected=name, question_en=name, pico=Pico(P=[concept]))
    return Rewritten(value, Vocabulary())


async def search(rewritten: Rewritten, *doors: PubMed) -> Adapted:
    return await search_symbolic(rewritten, doors, SMALL, Trace())


def mesh_terms(server: EutilsServer) -> list[str]:
    return [one.parameters["term"] for one in server.asked if one.parameters.get("db") == "mesh"]


async def test_a_heading_that_is_none_is_not_sent(door: PubMedDoor, server: EutilsServer) -> None:
    found = await search(about("chilblains", "Chilblains", "Frostnip Toes"), door.for_question())
    assert found.hits
    assert mesh_terms(server)
    assert "Chilblains[mh]" in server.searches[0].replace('"', "")
    assert not any("Frostnip" in sent for sent in server.searches)


async def test_a_heading_that_the_nearest_door_knows_is_not_asked_for_again(
    door: PubMedDoor, server: EutilsServer
) -> None:
    with EutilsServer(_corpus("Toes")) as nearest:
        near = _open(nearest)
        await search(about("chilblains", "Chilblains", "Toes"), door.for_question(), near.for_question())
        await near.aclose()
    assert mesh_terms(nearest)
    assert mesh_terms(server) == ['"Chilblains"[mh]']


async def test_where_nothing_is_found_another_spelling_is_tried(
    door: PubMedDoor, server: EutilsServer
) -> None:
    found = await search(about("chillblains"), door.for_question())
    assert found.hits
    assert found.runs[-1].level.name == "L4 respelt"
    assert {hit.level for hit in found.hits} == {"L4"}
    assert "chilblains" in server.searches[-1]
    assert len(server.searches) <= SMALL.live_searches


async def test_a_drug_is_never_respelt(door: PubMedDoor, server: EutilsServer) -> None:
    """The emulator would rather have hydralazine."""
    assert await door.for_question().suggest_spelling("hydralazinne") == "hydralazine"
    found = await search(about("hydralazinne", drug="hydralazinne"), door.for_question())
    assert not found.hits
    assert not any("hydralazine" in sent.split() for sent in server.searches)
    unknown = replace(about("chillblains"), unrecognised=("chillblains",))
    assert not (await search(unknown, door.for_question())).hits


async def test_a_server_that_is_down_costs_only_the_headings(door: PubMedDoor, server: EutilsServer) -> None:
    server.fail(None, broken(503), times=None)
    with EutilsServer(_corpus()) as nearest:
        near = _open(nearest)
        found = await search(about("chilblains", "Chilblains"), door.for_question(), near.for_question())
        await near.aclose()
    assert found.hits
    assert [remark.code for remark in found.degraded] == ["pubmed_failed"]
    assert not any("[mh]" in sent for sent in nearest.searches)
