"""Boxes in layers from left to right, and lines that pass between them (Sugiyama's method, by grandalf)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Point = tuple[float, float]
Size = tuple[float, float]  # width, height

_ACROSS, _BETWEEN = 14.0, 46.0  # pixels between boxes of one layer, and between layers
_ROUNDS = 12  # of the ordering; more changes nothing in graphs of this size


@dataclass(frozen=True, slots=True)
class Band:
    """A layer where a line crosses it: level at `y`, from `left` to `right`."""

    left: float
    right: float
    y: float


@dataclass(frozen=True, slots=True)
class Layers(Generic[Key]):
    """Middles of the boxes; `bands` has for each edge the layers from its start to its end."""

    places: Mapping[Key, Point]
    bands: Mapping[tuple[Key, Key], tuple[Band, ...]]


def find_against(edges: Sequence[tuple[Key, Key]]) -> set[tuple[Key, Key]]:
    """Edges that close a ring: without them all others lead one way."""
    from grandalf.graphs import Graph

    vertices, made = _make(dict.fromkeys(end for edge in edges for end in edge), edges)
    graph = Graph(list(vertices.values()), made)
    against: set[tuple[Key, Key]] = set()
    for part in graph.C:
        part.get_scs_with_feedback([vertex for vertex in part.sV if not vertex.e_in()])
        against |= {(edge.v[0].data, edge.v[1].data) for edge in part.sE if edge.feedback}
    return against


def place(sizes: Mapping[Key, Size], edges: Sequence[tuple[Key, Key]]) -> Layers[Key]:
    """The same input gives the same layout. What no edge ties together stands one below the other."""
    from grandalf.graphs import Graph
    from grandalf.layouts import SugiyamaLayout

    vertices, made = _make(sizes, edges)
    for key, vertex in vertices.items():
        vertex.view = _View(sizes[key])
    for edge in made:
        edge.view = _Route()
    places: dict[Key, Point] = {}
    bands: dict[tuple[Key, Key], tuple[Band, ...]] = {}
    top = 0.0
    for part in Graph(list(vertices.values()), made).C:
        layout = SugiyamaLayout(part)
        layout.xspace, layout.yspace = _ACROSS, _BETWEEN
        layout.init_all(optimize=True)
        layout.draw(_ROUNDS)
        _spread(layout.layers)
        shift = top - min(v.view.xy[0] - v.view.w / 2 for layer in layout.layers for v in layer)
        columns = [_span(layer) for layer in layout.layers]
        for vertex in part.sV:
            places[vertex.data] = vertex.view.xy[1], vertex.view.xy[0] + shift
        for edge in part.sE:
            passed = _passed(layout, edge)
            bands[edge.v[0].data, edge.v[1].data] = tuple(
                Band(*columns[rank], vertex.view.xy[0] + shift) for rank, vertex in passed
            )
        top = _ACROSS + shift + max(v.view.xy[0] + v.view.w / 2 for layer in layout.layers for v in layer)
    return Layers(places, bands)


def _make(keys: Mapping[Key, Any], edges: Sequence[tuple[Key, Key]]) -> tuple[dict[Key, Any], list[Any]]:
    from grandalf.graphs import Edge, Vertex

    class Box(_Placed, Vertex):  # type: ignore[misc]
        pass

    class Line(_Placed, Edge):  # type: ignore[misc]
        pass

    vertices = {key: Box(key) for key in keys}
    lines = [Line(vertices[start], vertices[end]) for start, end in edges]
    for part in (list(vertices.values()), lines):
        for at, each in enumerate(part):
            each.place = at
    return vertices, lines


class _Placed:
    """Hashes by its place: grandalf goes through sets, whose order, and the picture with it, would otherwise
    follow addresses in memory."""

    place = 0

    def __hash__(self) -> int:
        return self.place


class _View:
    """A box as grandalf wants it, which lays layers from top to bottom: width and height change places."""

    def __init__(self, size: Size) -> None:
        self.h, self.w = size
        self.xy = (0.0, 0.0)


class _Route:
    def setpath(self, points: Sequence[Point]) -> None:
        """What is drawn goes by the layers, not by these points."""


def _spread(layers: Sequence[Sequence[Any]]) -> None:
    """Boxes of different sizes may come too near each other; then they move on, in their order."""
    for layer in layers:
        edge = float("-inf")
        for vertex in layer:
            across, along = vertex.view.xy
            across = max(across, edge + vertex.view.w / 2)
            vertex.view.xy = across, along
            edge = across + vertex.view.w / 2 + _ACROSS


def _span(layer: Sequence[Any]) -> tuple[float, float]:
    half, along = max(vertex.view.h for vertex in layer) / 2, layer[0].view.xy[1]
    return along - half, along + half


def _passed(layout: Any, edge: Any) -> list[tuple[int, Any]]:
    """The layers of an edge by number, with the box or the place holder in each."""
    start, end = edge.v
    first, last = layout.grx[start].rank, layout.grx[end].rank
    holders = layout.ctrls.get(edge, {})
    return [(rank, {first: start, last: end}.get(rank) or holders[rank]) for rank in range(first, last + 1)]
