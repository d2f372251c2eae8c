"""The first part of the support set is well formed, as far as a program can tell."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SET = ROOT / "reasoning" / "evaluation" / "support_set" / "library.jsonl"
LIBRARY = ROOT / "config" / "starter" / "library"
AT_LEAST = {
    "foreign_id": 15,
    "altered_quote": 15,
    "wrong_number": 25,
    "wrong_unit": 25,
    "negation": 25,
    "direction": 25,
    "population": 25,
    "wrong_source": 25,
    "certainty": 25,
}


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]


def test_answers_have_the_agreed_form(answers: list[dict[str, Any]]) -> None:
    assert len({answer["id"] for answer in answers}) == len(answers)
    for answer in answers:
        assert set(answer) == {"id", "lang", "evidence", "sentences"}, answer["id"]
        assert answer["lang"] in {"en", "es", "zh"}, answer["id"]
        assert 2 <= len(answer["evidence"]) <= 4, answer["id"]
        assert 3 <= len(answer["sentences"]) <= 5, answer["id"]
        assert sum(bool(sentence["fault"]) for sentence in answer["sentences"]) <= 2, answer["id"]
        for passage in answer["evidence"]:
            assert set(passage) == {"eid", "title", "section", "text", "standing"}, answer["id"]
            assert passage["standing"] in {"ok", "concern", "corrected", "retracted"}, answer["id"]
        for sentence in answer["sentences"]:
            assert set(sentence) == {"text", "support", "fault"}, answer["id"]
            assert sentence["text"], answer["id"]
            assert sentence["support"], answer["id"]
            assert sentence["fault"] is None or sentence["fault"] in AT_LEAST, answer["id"]


def test_quotes_and_ids_fail_only_where_a_fault_says_so(answers: list[dict[str, Any]]) -> None:
    for answer in answers:
        texts = {passage["eid"]: passage["text"] for passage in answer["evidence"]}
        assert len(texts) == len(answer["evidence"]), answer["id"]
        for sentence in answer["sentences"]:
            foreign = any(eid not in texts for eid, _ in sentence["support"])
            altered = any(eid in texts and quote not in texts[eid] for eid, quote in sentence["support"])
            assert foreign == (sentence["fault"] == "foreign_id"), sentence["text"]
            assert altered == (sentence["fault"] == "altered_quote"), sentence["text"]


def test_library_passages_stand_in_the_library(answers: list[dict[str, Any]]) -> None:
    for answer in answers:
        for passage in answer["evidence"]:
            if passage["eid"].startswith("lib-"):
                article = (LIBRARY / f"{passage['eid'].split(':')[0]}.md").read_text(encoding="utf-8")
                assert f"## {passage['section']}\n" in article, passage["eid"]
                assert passage["text"] in article, passage["eid"]


def test_there_is_enough_of_every_fault(answers: list[dict[str, Any]]) -> None:
    faults = Counter(sentence["fault"] for answer in answers for sentence in answer["sentences"])
    short = {kind: faults[kind] for kind, least in AT_LEAST.items() if faults[kind] < least}
    assert not short
    assert len(answers) >= 160
    assert sum(all(not s["fault"] for s in answer["sentences"]) for answer in answers) >= 40
    assert sum(answer["lang"] != "en" for answer in answers) >= 10


def test_no_sentence_is_used_twice(answers: list[dict[str, Any]]) -> None:
    texts = Counter(sentence["text"] for answer in answers for sentence in answer["sentences"])
    assert max(texts.values()) == 1
