"""A pasted story with options: where a page answers it, the letter, the reason in cited sentences, and why
not the others; else nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.program import Call, Program

VIGNETTES = tomllib.loads(Path(__file__).with_name("vignettes.toml").read_text("utf-8"))["vignette"]
HERE = [one for one in VIGNETTES if int(one["id"][1:]) % 2]  # their pages are there
AWAY = [one for one in VIGNETTES if one not in HERE]
TOLD = 0.5  # of stories whose page is there; none wrong
Ask = Callable[[Mapping[str, Any]], Any]


@pytest.fixture(scope="module")
def own(carecite: Program, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The starter library with the pages of one half."""
    folder = tmp_path_factory.mktemp("pages")
    for one in HERE:
        page = f"---\ntitle: {one['title']}\n---\n# {one['title']}\n\n{one['text'].strip()}\n"
        (folder / f"{one['id']}.md").write_text(page, "utf-8")
    settings = {"CARECITE_CORPUS_URL": carecite.copy_database("corpus", "test_vignettes")}
    stored = carecite.run("ingest", str(folder), **settings)
    assert stored.code == 0, stored.err
    return settings


@pytest.fixture
def ask(call: Call, own: Mapping[str, str]) -> Ask:
    def asked(one: Mapping[str, Any]) -> Any:
        outcome = call("ask", "--json", "--no-history", "--offline", pasted(one), **own)
        assert outcome.code == 0, outcome.err
        return outcome.json()

    return asked


def pasted(one: Mapping[str, Any]) -> str:
    return "\n".join([one["stem"], *(f"{label}. {text}" for label, text in one["options"].items())])


def test_a_page_that_answers_is_told_and_no_other(ask: Ask) -> None:
    told = {one["id"]: answer["choice"]["label"] for one in HERE if (answer := ask(one)["answer"])["choice"]}
    assert told == {one["id"]: one["answer"] for one in HERE if one["id"] in told}
    assert len(told) >= TOLD * len(HERE), told
    assert not [one["id"] for one in AWAY if ask(one)["answer"]["choice"]]


def test_the_letter_stands_with_its_reason_and_why_not_the_others(call: Call, own: Mapping[str, str]) -> None:
    one = next(one for one in HERE if one["title"] == "Immune thrombocytopenia in children")
    shown = call("ask", "--no-history", "--offline", pasted(one), **own)
    text = " ".join(shown.out.split())
    assert "Answer: B) Immune thrombocytopenia" in text
    assert "Immune thrombocytopenia is the most likely diagnosis in a well child" in text
    assert "Acute leukemia is unlikely" in text.split("Sources")[0]
    assert "[1] Immune thrombocytopenia in children" in text
    assert "Why not the others:" in text
