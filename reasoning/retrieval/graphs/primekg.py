"""PrimeKG's `kg.csv`: `relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_index,...`.

Every edge is listed twice, from either end, under one name. Its direction is told by the types of its ends;
between two of one type it is lost (parent and child of `disease_disease`), and the edge is kept as one that
means the same both ways.
"""

from __future__ import annotations

import csv
from pathlib import Path

from reasoning.retrieval.graphs.draft import Draft
from reasoning.retrieval.graphs.opening import Tick, open_text, quiet
from reasoning.retrieval.reading.errors import BadRecord

_KINDS = {"effect/phenotype": "symptom", "drug": "treatment", "gene/protein": "gene"}
_DISEASE, _DRUG, _SYMPTOM = "disease", "treatment", "symptom"
# Relation of PrimeKG -> ours, and the type of its head where the ends differ.
_RELATIONS = {
    "disease_phenotype_positive": ("has_symptom", _DISEASE),
    "disease_phenotype_negative": ("lacks_symptom", _DISEASE),
    "indication": ("treats", _DRUG),
    "contraindication": ("contraindicated_in", _DRUG),
    "off-label use": ("used_off_label_for", _DRUG),
    "drug_effect": ("side_effect", _DRUG),
    "drug_drug": ("interacts_with", _DRUG),
}
SYMMETRIC = (
    "disease_disease",
    "phenotype_phenotype",
    "protein_protein",
    "anatomy_anatomy",
    "pathway_pathway",
)
_COLUMNS = {f"{end}_{part}" for end in "xy" for part in ("id", "type", "name", "source")} | {"relation"}


def read_primekg(path: Path, draft: Draft, tick: Tick = quiet) -> None:
    """Raises BadRecord where the columns are others."""
    with open_text(path, tick) as lines:
        rows = csv.DictReader(lines)
        if missing := _COLUMNS - set(rows.fieldnames or ()):
            raise BadRecord(f"{path.name} has no column {', '.join(sorted(missing))}.")
        for number, row in enumerate(rows, start=2):
            if None in row or None in row.values():
                draft.refuse(number, "other columns than the header")
                continue
            _add(row, draft, number)


def _add(row: dict[str, str], draft: Draft, number: int) -> None:
    ends = []
    for end in "xy":
        code = f"{row[f'{end}_source']}:{row[f'{end}_id']}"
        kind = _KINDS.get(row[f"{end}_type"], row[f"{end}_type"])
        if not draft.knows(code) and not draft.add_entity(code, row[f"{end}_name"], (kind,), where=number):
            return
        ends.append((code, kind))
    (x, x_kind), (y, y_kind) = ends
    relation, head_kind = _RELATIONS.get(row["relation"], (row["relation"], min(x_kind, y_kind)))
    turned = x_kind != y_kind and y_kind == head_kind
    if x_kind == y_kind and y < x:
        turned = True
    head, tail = (y, x) if turned else (x, y)
    draft.add_mirrored(head, relation, tail, "PrimeKG", number)
