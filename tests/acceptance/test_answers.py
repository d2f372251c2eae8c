"""Answers from the starter library, through the real assistant."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import Workshop, open_assistant
from config import load_settings
from reasoning.assistant import Answered, Assistant
from reasoning.followups import remember
from tests.program import Program

QUESTIONS = tomllib.loads((Path(__file__).parent / "gate_questions.toml").read_text())


@pytest.fixture(scope="module")
async def open_house(carecite: Program) -> AsyncIterator[tuple[Assistant, Workshop]]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in carecite.settings().items():
            patch.setenv(name, value)
        settings = load_settings()
        async with open_assistant(settings) as house:
            yield house


@pytest.fixture(scope="module")
async def answers(open_house: tuple[Assistant, Workshop]) -> dict[str, Answered]:
    assistant, _ = open_house
    questions = [*QUESTIONS["answered"], *QUESTIONS["silent"]["questions"]]
    return {question: await assistant.answer(question) for question in questions}


def test_what_the_library_knows_is_answered_from_the_right_article(answers: dict[str, Answered]):
    right = [
        question
        for question, articles in QUESTIONS["answered"].items()
        if {source.doc_id for source in answers[question].sources} & set(articles)
    ]
    assert len(right) >= 0.9 * len(QUESTIONS["answered"])


def test_what_the_library_does_not_know_is_not_answered(answers: dict[str, Answered]):
    spoken = [q for q in QUESTIONS["silent"]["questions"] if not answers[q].answer.answer.abstained]
    assert len(spoken) <= 0.05 * len(QUESTIONS["silent"]["questions"]), spoken


def test_an_abstention_says_what_was_searched_and_names_no_source(answers: dict[str, Answered]):
    for question in QUESTIONS["silent"]["questions"]:
        answer = answers[question].answer
        if answer.answer.abstained:
            notice = next(n.text for n in answer.answer.notices if n.code == "abstain")
            assert "starter library" in notice or answer.language != "en"
            assert answer.citations == []


async def test_every_sentence_is_cited_and_every_quote_stands_in_its_passage(
    open_house: tuple[Assistant, Workshop], answers: dict[str, Answered]
):
    _, workshop = open_house
    for question in QUESTIONS["answered"]:
        answered = answers[question]
        quotes = {one.n: one.quote for one in answered.answer.citations if not one.facts}  # paths: contract
        texts = {source.n: source.doc_id for source in answered.sources}
        for sentence in answered.answer.answer.sentences:
            assert {span.n for span in sentence.support} == set(sentence.citations)
            assert any(sentence.text in span.quote for span in sentence.support)
        for n, quote in quotes.items():
            places = [(texts[n], idx) for idx in range(12)]
            stored = await workshop.corpus.read_neighbours(places)
            assert any(quote in passage.passage.text for passage in stored.values())
        assert len(answered.answer.answer.sentences) <= 5


def test_a_sentence_never_begins_with_a_heading_or_refers_back(answers: dict[str, Answered]):
    for question in QUESTIONS["answered"]:
        for sentence in answers[question].answer.answer.sentences:
            first = sentence.text.split()[0].lower()
            assert first not in ("it", "this", "these", "they")
            assert not sentence.text.startswith(("Overview", "Symptoms:", "Treatment:"))


async def test_a_follow_up_on_treatment_is_answered_with_treatment(
    open_house: tuple[Assistant, Workshop],
) -> None:
    """Its subject stands where the pronoun stood, so the sentences are those of the whole question."""
    assistant, _ = open_house
    first = await assistant.answer("What is gout?")
    talk = [remember("What is gout?", first.answer, "A")]
    then = await assistant.answer("How is it treated?", earlier=talk, person="A")
    asked = await assistant.answer("How is gout treated?")
    assert then.answer.standalone == "How is gout treated?"
    said = [sentence.text for sentence in then.answer.answer.sentences]
    assert said == [sentence.text for sentence in asked.answer.answer.sentences]
    treated = ("treat", "medicine", "NSAID", "colchicine", "uric acid")
    assert said
    assert all(any(word in sentence for word in treated) for sentence in said), said
    assert not any("symptom" in sentence for sentence in said), said
