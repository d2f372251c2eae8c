"""Every relation in words: true for a person who reads it, in its direction, hedged (methods.md 2.5)."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from storage.facts import relations

_LINES = (Path(__file__).parent / "wording.tsv").read_text("utf-8").splitlines()[1:]
GOLDEN = [tuple(line.split("\t")) for line in _LINES]  # three are turned round in the released code


@pytest.mark.parametrize(("relation", "head", "tails", "said"), GOLDEN, ids=[row[0] for row in GOLDEN])
def test_a_relation_is_worded_as_a_person_approved(relation: str, head: str, tails: str, said: str):
    assert relations()[relation].say(head, tails.split("|")) == said


def test_no_relation_is_without_an_approved_wording():
    assert {row[0] for row in GOLDEN} == set(relations())


def test_inverses_agree_in_everything():
    for name, relation in relations().items():
        if relation.inverse and relation.inverse != name:
            inverse = relations()[relation.inverse]
            assert inverse.inverse == name
            assert (inverse.head, inverse.tail) == (relation.tail, relation.head)
            assert (inverse.claim, inverse.polarity) == (relation.claim, relation.polarity)
            assert inverse.of != relation.of or relation.claim == "advice"


def test_a_count_of_articles_is_neither_cause_nor_treatment():
    counted = relations()["co_occurs_with"]
    assert counted.claim == "advice"
    for word in ("cause", "lead", "treat", "sign", "risk", "cure", "due"):
        assert word not in counted.wording


@pytest.mark.shared_data
def test_every_relation_of_the_measuring_graphs_has_a_wording(shared: Path):
    for name in (
        "chatdoctor_triples",
        "chatdoctor_full_triples",
        "english_extra_triples",
        "zh_39health_triples",
    ):
        path = next((shared / "data" / "kg").glob(f"{name}.tsv*"))
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        _, *lines = raw.decode("utf-8").splitlines()
        found = {line.split("\t")[1] for line in lines if line.count("\t") >= 2}
        assert found
        assert found <= set(relations()), found - set(relations())
