"""`carecite ask --graph`: a person gets a picture of the chains, or is told why there is none."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from tests.program import FRANCE, Call, says_sorry

SVG = "{http://www.w3.org/2000/svg}"
QUESTION = "How is high blood pressure related to kidney failure?"


def test_a_picture_of_the_starter_graph(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "chains.svg"
    outcome = call("ask", "--offline", "--json", "--graph", str(file), QUESTION)
    assert outcome.code == 0, outcome.err
    assert f"The picture of the chains is in {file}." in " ".join(outcome.err.split()).replace("- ", "-")
    answer = json.loads(outcome.out)
    assert answer["route"]["ran"] == "mirage"
    root = Xml.fromstring(file.read_text("utf-8"))
    boxes = {group.get("data-entity"): group.get("data-asked") for group in root.iter(f"{SVG}g")}
    assert (boxes["high blood pressure"], boxes["kidney failure"]) == ("true", "true")
    told = {
        (group.get("data-head"), group.get("data-tail"))
        for group in root.iter(f"{SVG}g")
        if group.get("data-state") == "told"
    }
    cited = {(fact["head"], fact["tail"]) for one in answer["citations"] for fact in one["facts"]}
    assert told == cited
    assert ("high blood pressure", "kidney failure") in told


@pytest.mark.parametrize(
    ("question", "ran"),
    [
        ("How is gout treated?", "literature"),
        (FRANCE, "literature"),
        ("I am having a heart attack", "no method ran"),
    ],
)
def test_without_chains_it_says_so_and_writes_nothing(
    call: Call, tmp_path: Path, question: str, ran: str
) -> None:
    file = tmp_path / "chains.svg"
    outcome = call("ask", "--offline", "--graph", str(file), question)
    assert outcome.code == 0, outcome.err
    assert "No picture: " in outcome.err
    assert "only MIRAGE has chains over a graph" in " ".join(outcome.err.split())
    assert ran in outcome.err
    assert outcome.out
    assert not file.exists()


def test_a_place_that_cannot_be_is_refused_before_anything_is_asked(call_alone: Call, tmp_path: Path) -> None:
    says_sorry(call_alone("ask", "--graph", str(tmp_path / "no" / "chains.svg"), QUESTION), 2, "--graph")
    says_sorry(call_alone("ask", "--graph", str(tmp_path / "chains.png"), QUESTION), 2, "--graph", "SVG")
    says_sorry(call_alone("ask", "--graph", str(tmp_path), QUESTION), 2, "--graph")
