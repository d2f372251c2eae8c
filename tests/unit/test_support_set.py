"""The support set is what it claims, as far as a program can tell: the planted faults, and no others."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from reasoning.evaluation.support import FAULTS, SHIPPED

LIBRARY = Path(__file__).resolve().parents[2] / "config" / "starter" / "library"
RARE = {"foreign_id", "altered_quote"}
SIZES = {"library": (160, 40), "studies": (150, 35)}  # answers, and those without a fault


@pytest.fixture(scope="module", params=SIZES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def answers(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SHIPPED / f"{name}.jsonl").read_text("utf-8").splitlines()]


def faults_of(answers: list[dict[str, Any]]) -> list[list[str]]:
    return [[said["fault"] for said in answer["sentences"] if said["fault"]] for answer in answers]


def test_there_is_enough_of_everything(name: str, answers: list[dict[str, Any]]) -> None:
    planted = faults_of(answers)
    counts = Counter(kind for kinds in planted for kind in kinds)
    assert set(counts) == set(FAULTS)
    assert not {kind: n for kind, n in counts.items() if n < (15 if kind in RARE else 25)}
    assert max(map(len, planted)) == 2
    assert (len(answers), planted.count([])) == SIZES[name]
    assert sum(answer["lang"] != "en" for answer in answers) >= 10


def test_answers_have_the_agreed_form(answers: list[dict[str, Any]]) -> None:
    assert len({answer["id"] for answer in answers}) == len(answers)
    for answer in answers:
        assert set(answer) == {"id", "lang", "evidence", "sentences"}, answer["id"]
        assert answer["lang"] in {"en", "es", "zh"}, answer["id"]
        assert 2 <= len(answer["evidence"]) <= 4, answer["id"]
        assert 3 <= len(answer["sentences"]) <= 5, answer["id"]
        for passage in answer["evidence"]:
            assert set(passage) == {"eid", "title", "section", "text", "standing"}, answer["id"]
            assert passage["standing"] in {"ok", "concern", "corrected", "retracted"}, answer["id"]
        for said in answer["sentences"]:
            assert set(said) == {"text", "support", "fault"}, answer["id"]
            assert said["text"], answer["id"]
            assert said["support"], answer["id"]


def test_quotes_and_ids_fail_only_where_a_fault_says_so(answers: list[dict[str, Any]]) -> None:
    """A retracted passage is no source either: an answer may not show its id."""
    for answer in answers:
        texts = {passage["eid"]: passage["text"] for passage in answer["evidence"]}
        citable = {one["eid"] for one in answer["evidence"] if one["standing"] != "retracted"}
        assert len(texts) == len(answer["evidence"]), answer["id"]
        for said in answer["sentences"]:
            foreign = any(eid not in citable for eid, _ in said["support"])
            altered = any(eid in texts and quote not in texts[eid] for eid, quote in said["support"])
            assert foreign == (said["fault"] == "foreign_id"), said["text"]
            assert altered == (said["fault"] == "altered_quote"), said["text"]


def test_passages_of_the_library_stand_there(answers: list[dict[str, Any]]) -> None:
    for passage in (passage for answer in answers for passage in answer["evidence"]):
        if passage["eid"].startswith("lib-"):
            article = (LIBRARY / f"{passage['eid'].split(':')[0]}.md").read_text(encoding="utf-8")
            assert f"## {passage['section']}\n" in article, passage["eid"]
            assert passage["text"] in article, passage["eid"]


def test_no_sentence_is_used_twice(answers: list[dict[str, Any]]) -> None:
    texts = Counter(said["text"] for answer in answers for said in answer["sentences"])
    assert max(texts.values()) == 1
