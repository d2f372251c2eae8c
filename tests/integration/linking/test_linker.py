"""The linker over real graphs, with the embedded encoder: which words reach which entity, and which none."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

from reasoning.encoders import AsyncEncoder, Encoder
from reasoning.linking import GraphLinker, Link, RememberingLinker
from reasoning.retrieval.graphs import embed_names, read_graph
from storage.corpus import Corpus
from storage.corpus.graph import Graph, GraphLabel
from storage.database import create_engine
from storage.encoders import MEDCPT, MINILM
from tests.integration.conftest import NewDatabase

ENGLISH = (
    "hydralazine|metformin|Metoprolol|prednisone|clonidine|Celebrex|type 2 diabetes|hyperglycemia|"
    "Hodgkin lymphoma|left arm pain|rheumatoid arthritis|pulmonary embolism|multiple sclerosis|"
    "common cold|childbirth|hypertension|"
    "vomiting|abdominal pain|insomnia|headaches|fever|cough|joint pain|knee pain|swollen ankles|stroke"
)
CHINESE = "糖尿病|高血压|失眠|呕吐|头痛"


@pytest.fixture(scope="module")
async def url(new_database: NewDatabase, minilm: Encoder, tmp_path_factory: pytest.TempPathFactory) -> str:
    made = new_database("corpus")
    engine = create_engine(made)
    await Corpus(engine, MINILM).open()
    graph = Graph(engine, MINILM)
    for name, language, names in (
        ("one", "en", ENGLISH),
        ("two", "en", "Hypertension|high blood pressure medicines|Metformin"),
        ("zh", "zh", CHINESE),
    ):
        file = tmp_path_factory.mktemp("graph") / f"{name}.tsv"
        file.write_text("".join(f"{each}\tr\tend of {name}\n" for each in names.split("|")), encoding="utf-8")
        await graph.replace(read_graph(file, "tsv", GraphLabel(name, language)).finish())
    async for _ in embed_names(graph, minilm):
        pass
    await engine.dispose()
    return made


@pytest.fixture
async def graph(url: str) -> AsyncIterator[Graph]:
    engine = create_engine(url)
    yield Graph(engine, MINILM)
    await engine.dispose()


@pytest.fixture
async def linker(graph: Graph, minilm: Encoder) -> AsyncIterator[GraphLinker]:
    encoder = AsyncEncoder(minilm)
    yield GraphLinker(graph, encoder)
    await encoder.close()


def names(links: tuple[Link, ...]) -> list[str]:
    """Folded: which of two graphs with the same name comes first is of no matter."""
    return [link.entity.name.casefold() for link in links if link.entity]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I have high blood pressure and keep throwing up.", ["hypertension", "vomiting"]),
        ("My tummy ache is bad and I can't sleep", ["abdominal pain", "insomnia"]),
        ("fever, cough and joint pain", ["fever", "cough", "joint pain"]),
        ("a headache, and pain in my left knee", ["headaches", "knee pain"]),
        ("pain in the knee", ["knee pain"]),
        ("Is metformine good for diabetes type 2?", ["metformin"]),
        ("type II diabetes", ["type 2 diabetes"]),
        ("metroprolol", ["metoprolol"]),
        ("my ankles are swollen", ["swollen ankles"]),
        ("MS with lesions on the MRI", ["multiple sclerosis"]),
        ("I have a cold and want to rest", ["common cold"]),
    ],
)
async def test_words_reach_their_entity(linker: GraphLinker, text: str, found: list[str]) -> None:
    links = await linker.link(text, "en")
    assert names(links) == found
    for link in links:
        assert text[link.start : link.end] == link.text


@pytest.mark.parametrize(
    "text",
    [
        "hydroxyzine",
        "metronidazole",
        "prednisolone",
        "prednisolon",
        "clonazepam",
        "Celexa",
        "type 1 diabetes",
        "hypoglycemia",
        "non-Hodgkin lymphoma",
        "right arm pain",
        "mini-stroke",
        "MS is hard",
        "25 ms",
        "my RA is bad",
        "PE",
        "cold weather",
        "the labor market",
        "zolvendramab",
        "What should I cook for my friends tonight?",
        "",
    ],
)
async def test_what_may_not_be_tied(linker: GraphLinker, text: str) -> None:
    assert names(await linker.link(text, "en")) == []


async def test_what_was_nearly_chosen_is_kept(linker: GraphLinker) -> None:
    (link,) = await linker.link("hydroxyzine", "en")
    assert (link.by, link.entity) == ("lexical", None)
    assert [one.name for one in link.runners_up] == ["hydralazine"]
    (link,) = await linker.link("MS is hard", "en")
    assert (link.by, link.margin) == ("alias", 0.0)
    assert [one.entity.name for one in link.runners_up] == ["multiple sclerosis"]
    (link,) = await linker.link("type 1 diabetes", "en")
    assert (link.by, link.runners_up[0].name) == ("embedding", "type 2 diabetes")


async def test_equal_entities_of_other_graphs_are_twins(linker: GraphLinker) -> None:
    (link,) = await linker.link("high blood pressure", "en")
    assert link.entity
    assert {link.entity.graph, *(twin.graph for twin in link.twins)} == {"one", "two"}
    assert len(link.ids) == 2
    (link,) = await linker.link("血压高", "zh")
    assert link.entity
    assert (link.entity.name, link.entity.graph) == ("高血压", "zh")
    assert {twin.name.casefold() for twin in link.twins} == {"hypertension"}


async def test_chinese_by_the_longest_name(linker: GraphLinker) -> None:
    links = await linker.link("糖尿病患者血压高还睡不着怎么办", "zh")
    assert names(links)[:2] == ["糖尿病", "高血压"]
    assert all(link.by == "alias" for link in links if link.entity)


async def test_statements_and_batches_are_bounded(url: str, minilm: Encoder) -> None:
    """Three statements however long the question is; none of the third stage without an encoder."""
    engine, encoder = create_engine(url), AsyncEncoder(minilm)
    counted: list[str] = []
    sqlalchemy.event.listen(
        engine.sync_engine, "before_cursor_execute", lambda _1, _2, statement, *_: counted.append(statement)
    )
    text = "Doctor, my shins feel oddly warm, burning toes at dawn, metforman and pnuemonia worry me. " * 6
    graph = Graph(engine, MINILM)
    texts = minilm.counts.of("query").texts
    links = await GraphLinker(graph, encoder).link(text, "en")
    assert len(counted) == 3
    assert 0 < minilm.counts.of("query").texts - texts <= 32
    assert "metformin" in names(links)
    counted.clear()
    alone = await GraphLinker(graph).link(text, "en")
    assert len(counted) == 2
    assert not any(link.by == "embedding" for link in alone)
    assert GraphLinker(graph, encoder).compares_meanings
    assert not GraphLinker(Graph(engine, MEDCPT), encoder).compares_meanings  # its scale is another
    counted.clear()
    once = RememberingLinker(GraphLinker(graph))
    assert await once.link("fever", "en") == await once.link("fever", "en")
    assert len(counted) == 1
    await encoder.close()
    await engine.dispose()


@pytest.mark.shared_data
async def test_the_field_case(
    shared: Path, graph: Graph, minilm: Encoder, new_database: NewDatabase, tmp_path: Path
) -> None:
    case: Any = json.loads((shared / "cases" / "inputs" / "F22_graph.json").read_text("utf-8"))
    engine, encoder = create_engine(new_database("corpus")), AsyncEncoder(minilm)
    await Corpus(engine, MINILM).open()
    file, graph = tmp_path / "f22.tsv", Graph(engine, MINILM)
    file.write_text("".join("\t".join(edge) + "\n" for edge in case["edges"]), encoding="utf-8")
    await graph.replace(read_graph(file, "tsv", GraphLabel("f22")).finish())
    async for _ in embed_names(graph, minilm):
        pass
    linker = GraphLinker(graph, encoder)
    asks = [ask for ask in case["asks"] if "link" in ask]
    assert len(asks) == 3
    for ask in asks:
        for mention, wanted in ask["link"].items():
            for text in (mention, f"Is {mention} bad for me?"):
                assert names(await linker.link(text, "en")) == ([wanted.casefold()] if wanted else []), text
    await encoder.close()
    await engine.dispose()
