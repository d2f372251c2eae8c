"""Hetionet's JSON: the format its authors recommend, since only it says where each statement comes from.

`{"nodes": [{"kind", "identifier", "name", "data"}], "edges": [{"source_id": [kind, id], "target_id", "kind",
"direction", "data"}]}`, packed by bzip2. It is read as a stream, nodes first, in two passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from reasoning.retrieval.graphs.draft import Draft
from reasoning.retrieval.graphs.opening import Tick, open_bytes, quiet
from reasoning.retrieval.reading.errors import BadRecord, MissingExtra

_KINDS = {"Compound": "treatment", "Side Effect": "effect"}
# What means the same as a relation of the lexicon takes its name. A kind is told by its ends' types.
_RELATIONS = {
    ("Disease", "presents", "Symptom"): "has_symptom",
    ("Compound", "causes", "Side Effect"): "side_effect",
}
SYMMETRIC = ("resembles", "covaries", "interacts")  # joined to itself in both directions


def read_hetionet(path: Path, draft: Draft, tick: Tick = quiet) -> None:
    for node in _items(path, "nodes", tick):
        kind = str(node.get("kind", ""))
        house = _KINDS.get(kind, kind.lower().replace(" ", "_"))
        draft.add_entity(_code((kind, node.get("identifier"))), str(node.get("name", "")), (house,))
    for edge in _items(path, "edges", tick):
        head, tail = edge.get("source_id") or ("", ""), edge.get("target_id") or ("", "")
        kind = str(edge.get("kind", ""))
        relation = _RELATIONS.get((head[0], kind, tail[0]), kind)
        codes = _code(head), _code(tail)
        for source in _sources(edge.get("data") or {}) or ("",):
            draft.add_fact(codes[0], relation, codes[1], source)


def _code(node: Iterable[Any]) -> str:
    """As in Hetionet's tables: identifiers are unique within a kind only."""
    return "::".join(str(part) for part in node)


def _sources(data: Mapping[str, Any]) -> list[str]:
    """`sources` or `source`, and the PubMed ids where an edge has them."""
    listed = data.get("sources") or ([data["source"]] if data.get("source") else [])
    return [str(source) for source in listed] + [f"PMID:{pmid}" for pmid in data.get("pubmed_ids") or ()]


def _items(path: Path, part: str, tick: Tick) -> Iterator[Mapping[str, Any]]:
    try:
        import ijson
    except ImportError:
        raise MissingExtra(
            "Reading JSON as a stream.", remedy='Run: pip install "carecite[graphs]"'
        ) from None
    with open_bytes(path, tick) as raw:
        try:
            yield from ijson.items(raw, f"{part}.item")
        except ijson.JSONError as error:
            raise BadRecord(f"{path.name} is no JSON: {str(error).splitlines()[0]}") from None
