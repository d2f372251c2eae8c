"""What only the graphs know counts beside the entities of the lexicons, once."""

from __future__ import annotations

from reasoning.linking.types import By, Link
from reasoning.routing import judge, link_entities
from storage.graph import Entity


def link(text: str, words: str, name: str, by: By = "alias", *, found: bool = True) -> Link:
    start = text.index(words)
    entity = Entity(start, name, ("disease",), "test", 1) if found else None
    return Link(words, start, start + len(words), entity, 1.0, 1.0, by)


def test_a_link_that_no_lexicon_has_decides_for_the_graph() -> None:
    text = "Does blimflam go with gout?"
    assert judge(text).route.method == "literature"
    judgement = judge(text, links=[link(text, "blimflam", "Blimflam")])
    assert judgement.route.method == "mirage"
    assert judgement.route.signals.entities == ["Blimflam", "gout"]
    assert judgement.other is None


def test_one_entity_counts_once() -> None:
    text = "high blood pressure, also called hypertension"
    links = [link(text, "high blood pressure", "hypertension"), link(text, "hypertension", "hypertension")]
    assert len(link_entities(text, links)) == 1
    text = "blimflam fever or fever of blimflam"
    links = [
        link(text, "blimflam fever", "Blimflam fever"),
        link(text, "fever of blimflam", "Blimflam fever"),
    ]
    assert len(link_entities(text, links)) <= 1 + len(link_entities(text))


def test_likeness_is_weak_and_the_unlinked_do_not_count() -> None:
    text = "Does blimflum go with gout?"
    assert judge(text, links=[link(text, "blimflum", "Blimflam", "lexical")]).other == "literature"
    assert judge(text, links=[link(text, "blimflum", "Blimflam", found=False)]).route.method == "literature"


def test_options_and_cancer_decide_before_links() -> None:
    text = "Does blimflam cause lung cancer?"
    assert judge(text, links=[link(text, "blimflam", "Blimflam")]).route.method == "cometa"
    assert not judge(text).by_entities
