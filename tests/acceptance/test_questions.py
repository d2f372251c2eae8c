"""The four questions that carecite was asked for, by the real program on a fresh home."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from tests.program import FRANCE, ROOT, Call, Outcome, Program

SCHEMA = json.loads((ROOT / "reasoning" / "answer.schema.json").read_text("utf-8"))
STROKE = "What are the warning signs of a stroke?"
LIBRARY = len(list((ROOT / "config" / "starter" / "library").glob("*.md")))
OSIMERTINIB = "Is osimertinib still useful for lung cancer with an EGFR mutation?"


def passages(carecite: Program) -> str:
    with_all = "SELECT string_agg(text, E'\\n') FROM articles"
    return re.sub(r"\s+", " ", carecite.query("corpus", with_all))


def check_json(outcome: Outcome, stored: str) -> None:
    """Closed schema; a sentence cites entries of the list; each quote is in a stored text word by word."""
    answer = outcome.json()
    jsonschema.validate(answer, SCHEMA)
    numbers = [citation["n"] for citation in answer["citations"]]
    assert numbers == list(range(1, len(numbers) + 1))
    for sentence in answer["answer"]["sentences"]:
        assert set(sentence["citations"]) <= set(numbers)
    for citation in answer["citations"]:
        assert re.sub(r"\s+", " ", citation["quote"]) in stored
    assert answer["answer"]["abstained"] == (not answer["answer"]["sentences"])


def test_the_first_question_on_a_fresh_home_is_answered_with_sources(carecite: Program) -> None:
    first = carecite.first
    assert first is not None
    assert first.code == 0, first.err
    assert re.search(r"radiation.*\[1\]", first.out, re.IGNORECASE | re.DOTALL)
    assert "Sources" in first.out
    assert re.search(r"^ *https?://\S+/\S+$", first.out, re.MULTILINE), (
        "an address stands unbroken on its line"
    )
    assert "does not replace" not in first.out, "only beside a dose, a pregnancy, a child or two medicines"
    assert "Loading the starter library" in first.err
    assert "Traceback" not in first.err


def test_warning_signs_come_with_an_urgent_notice_and_a_trace(carecite: Program) -> None:
    outcome = carecite.run("ask", "--json", "--trace", STROKE)
    assert outcome.code == 0, outcome.err
    assert outcome.err == "", "the second start has nothing to prepare"
    check_json(outcome, passages(carecite))
    answer = outcome.json()
    assert answer["triage"]["level"] == "urgent"
    assert answer["answer"]["notices"][0]["code"] == "urgent"
    assert answer["answer"]["sentences"]
    assert "stroke" in answer["answer"]["text"].lower()
    stages = [span["stage"] for span in answer["trace"]]
    assert stages[:3] == ["language", "triage", "route"]
    assert "verify" in stages


def test_a_drug_question_is_answered_or_says_what_was_searched(carecite: Program, call: Call) -> None:
    outcome = call("ask", "--json", OSIMERTINIB)
    assert outcome.code == 0
    check_json(outcome, passages(carecite))
    answer = outcome.json()
    assert "trace" not in answer
    if answer["answer"]["abstained"]:
        assert f"Searched: {LIBRARY} documents" in answer["answer"]["text"]
    else:
        assert all("osimertinib" in quote["quote"].lower() for quote in answer["citations"][:1])


def test_what_is_no_medical_question_gets_no_answer(carecite: Program) -> None:
    outcome = carecite.run("ask", FRANCE)
    assert outcome.code == 0
    assert "Paris" not in outcome.out
    assert "no answer" in outcome.out
    assert f"Searched: {LIBRARY}" in " ".join(outcome.out.split())
    assert "Sources" not in outcome.out


def test_a_warning_is_the_first_thing_to_read(call: Call) -> None:
    outcome = call("ask", STROKE)
    assert outcome.code == 0
    words = " ".join(outcome.out.replace("│", " ").split())
    assert words.index("emergency number") < words.index("[1]")


@pytest.mark.parametrize(
    "settings",
    [
        {"CARECITE_HOME": "/dev/null/home", "CARECITE_CORPUS_URL": "", "CARECITE_HISTORY_URL": ""},
        {"CARECITE_ENCODER": "medcpt"},
        {"CARECITE_ENCODER": "misspelt"},
    ],
    ids=["no database", "no encoder", "no settings"],
)
def test_an_emergency_waits_for_nothing(call: Call, settings: dict[str, str]) -> None:
    outcome = call("ask", "I have crushing chest pain right now and cannot breathe", **settings)
    assert outcome.code == 0
    assert "emergency number" in outcome.out


def test_a_trace_is_a_tree_for_people(call: Call) -> None:
    outcome = call("ask", "--trace", "--no-history", STROKE)
    assert outcome.code == 0
    assert re.search(r"trace\n├── language", outcome.out)


def test_the_schema_file_is_the_code() -> None:
    from reasoning.schema import render_schema

    path = Path(ROOT, "reasoning", "answer.schema.json")
    assert path.read_text("utf-8") == render_schema(), (
        "python -m reasoning.schema > reasoning/answer.schema.json"
    )


def test_the_schema_is_closed() -> None:
    """Two places are the method's own: `report`, and what a step noted in its span of `trace`."""
    open_places = []

    def visit(node: object, place: str) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object" and node.get("additionalProperties") is not False:
                open_places.append(place)
            for name, child in node.items():
                visit(child, f"{place}/{name}")
        elif isinstance(node, list):
            for child in node:
                visit(child, place)

    visit(SCHEMA, "")
    assert open_places == ["/properties/report/anyOf", "/properties/trace/anyOf/items"]
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
