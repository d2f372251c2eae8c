"""A graph while it is read: cells are checked, statements counted once, refusals kept with their reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reasoning.retrieval.graphs.rings import ring_closers
from storage.corpus.graph import EntityRecord, FactRecord, GraphLabel, GraphRecord
from storage.facts import EMPTY, relations
from storage.text import clean_text

HIERARCHY = "is_a"
LONGEST = 400  # characters of a name or an id: longer ones are no names, and an index could not hold them
_SHOWN = 50
_KINDS = {"medication": "treatment", "drug": "treatment"}
_Key = tuple[int, str, int]


@dataclass(frozen=True, slots=True)
class Refused:
    """What was left out; `where` is a line or an id."""

    where: str
    reason: str


@dataclass(slots=True)
class _Said:
    """One statement; `turned` and `straight` tell in which directions the file has it."""

    sources: dict[str, None] = field(default_factory=dict)
    straight: bool = False
    turned: bool = False


class Draft:
    """Collects entities and facts. A fact and its inverse are one statement, stored in the direction that the
    lexicon names first; a relation that is its own inverse is stored as it was said first."""

    def __init__(self, label: GraphLabel, symmetric: Iterable[str] = ()) -> None:
        """`symmetric` are relations that mean the same both ways, beside those of the lexicon."""
        self.label = label
        self.refused: Counter[str] = Counter()
        self.examples: list[Refused] = []
        self.inverses = 0  # statements that the file has in both directions
        self._places: dict[str, int] = {}
        self._entities: list[EntityRecord] = []
        self._kinds: dict[int, Counter[str]] = {}
        self._facts: dict[_Key, _Said] = {}
        self._unpaired: set[tuple[str, str, str]] = set()
        self._inverse_of = _inverses()
        own = (name for name, relation in relations().items() if relation.inverse == name)
        self._symmetric = frozenset((*symmetric, *own))

    def refuse(self, where: object, reason: str) -> None:
        self.refused[reason] += 1
        if len(self.examples) < _SHOWN:
            self.examples.append(Refused(str(where), reason))

    def add_entity(
        self,
        code: str,
        name: str,
        kinds: Iterable[str] = (),
        aliases: Mapping[str, str] | None = None,
        where: object = "",
    ) -> bool:
        """A node by its id in the source; said again, it gains kinds and aliases. False if it is none."""
        code, name = _clean(code), _clean(name)
        if reason := _fault(code, "id") or _fault(name, "name"):
            self.refuse(where or code, reason)
            return False
        place = self._places.setdefault(code, len(self._entities))
        if place == len(self._entities):
            self._entities.append(EntityRecord(code, name))
        entity = self._entities[place]
        given = tuple(_KINDS.get(kind, kind) for kind in kinds)
        entity.kinds = tuple(dict.fromkeys((*entity.kinds, *given)))
        for alias, role in (aliases or {}).items():
            cleaned = _clean(alias)
            if not _fault(cleaned, "alias") and cleaned != name:
                entity.aliases.setdefault(cleaned, role)
        return True

    def knows(self, code: str) -> bool:
        return code in self._places

    def add_fact(self, head: str, relation: str, tail: str, source: str = "", where: object = "") -> bool:
        """A statement between two entities that were added; False, and counted, if it is none."""
        head, relation, tail, source = _clean(head), _clean(relation), _clean(tail), _clean(source)
        if reason := self._fault(head, relation, tail):
            self.refuse(where or f"{head} {relation} {tail}", reason)
            return False
        first, second = self._places[head], self._places[tail]
        self._note_kinds(first, relation, second)
        turned = relation in self._inverse_of
        relation = self._inverse_of.get(relation, relation)
        if relation in self._symmetric:
            turned = (second, relation, first) in self._facts
        key = (second, relation, first) if turned else (first, relation, second)
        said = self._facts.setdefault(key, _Said())
        again = said.turned if turned else said.straight
        if again and source in said.sources:
            self.refuse(where or f"{head} {relation} {tail}", "said twice")
            return False
        if not again and (said.straight or said.turned):
            self.inverses += 1
        said.straight, said.turned = said.straight or not turned, said.turned or turned
        if source:
            said.sources[source] = None
        return True

    def add_mirrored(self, head: str, relation: str, tail: str, source: str, where: object) -> bool:
        """`add_fact` for a source that lists each statement from both ends under one name: the second is no
        repetition."""
        statement = head, relation, tail
        if statement in self._unpaired:
            self._unpaired.discard(statement)
            self.inverses += 1
            return False
        added = self.add_fact(head, relation, tail, source, where)
        if added:
            self._unpaired.add(statement)
        return added

    def _fault(self, head: str, relation: str, tail: str) -> str | None:
        for cell, what in ((head, "head"), (relation, "relation"), (tail, "tail")):
            if reason := _fault(cell, what):
                return reason
        if head not in self._places or tail not in self._places:
            return "an end that is no entity of the graph"
        return "both ends are the same" if head == tail else None

    def _note_kinds(self, head: int, relation: str, tail: int) -> None:
        """Types by the lexicon, for entities that their source gives none."""
        if known := relations().get(relation):
            for place, kind in ((head, known.head), (tail, known.tail)):
                if kind != "any":
                    self._kinds.setdefault(place, Counter())[kind] += 1

    def finish(self) -> GraphRecord:
        """What can be stored: rings in the hierarchy are opened, ids and sources in order."""
        self._open_rings()
        for place, counted in self._kinds.items():
            entity = self._entities[place]
            if not entity.kinds:
                entity.kinds = tuple(sorted(counted, key=lambda kind: (-counted[kind], kind)))
        default = self.label.source or self.label.name
        facts = [
            FactRecord(head, relation, tail, tuple(said.sources) or (default,))
            for (head, relation, tail), said in self._facts.items()
        ]
        return GraphRecord(self.label, self._entities, facts)

    def _open_rings(self) -> None:
        """A kind of a kind of itself says nothing: each fact that closes a ring goes, in the file's order."""
        edges = [(head, tail) for head, relation, tail in self._facts if relation == HIERARCHY]
        for head, tail in ring_closers(edges):
            del self._facts[head, HIERARCHY, tail]
            ends = self._entities[head].name, self._entities[tail].name
            self.refuse(" is_a ".join(ends), "closes a ring of is_a")


def _inverses() -> dict[str, str]:
    """Relation -> the one it is stored as, turned round."""
    stored: dict[str, str] = {}
    for name, relation in relations().items():
        if relation.inverse and relation.inverse != name and name not in stored:
            stored[relation.inverse] = name
    return stored


def _clean(cell: str) -> str:
    return " ".join(clean_text(cell).split())


def _fault(cell: str, what: str) -> str | None:
    if cell.lower() in EMPTY:
        return f"no {what}" if not cell else f"the {what} is `{cell}`"
    return f"the {what} has more than {LONGEST} characters" if len(cell) > LONGEST else None
