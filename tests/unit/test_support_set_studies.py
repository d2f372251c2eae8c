"""The study answers of the support set are what they claim: the planted faults, and no others, are there."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

SET = Path(__file__).resolve().parents[2] / "reasoning" / "evaluation" / "support_set" / "studies.jsonl"
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
def answers():
    return [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]


def test_there_are_150_answers_35_of_them_clean(answers):
    faults = [sum(s["fault"] is not None for s in answer["sentences"]) for answer in answers]
    assert [answer["id"] for answer in answers] == [f"study-{n:03d}" for n in range(1, 151)]
    assert (faults.count(0), max(faults)) == (35, 2)


def test_every_kind_of_fault_is_planted_often_enough(answers):
    planted = Counter(s["fault"] for answer in answers for s in answer["sentences"] if s["fault"])
    assert set(planted) == set(AT_LEAST)
    assert {kind: n for kind, n in planted.items() if n < AT_LEAST[kind]} == {}


def test_ten_answers_are_spanish_or_chinese(answers):
    assert Counter(answer["lang"] for answer in answers) == {"en": 140, "es": 5, "zh": 5}


def test_answers_have_the_agreed_shape(answers):
    for answer in answers:
        assert set(answer) == {"id", "lang", "evidence", "sentences"}
        assert 2 <= len(answer["evidence"]) <= 4
        assert 3 <= len(answer["sentences"]) <= 5
        for passage in answer["evidence"]:
            assert set(passage) == {"eid", "title", "section", "text", "standing"}
            assert passage["eid"].startswith(f"s{answer['id'][-3:]}-")
            assert passage["standing"] in {"ok", "concern", "corrected", "retracted"}
        for sentence in answer["sentences"]:
            assert set(sentence) == {"text", "support", "fault"}
            assert sentence["support"]


def test_passages_and_sentences_are_written_once(answers):
    eids = [passage["eid"] for answer in answers for passage in answer["evidence"]]
    texts = [passage["text"] for answer in answers for passage in answer["evidence"]]
    sentences = [s["text"] for answer in answers for s in answer["sentences"]]
    for written in (eids, texts, sentences):
        assert [one for one, n in Counter(written).items() if n > 1] == []


def test_quotes_are_verbatim_except_where_altered(answers):
    for answer in answers:
        texts = {passage["eid"]: passage["text"] for passage in answer["evidence"]}
        for s in answer["sentences"]:
            verbatim = all(quote in texts[eid] for eid, quote in s["support"] if eid in texts)
            assert verbatim == (s["fault"] != "altered_quote"), s["text"]


def test_only_a_foreign_id_cites_what_may_not_be_cited(answers):
    """Not among the evidence, or retracted: both are ids that an answer may not show."""
    retracted = 0
    for answer in answers:
        standing = {passage["eid"]: passage["standing"] for passage in answer["evidence"]}
        for s in answer["sentences"]:
            cited = {standing.get(eid) for eid, _ in s["support"]}
            assert bool(cited & {None, "retracted"}) == (s["fault"] == "foreign_id"), s["text"]
            retracted += "retracted" in cited
    assert retracted == 5
