"""The graph as the rest of the house sees it: entities, facts between them, paths, and how a look-up ended.

A statement is stored once. Where a source lists it together with its inverse (`has_symptom` and
`possible_disease`), the direction that `lexicons/relations.toml` names first is kept, and the other is only
another way to read it (`GraphFact.read_from`), so that paths do not double and wording stays true.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from storage.facts import Fact, relations


@dataclass(frozen=True, slots=True)
class Entity:
    """One node of one graph; equal names in two graphs are two entities.

    `kinds` are its types, the commonest first (disease, symptom, test, treatment, ...); `degree` counts the
    facts it is an end of. `aliases` is filled only by `Graph.read_entities`.
    """

    id: int
    name: str
    kinds: tuple[str, ...]
    graph: str
    degree: int
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A name that a search found: `name` is the name or alias that matched, not always the entity's own.

    `score` is 1 for an equal name; for `search_names` the share of letter trigrams that both have (Jaccard),
    for `nearest` the encoder's similarity.
    """

    entity: Entity
    name: str
    score: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A fact read from one of its ends: `relation` is the inverse where it is read from the tail and has one.

    `forward` tells whether head and tail are those of the stored fact.
    """

    head: Entity
    relation: str
    tail: Entity
    forward: bool

    @property
    def wording(self) -> str | None:
        """Of the relation, with `{head}` and `{tails}`; None where the lexicon has none: such a fact may be
        traced but is not told to a patient."""
        known = relations().get(self.relation)
        return known.wording if known else None

    def say(self) -> str:
        """In words, without a full stop; as an arrow where there are none."""
        known = relations().get(self.relation)
        if known is None:
            return f"{self.head.name} -[{self.relation}]-> {self.tail.name}"
        return known.say(self.head.name, (self.tail.name,))


@dataclass(frozen=True, slots=True)
class GraphFact:
    """One directed statement of a graph, in its true direction. `sources` are ids of who states it (PMIDs,
    articles of the library, names of databases); `version` is the hash of the graph's content (F22)."""

    id: int
    head: Entity
    relation: str
    tail: Entity
    sources: tuple[str, ...]
    version: str

    @property
    def graph(self) -> str:
        return self.head.graph

    def other(self, entity_id: int) -> Entity:
        """The end that is not this one."""
        return self.tail if entity_id == self.head.id else self.head

    def read_from(self, entity_id: int) -> Reading:
        """The same statement beginning at this end where the relation has an inverse; else as it is stored.

        Never turned round without one: a wrong direction is a wrong statement (methods.md 2.5).
        """
        known = relations().get(self.relation)
        if entity_id != self.head.id and known and known.inverse:
            return Reading(self.tail, known.inverse, self.head, forward=False)
        return Reading(self.head, self.relation, self.tail, forward=True)

    def as_fact(self) -> Fact:
        """By names, as citations show it."""
        return Fact(self.head.name, self.relation, self.tail.name, "; ".join(self.sources))


@dataclass(frozen=True, slots=True)
class FactPath:
    """A chain of facts from one entity to another; `entities` has one more than `facts`, none twice.

    Two paths differ in their entities. Where several facts join two neighbours, `facts` has the first of them
    (by relation, those with a wording before others) and `beside` the rest, a tuple a hop.

    `coverage` counts the question's other entities that its inner entities are or touch, `hubs` sums the
    degrees of its inner entities: paths are ranked by more of the first, less of the second, then names.
    """

    entities: tuple[Entity, ...]
    facts: tuple[GraphFact, ...]
    beside: tuple[tuple[GraphFact, ...], ...] = ()
    coverage: int = 0
    hubs: int = 0

    @property
    def hops(self) -> int:
        return len(self.facts)

    @property
    def forward(self) -> tuple[bool, ...]:
        """Whether each fact is walked from its head to its tail."""
        starts = self.entities[:-1]
        return tuple(fact.head.id == start.id for fact, start in zip(self.facts, starts, strict=True))

    def readings(self) -> tuple[Reading, ...]:
        """The facts as they are read along the path."""
        starts = self.entities[:-1]
        return tuple(fact.read_from(start.id) for fact, start in zip(self.facts, starts, strict=True))


@dataclass(frozen=True, slots=True)
class Weight:
    """What ties an entity to a question: `touch` counts the question's entities that it is or is joined to.

    `likeness` is that of its name to the question by the encoder, `signs` the mean of those of its signs that
    are likest: for a disease, whether the question tells what the graph says it looks like. None where names
    have no vector, or it has no signs.
    """

    touch: int = 0
    likeness: float | None = None
    signs: float | None = None


class Outcome(StrEnum):
    """How a look-up ended. Only FOUND says something about the world: no other may be worded as evidence
    that two things are unrelated (F22)."""

    FOUND = "found"
    NOTHING = "nothing"  # searched whole: no path within the hops, no fact of these relations
    UNKNOWN = "unknown"  # an entity that no graph has
    SAME = "same"  # both ends are one entity: an anchor look-up, not a bridge
    TIME_OUT = "time_out"


@dataclass(frozen=True, slots=True)
class Paths:
    """The shortest paths between two entities, best first.

    `searched` is the number of hops that was searched whole: with TIME_OUT less than what was asked.
    `more` tells that further paths of this length were cut off.
    """

    outcome: Outcome
    paths: tuple[FactPath, ...] = ()
    searched: int = 0
    more: bool = False


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The facts of one entity under one relation as read from it, best first; `total - len(facts)` were cut.

    `forward` tells whether the wording begins with the entity; if not, it is the tail of a relation that has
    no inverse. Best: its other end touches more of the question's entities, then has fewer facts, then comes
    first by name.
    """

    entity: Entity
    relation: str
    forward: bool
    facts: tuple[GraphFact, ...]
    total: int

    @property
    def cut(self) -> int:
        return self.total - len(self.facts)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What is one hop away, grouped by entity (as asked) and relation (by name)."""

    outcome: Outcome
    groups: tuple[Neighbours, ...] = ()

    @property
    def facts(self) -> tuple[GraphFact, ...]:
        """All of them, each once."""
        return tuple({fact.id: fact for group in self.groups for fact in group.facts}.values())


@dataclass(frozen=True, slots=True)
class GraphSummary:
    """One stored graph. `embedded` counts its names that have a vector of the encoder in use."""

    name: str
    version: str
    language: str
    source: str
    licence: str
    entities: int
    names: int
    facts: int
    embedded: int
