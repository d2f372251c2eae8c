"""MindMap's retrieval as a baseline (methods.md 2.10): paths between entities, and what is one hop away.

Our reading of it. An entity of the question is the nearest name of the graph by the encoder's cosine, without
a threshold; a name that is taken already gives way to the next. Paths: all shortest ones of at most five
facts from each entity to the next, the first five of all, ties by name. Neighbours: a line is an entity, a
relation, and all its ends; those of the question's entities come first, then those of the diseases among
their ends, five lines in all. A disease ranks by how many of these lines name it, then by where it appears
first, paths before neighbours. What no line names is not ranked. No model words the lines, as no words of it
could change the order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise

import numpy as np

from reasoning.encoders.interface import Vectors
from reasoning.evaluation.graph_set import KnownGraph

HOPS, PATHS, LINES = 5, 5, 5


def nearest_names(mentions: Vectors, names: Vectors) -> list[int]:
    """For each mention the place of the likest name that none before it took; a row a text."""
    taken: list[int] = []
    for row in np.atleast_2d(mentions) @ names.T if len(mentions) else ():
        place = next(int(each) for each in np.argsort(-row, kind="stable") if int(each) not in taken)
        taken.append(place)
    return taken


def rank_by_lines(entities: Sequence[str], graph: KnownGraph) -> list[str]:
    """Diseases of the paths and neighbours of these entities (folded names), best first."""
    lines = [*find_paths(entities, graph), *islice(_neighbours(entities, graph), LINES)]
    counted = Counter(name for line in lines for name in set(line) if "disease" in graph.kinds[name])
    first: dict[str, int] = {}
    for place, name in enumerate(chain.from_iterable(lines)):
        first.setdefault(name, place)
    return sorted(counted, key=lambda name: (-counted[name], first[name], graph.names[name]))


def find_paths(entities: Sequence[str], graph: KnownGraph) -> list[tuple[str, ...]]:
    """Chained from each entity to the next, the first five."""
    chained = (path for start, end in pairwise(entities) for path in shortest_paths(start, end, graph))
    return list(islice(chained, PATHS))


def shortest_paths(start: str, end: str, graph: KnownGraph) -> Iterator[tuple[str, ...]]:
    """All of them up to five facts, by name."""
    away, edge = {end: 0}, {end}
    for hops in range(1, HOPS + 1):
        if start in away:
            break
        edge = {near for name in edge for near in graph.joined.get(name, ())} - away.keys()
        away |= dict.fromkeys(edge, hops)
    return _walk((start,), away, graph) if start in away else iter(())


def _walk(path: tuple[str, ...], away: dict[str, int], graph: KnownGraph) -> Iterator[tuple[str, ...]]:
    left = away[path[-1]]
    if not left:
        yield path
    for near in sorted(graph.joined.get(path[-1], ())) if left else ():
        if away.get(near) == left - 1:
            yield from _walk((*path, near), away, graph)


def _neighbours(entities: Sequence[str], graph: KnownGraph) -> Iterator[tuple[str, ...]]:
    """Lines of the entities, then of the diseases that they lead to."""
    reached: dict[str, None] = {}
    for name in entities:
        for ends in graph.near.get(name, {}).values():
            reached |= dict.fromkeys(end for end in ends if "disease" in graph.kinds[end])
            yield (name, *ends)
    for name in reached:
        for ends in graph.near[name].values():
            yield (name, *ends)
