"""A Chinese question on a small Chinese graph: Chinese sentences, true in their direction."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from reasoning.encoders import Encoder
from reasoning.linking import GraphLinker
from reasoning.retrieval.graph_search import CorpusGraph
from reasoning.retrieval.graphs import read_graph
from storage.corpus import Corpus
from storage.corpus.graph import Graph, GraphLabel
from storage.database import create_engine
from storage.encoders import MINILM
from tests.integration.conftest import NewDatabase
from tests.integration.mirage.conftest import Room

# Every relation of the Chinese graph; 怪病 has one that nobody worded.
FACTS = """
流感|并发症|肺炎
流感|症状|发热
肺炎|症状|发热
肺炎|症状|胸痛
肺炎|检查项目|胸部X线
肺炎|治疗方式|抗感染治疗
肺炎|常用药品|阿莫西林
肺炎|发病部位|肺部
肺炎|所属科室|呼吸内科
流感|别名|流行性感冒
怪病|发光于|夜盲症
"""
TRUE = {
    "流感可能并发肺炎": ("流感", "并发症", "肺炎"),
    "流感可表现为发热": ("流感", "症状", "发热"),
    "肺炎可表现为发热": ("肺炎", "症状", "发热"),
    "肺炎的常用药品可包括阿莫西林": ("肺炎", "常用药品", "阿莫西林"),
    "肺炎的治疗方式可包括抗感染治疗": ("肺炎", "治疗方式", "抗感染治疗"),
    "肺炎可能需要做的检查包括胸部X线": ("肺炎", "检查项目", "胸部X线"),
    "肺炎一般可到呼吸内科就诊": ("肺炎", "所属科室", "呼吸内科"),
    "肺炎可发生于肺部": ("肺炎", "发病部位", "肺部"),
}


@pytest.fixture(scope="module")
async def chinese_url(
    new_database: NewDatabase, minilm: Encoder, tmp_path_factory: pytest.TempPathFactory
) -> str:
    file = tmp_path_factory.mktemp("graph") / "zh.tsv"
    lines = [f"{line}|自写" for line in FACTS.strip().splitlines()]
    file.write_text("\n".join(("head|relation|tail|source", *lines)).replace("|", "\t"), encoding="utf-8")
    url = new_database("corpus")
    engine = create_engine(url)
    await Corpus(engine, MINILM).open()
    await Graph(engine, MINILM).replace(read_graph(file, "tsv", GraphLabel("zh", "zh")).finish())
    await engine.dispose()
    return url


@pytest.fixture
async def chinese(room: Room, chinese_url: str) -> AsyncIterator[Room]:
    engine = create_engine(chinese_url)
    graph, corpus = Graph(engine, MINILM), Corpus(engine, MINILM)
    yield replace(
        room, graph=CorpusGraph(graph, corpus, room.encoder), linker=GraphLinker(graph, room.encoder)
    )
    await engine.dispose()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("流感会引起肺炎吗？", "流感可能并发肺炎"),
        ("肺炎会不会发热？", "肺炎可表现为发热"),
        ("阿莫西林可以治疗肺炎吗？", "肺炎的常用药品可包括阿莫西林"),
        ("肺炎要用抗感染治疗吗？", "肺炎的治疗方式可包括抗感染治疗"),
        ("肺炎需要做胸部X线吗？", "肺炎可能需要做的检查包括胸部X线"),
        ("肺炎应该去呼吸内科看吗？", "肺炎一般可到呼吸内科就诊"),
        ("肺炎是肺部的病吗？", "肺炎可发生于肺部"),
        ("流行性感冒会引起肺炎吗？", "流感可能并发肺炎"),  # another name leads to the same entity
        ("阿莫西林对发热有用吗？", "肺炎的常用药品可包括阿莫西林"),
    ],
)
async def test_a_relation_is_told_in_chinese_and_in_its_direction(chinese: Room, question: str, told: str):
    answer = (await chinese.ask(question)).answer
    assert answer.route.ran == "mirage"
    assert answer.language == "zh"
    clauses = [part for one in answer.answer.sentences for part in re.split("[；。]", one.text) if part]
    assert told in clauses
    facts = {(fact.head, fact.relation, fact.tail) for one in answer.citations for fact in one.facts}
    for clause in clauses:
        assert TRUE.get(clause) in facts, clause
    assert not re.search("[a-z]{2}", answer.answer.text), answer.answer.text


async def test_several_tails_are_one_chinese_list(chinese: Room):
    answer = (await chinese.ask("肺炎会发热和胸痛吗？")).answer
    told = {one.text for one in answer.answer.sentences}
    assert told & {"肺炎可表现为发热或胸痛。", "肺炎可表现为胸痛或发热。"}, told


async def test_a_relation_without_a_wording_is_not_told_in_chinese_either(chinese: Room):
    answer = (await chinese.ask("怪病和夜盲症有关系吗？")).answer
    assert answer.route.ran == "literature"
    assert "发光" not in answer.model_dump_json()
