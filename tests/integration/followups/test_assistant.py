"""The assistant with a talk: triage on the message alone, route and search on the completed question."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from reasoning.assistant import Answered, Assistant
from reasoning.encoders import AsyncEncoder, Encoder
from reasoning.errors import EmptyQuestion
from reasoning.followups import Earlier
from reasoning.methods import METHODS
from reasoning.retrieval.hybrid import HybridRetrieval
from storage.corpus import Corpus
from storage.database import create_engine
from storage.encoders import MINILM
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import article, load

LIBRARY = [
    article("lib-gout", "Gout is a painful disease of the joints. Gout runs in families.", title="Gout"),
    article(
        "lib-psoriasis", "Psoriasis is a disease of the skin. Psoriasis runs in families.", title="Psoriasis"
    ),
]
GOUT = Earlier("What is gout?", "en", "A")


@pytest.fixture
async def assistant(new_database: NewDatabase, minilm: Encoder) -> AsyncIterator[Assistant]:
    engine, encoder = create_engine(new_database("corpus")), AsyncEncoder(minilm)
    corpus = Corpus(engine, MINILM)
    await load(corpus, minilm, LIBRARY)
    await corpus.open()
    yield Assistant(HybridRetrieval(corpus, encoder), METHODS)
    await encoder.close()
    await engine.dispose()


def stages(answered: Answered) -> list[str]:
    return [span.stage for span in answered.trace.spans]


async def test_a_follow_up_is_answered_as_completed(assistant: Assistant) -> None:
    alone = await assistant.answer("does it run in families?")
    found = await assistant.answer("does it run in families?", earlier=[GOUT], person="A")
    answer = found.answer
    assert answer.question == "does it run in families?"
    assert answer.standalone == "does gout run in families?"
    assert answer.route.signals.entities == ["gout"]
    assert [citation.title for citation in answer.citations] == ["Gout"]
    assert alone.answer.standalone is None
    assert [citation.title for citation in alone.answer.citations] != ["Gout"]
    span = found.trace.spans[stages(found).index("standalone")]
    assert span.output["carried"] == [{"text": "gout", "turn": 0}]
    assert "standalone" not in stages(alone)


async def test_a_new_topic_stays_as_it_is(assistant: Assistant) -> None:
    found = await assistant.answer("What is psoriasis?", earlier=[GOUT], person="A")
    assert found.answer.standalone is None
    assert [citation.title for citation in found.answer.citations] == ["Psoriasis"]


async def test_triage_reads_the_message_and_nothing_of_the_talk(assistant: Assistant) -> None:
    danger = Earlier("I have crushing chest pain right now", "en", "A")
    calm = await assistant.answer("is it common?", earlier=[danger], person="A")
    assert calm.answer.triage.level == "none"
    assert calm.answer.standalone is not None
    urgent = await assistant.answer("I have crushing chest pain right now", earlier=[GOUT], person="A")
    assert urgent.answer.triage.level == "emergency"
    assert stages(urgent) == ["language", "triage", "route"]


async def test_another_persons_details_reach_neither_answer_nor_trace(assistant: Assistant) -> None:
    told = Earlier("I am 34 and pregnant and have HIV. Is gout dangerous?", "en", "A")
    found = await assistant.answer("does it run in families?", earlier=[told], person="B")
    seen = found.answer.model_dump_json() + str(found.trace.as_json())
    assert found.answer.standalone == "does gout run in families?"
    assert not any(word in seen for word in ("pregnant", "HIV"))


async def test_a_number_alone_may_follow_a_question(assistant: Assistant) -> None:
    told = Earlier("我12岁，痛风常见吗？", "zh", "A")
    found = await assistant.answer("15岁", earlier=[told], person="A")
    assert found.answer.standalone == "我15岁，痛风常见吗？"
    number = await assistant.answer("15", earlier=[told], person="A")
    assert (number.answer.language, number.answer.standalone) == ("zh", "我15岁，痛风常见吗？")
    with pytest.raises(EmptyQuestion):
        await assistant.answer("15")
