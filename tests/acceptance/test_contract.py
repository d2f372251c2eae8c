"""The contract of architecture 4 on real consumer questions; nothing here looks at their gold answers."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from pathlib import Path

import jsonschema
import pytest

from bot.app import Workshop, open_assistant
from config import load_settings
from reasoning.assistant import Answered, Assistant
from tests.program import Program

pytestmark = pytest.mark.shared_data

ROOT = Path(__file__).resolve().parents[2]
PER_FILE = 12
_FIELDS = ("question", "message", "subject")


def consumer_questions(shared: Path) -> list[str]:
    """Twelve of each consumer file, spread over it, and ten Chinese ones."""
    questions = []
    files = [*sorted((shared / "data" / "patient").glob("*.jsonl")), shared / "data" / "kg" / "cmcqa.jsonl"]
    for path in files:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        wanted = 10 if path.stem == "cmcqa" else PER_FILE
        for row in itertools.islice(rows[:: max(1, len(rows) // wanted)], wanted):
            questions.append(next(str(row[name]) for name in _FIELDS if row.get(name)))
    return questions


@pytest.fixture(scope="module")
async def house(carecite: Program) -> AsyncIterator[tuple[Assistant, Workshop]]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in carecite.settings().items():
            patch.setenv(name, value)
        async with open_assistant(load_settings()) as opened:
            yield opened


async def check_contract(found: Answered, workshop: Workshop) -> None:
    """Schema, numbering, and every quote verbatim in its stored passage, whoever wrote the sentences."""
    answer = json.loads(found.answer.model_dump_json())
    jsonschema.validate(answer, json.loads((ROOT / "reasoning" / "answer.schema.json").read_text()))
    body, by_rule = answer["answer"], answer["answer"]["written_by"] == "rule"
    assert body["abstained"] == (not body["sentences"])
    quotes = {citation["n"]: citation["quote"] for citation in answer["citations"]}
    assert sorted(quotes) == sorted({n for s in body["sentences"] for n in s["citations"]})
    paths = {citation["n"]: citation["facts"] for citation in answer["citations"] if citation["facts"]}
    for facts in paths.values():
        await check_facts(facts, workshop)
    for sentence in body["sentences"]:
        assert sentence["citations"]
        assert not by_rule or any(sentence["text"] in span["quote"] for span in sentence["support"])
        assert {span["n"] for span in sentence["support"]} == set(sentence["citations"])
        for span in sentence["support"]:
            if span["n"] in paths:
                continue
            doc_id, idx = span["passage"].rsplit(":", 1)
            stored = await workshop.corpus.read_neighbours([(doc_id, int(idx))])
            assert [span["quote"] in passage.passage.text for passage in stored.values()] == [True]
    for source in (one for one in found.sources if one.n not in paths):
        stored = await workshop.corpus.read_neighbours([(source.doc_id, idx) for idx in range(12)])
        assert any(source.quote in passage.passage.text for passage in stored.values())


async def check_facts(facts: list[dict[str, str]], workshop: Workshop) -> None:
    """Each is stored in this direction, with this source."""
    for fact in facts:
        heads = (await workshop.graph.find_names([fact["head"]]))[fact["head"]]
        around = await workshop.graph.neighbours([match.entity.id for match in heads], None)
        assert fact in [
            {"head": one.head, "relation": one.relation, "tail": one.tail, "source": one.source}
            for one in (stored.as_fact() for stored in around.facts)
        ]


async def test_the_contract_holds_on_consumer_questions(house: tuple[Assistant, Workshop], shared: Path):
    assistant, workshop = house
    questions = consumer_questions(shared)
    assert len(questions) >= 60
    answered = 0
    for text in questions:
        found = await assistant.answer(text)
        await check_contract(found, workshop)
        answered += not found.answer.answer.abstained
    assert answered >= 1


async def test_chinese_questions_are_answered_in_chinese(house: tuple[Assistant, Workshop]):
    assistant, _ = house
    found = await assistant.answer("肺癌有哪些症状？")
    notice = next(item.text for item in found.answer.answer.notices if item.code == "language")
    assert found.answer.language == "zh"
    assert not found.answer.answer.abstained
    assert any("\u4e00" <= character <= "\u9fff" for character in notice)
