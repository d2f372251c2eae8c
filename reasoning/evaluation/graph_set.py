"""The graphs of `carecite eval graph`, each with its questions and its documents on diseases.

A folder `kg/` holds triples, `genmedgpt5k.jsonl` and documents. Fields `gold_diseases` and
`question_kg_entities` (with `full_` before them for the full graph) and `answer` are read here, for measuring
only. A question counts where it has both, as the reference in the folder's README does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from reasoning.evaluation.questions import DataMissing, open_set, read_rows
from reasoning.retrieval.graphs.triples import written_out
from storage.corpus.graph import GraphRecord
from storage.corpus.graph.naming import fold_entity


@dataclass(frozen=True, slots=True)
class Measured:
    """One graph: its files in kg/, and what stands before the names of its fields."""

    name: str
    triples: str
    prefix: str = ""
    documents: str = ""
    language: str = "en"


EMCKG = Measured("emckg", "chatdoctor_triples.tsv", "", "chatdoctor_disease_documents")
FULL = Measured(
    "chatdoctor_full", "chatdoctor_full_triples.tsv", "full_", "chatdoctor_full_disease_documents"
)
CHINESE = Measured("zh_39health", "zh_39health_triples.tsv", language="zh")
GRAPHS: Mapping[str, Measured] = {one.name: one for one in (EMCKG, FULL)}


@dataclass(frozen=True, slots=True)
class GraphItem:
    """One question; names are those of the graph, folded. `answer` is what the source has for it."""

    id: str
    text: str
    given: tuple[str, ...] = ()
    gold: frozenset[str] = frozenset()
    answer: str = ""


@dataclass(frozen=True)
class KnownGraph:
    """A graph in memory, apart from the database: what baselines and the ceiling are counted on.

    Names are folded, as `fold_entity` does it.
    """

    record: GraphRecord

    @cached_property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        return {fold_entity(one.name): one.kinds for one in self.record.entities}

    @cached_property
    def names(self) -> dict[str, str]:
        """As they are written, by folded name."""
        return {fold_entity(one.name): one.name for one in self.record.entities}

    @cached_property
    def near(self) -> dict[str, dict[str, list[str]]]:
        """Of each entity: relation -> the other ends, in the order of the file."""
        places = [fold_entity(one.name) for one in self.record.entities]
        found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for fact in self.record.facts:
            head, tail = places[fact.head], places[fact.tail]
            found[head][fact.relation].append(tail)
            found[tail][fact.relation].append(head)
        return found

    @cached_property
    def joined(self) -> dict[str, frozenset[str]]:
        """What is one hop from each entity."""
        return {
            name: frozenset(end for ends in groups.values() for end in ends)
            for name, groups in self.near.items()
        }

    @cached_property
    def diseases(self) -> list[str]:
        """Folded, in the order in which the file speaks of them first."""
        heads = dict.fromkeys(
            fold_entity(self.record.entities[end].name)
            for fact in self.record.facts
            for end in (fact.head, fact.tail)
        )
        return [name for name in heads if "disease" in self.kinds[name]]

    def reaches(self, entities: Sequence[str], gold: frozenset[str]) -> bool:
        """Whether a gold disease is one of these entities or one hop from one."""
        return any(name in gold or self.joined.get(name, frozenset()) & gold for name in entities)

    def overlap(self, entities: Sequence[str]) -> list[str]:
        """Diseases by how many of the entities they are or touch, ties by name."""
        touched: dict[str, int] = defaultdict(int)
        for name in set(entities):
            for end in {name, *self.joined.get(name, ())}:
                if "disease" in self.kinds.get(end, ()):
                    touched[end] += 1
        return sorted(touched, key=lambda end: (-touched[end], self.names[end]))


def find_triples(data: Path, measured: Measured) -> Path:
    """The graph's file, plain or gzip. Raises DataMissing."""
    for suffix in ("", ".gz"):
        if (path := data / "kg" / f"{measured.triples}{suffix}").is_file():
            return path
    raise DataMissing(f"{data / 'kg'} has no {measured.triples}.")


def read_items(data: Path, measured: Measured, limit: int | None = None) -> list[GraphItem]:
    """The first `limit` questions that have a gold disease and an entity of the graph. Raises DataMissing."""
    return list(islice(_items(data, measured.prefix), limit))


def _items(data: Path, prefix: str) -> Iterator[GraphItem]:
    for row in read_rows(open_set(data / "kg", "genmedgpt5k")):
        given = tuple(dict.fromkeys(map(fold_name, row.get(f"{prefix}question_kg_entities", ()))))
        gold = frozenset(map(fold_name, row.get(f"{prefix}gold_diseases", ())))
        if given and gold:
            yield GraphItem(str(row["id"]), row["question"], given, gold, row.get("answer", ""))


def read_dialogues(data: Path, limit: int | None = None) -> list[GraphItem]:
    """Chinese consultations, which have no gold. Raises DataMissing."""
    rows = islice(read_rows(open_set(data / "kg", "cmcqa")), limit)
    return [GraphItem(str(row["id"]), row["question"], answer=row.get("answer", "")) for row in rows]


def read_documents(data: Path, measured: Measured, graph: KnownGraph) -> dict[str, str]:
    """Folded disease -> its document. Where rows name no `disease`, the number at the end of `doc_id` is the
    place of the disease in the graph's file. Raises DataMissing."""
    found = {}
    for row in read_rows(open_set(data / "kg", measured.documents)):
        if "disease" in row:
            name = fold_name(row["disease"])
        else:
            name = graph.diseases[int(row["doc_id"].rsplit("-", 1)[1])]
        found[name] = row.get("text") or row.get("description") or ""
    return found


def fold_name(name: str) -> str:
    """A name of the data as the graph has it, folded."""
    return fold_entity(written_out(name))
