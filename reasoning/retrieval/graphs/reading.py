"""One door for all formats of graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from reasoning.retrieval.graphs import hetionet, ontologies, primekg, triples
from reasoning.retrieval.graphs.draft import Draft
from reasoning.retrieval.graphs.opening import Tick, plain_name, quiet
from reasoning.retrieval.reading.errors import UnknownFormat
from storage.corpus.graph import GraphLabel


@dataclass(frozen=True, slots=True)
class GraphFormat:
    """How a format is read, and whose data it usually holds."""

    read: Callable[[Path, Draft, Tick], None]
    source: str = ""
    licence: str = ""
    symmetric: tuple[str, ...] = ()


FORMATS: Mapping[str, GraphFormat] = {
    "tsv": GraphFormat(triples.read_triples),
    "hetionet": GraphFormat(
        hetionet.read_hetionet, "Hetionet", "CC0 1.0; each source has its own", hetionet.SYMMETRIC
    ),
    "primekg": GraphFormat(
        primekg.read_primekg, "PrimeKG", "MIT; each source has its own", primekg.SYMMETRIC
    ),
    "hpo": GraphFormat(ontologies.read_hpo, "Human Phenotype Ontology", "https://hpo.jax.org/app/license"),
    "obo": GraphFormat(ontologies.read_obo),
}


def guess_format(path: Path) -> str:
    """By name and content of the place. Raises UnknownFormat."""
    name = plain_name(path).lower()
    if path.is_dir() and (path / "phenotype.hpoa").is_file():
        return "hpo"
    if name.endswith(".obo"):
        return "obo"
    if name.endswith(".json"):
        return "hetionet"
    if name.endswith(".csv"):
        return "primekg"
    if name.endswith((".tsv", ".txt")):
        return "tsv"
    raise UnknownFormat(
        f"{path.name} is no graph by its name.", remedy=f"Name one with --format: {', '.join(FORMATS)}."
    )


def name_of(path: Path, format_name: str) -> str:
    """What a graph is called unless somebody says otherwise."""
    if format_name == "hpo":
        return "hpo"
    return plain_name(path).rsplit(".", 1)[0].removesuffix("_triples")


def read_graph(path: Path, format_name: str, label: GraphLabel, tick: Tick = quiet) -> Draft:
    """Blocking. Raises ReadingError, OSError."""
    format = FORMATS[format_name]
    source, licence = label.source or format.source, label.licence or format.licence
    draft = Draft(GraphLabel(label.name, label.language, source, licence), format.symmetric)
    format.read(path, draft, tick)
    return draft
