"""A graph on its way into the database, checked and ready to be copied."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True)
class GraphLabel:
    """What a graph is called, and whose it is. `language` is that of its names, as ISO 639-1."""

    name: str
    language: str = "en"
    source: str = ""
    licence: str = ""


@dataclass(slots=True)
class EntityRecord:
    """`code` is unique in the graph. `aliases` are names by role: alias, or lay for a patient's word."""

    code: str
    name: str
    kinds: tuple[str, ...] = ()
    aliases: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactRecord:
    """Ends are places in the graph's list of entities."""

    head: int
    relation: str
    tail: int
    sources: tuple[str, ...]


@dataclass(frozen=True)
class GraphRecord:
    """Entities, and the facts between them: no two of one relation and direction join the same ends."""

    label: GraphLabel
    entities: Sequence[EntityRecord]
    facts: Sequence[FactRecord]

    @cached_property
    def version(self) -> str:
        """16 hexadecimal digits over all that is stored, whatever its order."""
        entities = self.entities
        lines = [
            "\x1f".join((fact.relation, entities[fact.head].code, entities[fact.tail].code, *fact.sources))
            for fact in self.facts
        ]
        lines += [
            "\x1e".join((entity.code, entity.name, *sorted(entity.kinds), *map("=".join, aliases)))
            for entity in entities
            for aliases in [sorted(entity.aliases.items())]
        ]
        digest = hashlib.sha256("\x1f".join((self.label.language, self.label.source)).encode())
        for line in sorted(lines):
            digest.update(line.encode() + b"\n")
        return digest.hexdigest()[:16]
