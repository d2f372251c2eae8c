"""Every relation in words: true for a person who reads it, in its direction, hedged (methods.md 2.5)."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from storage.facts import relations, starter_facts
from tests.unit.mirage.graphs import fact

_LINES = (Path(__file__).parent / "wording.tsv").read_text("utf-8").splitlines()[1:]
GOLDEN = [tuple(line.split("\t")) for line in _LINES]  # three are turned round in the released code


SAID = {(relation, head, tails): said for relation, head, tails, said in GOLDEN}
APPROVED = {row[0] for row in GOLDEN}


@pytest.mark.parametrize(("relation", "head", "tails", "said"), GOLDEN, ids=[row[0] for row in GOLDEN])
def test_a_relation_is_worded_as_a_person_approved(relation: str, head: str, tails: str, said: str):
    assert relations()[relation].say(head, tails.split("|")) == said


def test_no_relation_is_without_an_approved_wording():
    assert set(relations()) == APPROVED
    assert {fact.relation for fact in starter_facts()} <= APPROVED


@pytest.mark.parametrize("name", sorted(relations()))
def test_a_fact_is_read_from_either_end_as_approved(name: str):
    """From the tail in the inverse's words; as it stands where there is none: never turned round."""
    relation = relations()[name]
    (head, tail), *_ = [(head, tail) for each, head, tail in SAID if each == name and "|" not in tail]
    stored = fact(f"{head}|{name}|{tail}")
    assert stored.read_from(stored.head.id).say() == SAID[name, head, tail]
    back = SAID[relation.inverse, tail, head] if relation.inverse else SAID[name, head, tail]
    assert stored.read_from(stored.tail.id).say() == back


@pytest.mark.parametrize("name", sorted(relations()))
def test_the_words_on_an_arrow_say_the_same(name: str):
    """As it is approved, but for those whose wording is more than what stands between both ends."""
    relation = relations()[name]
    head, tail = next((head, tail) for each, head, tail in SAID if each == name and "|" not in tail)
    joint = "" if relation.language == "zh" else " "
    on_arrow = joint.join((head, relation.arrow, tail)).replace(",", "")
    assert on_arrow == ON_ARROWS.get(name, SAID[name, head, tail].replace(",", ""))


ON_ARROWS = {
    "risk_factor": "stroke has the possible risk factor smoking",
    "palliated_by": "Parkinson's disease has symptoms that may be eased with levodopa",
    "co_occurs_with": "asthma is often mentioned in articles together with eczema",
    "used_off_label_for": "propranolol is sometimes used without approval for stage fright",
    "所属科室": "肺炎一般就诊于呼吸内科",
}


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
        assert word not in counted.arrow


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
        assert found <= APPROVED, found - APPROVED
