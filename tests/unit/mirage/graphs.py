"""Entities and facts by name, for tests of what needs no database."""

from __future__ import annotations

import zlib

from storage.graph import Entity, GraphFact


def entity(name: str, kind: str = "disease") -> Entity:
    return Entity(zlib.crc32(name.encode()), name, (kind,), "test", 1)


def fact(line: str) -> GraphFact:
    """By a line such as `gout|has_symptom|fever`, from which its id is made."""
    head, relation, tail = line.split("|")
    return GraphFact(zlib.crc32(line.encode()), entity(head), relation, entity(tail), ("test",), "v1")
