"""Rings in a hierarchy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

_Edge = tuple[int, int]


def ring_closers(edges: Iterable[_Edge]) -> list[_Edge]:
    """The edges that a depth-first walk finds to lead back into its own way; without them there is no ring.

    Nodes and edges are walked in the given order, each once, without recursion.
    """
    below: dict[int, list[int]] = defaultdict(list)
    for start, end in edges:
        below[start].append(end)
    closing: list[_Edge] = []
    done: set[int] = set()
    for root in list(below):
        if root in done:
            continue
        way = [(root, iter(below[root]))]
        on_way = {root}
        while way:
            node, ends = way[-1]
            for end in ends:
                if end in on_way:
                    closing.append((node, end))
                elif end not in done:
                    on_way.add(end)
                    way.append((end, iter(below.get(end, ()))))
                    break
            else:
                way.pop()
                on_way.discard(node)
                done.add(node)
    return closing
