"""Where everything of a picture stands.

Labels are boxes of the layout like entities, so that nothing lies on a label. Facts that share an end, their
label and their state go through one label. A fact that closes a ring is laid out the other way round; its
arrow points to its tail all the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.render.chains.boxes import Box, wrap
from bot.render.chains.layers import Band, Layers, Size, find_against, place
from bot.render.chains.picture import Arrow, Node, Picture, State

_NAME_SIZE, _LABEL_SIZE = 13.0, 11.0
_NAME_CELLS, _LABEL_CELLS = 24, 26
_NAME_PAD, _ASKED_PAD, _LABEL_PAD = 9.0, 14.0, 3.0  # wider where the box is double and its text bold
_PORT = 10.0  # pixels between the ends of lines at one box
_MOST_PORTS = 14  # for which a box is made taller

Key = tuple[str, ...]  # of a box: its folded name, or what the facts of a label share
Edge = tuple[Key, Key]
Stretch = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A box with its middle; it is taller than its text where many lines end at it."""

    box: Box
    x: float
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """One fact as stretches of (x, y) points, head to label and label to tail: level between the two of a
    pair (0 and 1, 2 and 3, ...), bent between the pairs. `way` is 1 where it ends to the right, else -1."""

    arrow: Arrow
    stretches: tuple[Stretch, ...]
    way: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Pixels from the upper left corner of what is drawn; `names` in the order of the picture's nodes."""

    width: float
    height: float
    names: tuple[Placed, ...]
    labels: tuple[tuple[Placed, State], ...]
    lines: tuple[Line, ...]


def arrange(picture: Picture) -> Layout:
    """Every box and line. The same picture has the same layout."""
    against = find_against(list(dict.fromkeys(_ends(arrow) for arrow in picture.arrows)))
    labels = _share_labels(picture.arrows, against)
    boxes: dict[Key, Box] = {(_fold(node.name),): _name_box(node) for node in picture.nodes}
    boxes |= {labels[arrow]: _label_box(arrow) for arrow in picture.arrows}
    edges = list(dict.fromkeys(edge for arrow in picture.arrows for edge in _edges(arrow, labels, against)))
    sizes = _sizes(boxes, edges)
    layers = place(sizes, edges)
    ports = _ports(layers, edges, sizes)

    def placed(key: Key) -> Placed:
        return Placed(boxes[key], *layers.places[key], sizes[key][1])

    lines = tuple(_line(arrow, labels, against, layers, ports, sizes) for arrow in picture.arrows)
    shown = {labels[arrow]: arrow.state for arrow in picture.arrows}
    return Layout(
        width=max((layers.places[key][0] + size[0] / 2 for key, size in sizes.items()), default=0.0),
        height=max((layers.places[key][1] + size[1] / 2 for key, size in sizes.items()), default=0.0),
        names=tuple(placed((_fold(node.name),)) for node in picture.nodes),
        labels=tuple((placed(key), state) for key, state in shown.items()),
        lines=lines,
    )


def _fold(name: str) -> str:
    return name.casefold()


def _ends(arrow: Arrow) -> Edge:
    return (_fold(arrow.head),), (_fold(arrow.tail),)


def _share_labels(arrows: Sequence[Arrow], against: set[Edge]) -> dict[Arrow, Key]:
    """One label for the facts of a head, or of a tail, whichever are more."""

    def common(arrow: Arrow) -> tuple[str, ...]:
        turned = str(_ends(arrow) in against)
        return arrow.label, arrow.state, turned, *note_of(arrow)

    of_head = Counter((_fold(arrow.head), *common(arrow)) for arrow in arrows)
    of_tail = Counter((_fold(arrow.tail), *common(arrow)) for arrow in arrows)
    keys = {}
    for arrow in arrows:
        head, tail = (_fold(arrow.head), *common(arrow)), (_fold(arrow.tail), *common(arrow))
        keys[arrow] = ("of head", *head) if of_head[head] >= of_tail[tail] else ("of tail", *tail)
    return keys


def note_of(arrow: Arrow) -> tuple[str, ...]:
    """What stands below a label: citations, then chains."""
    numbers = "".join(f"[{n}]" for n in arrow.numbers)
    return tuple(part for part in (numbers, " ".join(arrow.chains)) if part)


def _name_box(node: Node) -> Box:
    return Box(wrap(node.name, _NAME_CELLS), _NAME_SIZE, _ASKED_PAD if node.asked else _NAME_PAD)


def _label_box(arrow: Arrow) -> Box:
    mark = "✕ " if arrow.state is State.REJECTED else ""
    note = " · ".join(note_of(arrow))
    lines = (*wrap(mark + arrow.label, _LABEL_CELLS), *(wrap(note, _LABEL_CELLS) if note else ()))
    return Box(lines, _LABEL_SIZE, _LABEL_PAD)


def _edges(arrow: Arrow, labels: Mapping[Arrow, Key], against: set[Edge]) -> tuple[Edge, Edge]:
    """From left to right: the stretches of the fact, or those of its turned form."""
    (head, tail), label = _ends(arrow), labels[arrow]
    return ((tail, label), (label, head)) if (head, tail) in against else ((head, label), (label, tail))


def _sizes(boxes: Mapping[Key, Box], edges: Iterable[Edge]) -> dict[Key, Size]:
    """Names are tall enough for the lines that end on either side of them."""
    edges = list(edges)
    ending = Counter(end for _, end in edges), Counter(start for start, _ in edges)
    sizes = {}
    for key, box in boxes.items():
        ports = min(_MOST_PORTS, max(side[key] for side in ending))
        sizes[key] = box.width, max(box.height, (ports + 1) * _PORT if len(key) == 1 else 0.0)
    return sizes


def _ports(
    layers: Layers[Key], edges: Sequence[Edge], sizes: Mapping[Key, Size]
) -> dict[tuple[Edge, int], float]:
    """Where on its box an edge begins (0) and ends (1): spread by where it leads, of labels the middle."""
    ports: dict[tuple[Edge, int], float] = {}
    for side in (0, 1):
        at: defaultdict[Key, list[Edge]] = defaultdict(list)
        for edge in edges:
            at[edge[side]].append(edge)
        for key, own in at.items():
            middle = layers.places[key][1]
            own.sort(key=lambda edge: layers.bands[edge][1 if side == 0 else -2].y)
            step = min(_PORT, sizes[key][1] / (len(own) + 1)) if len(key) == 1 else 0.0
            for n, edge in enumerate(own):
                ports[edge, side] = middle + (n - (len(own) - 1) / 2) * step
    return ports


def _line(
    arrow: Arrow,
    labels: Mapping[Arrow, Key],
    against: set[Edge],
    layers: Layers[Key],
    ports: Mapping[tuple[Edge, int], float],
    sizes: Mapping[Key, Size],
) -> Line:
    stretches = []
    for edge in _edges(arrow, labels, against):
        (start, end), bands = edge, layers.bands[edge]
        right = layers.places[start][0] + sizes[start][0] / 2
        left = layers.places[end][0] - sizes[end][0] / 2
        stretches.append(_points(right, left, bands, ports[edge, 0], ports[edge, 1]))
    if _ends(arrow) in against:
        return Line(arrow, tuple(tuple(reversed(stretch)) for stretch in reversed(stretches)), -1)
    return Line(arrow, tuple(stretches), 1)


def _points(right: float, left: float, bands: Sequence[Band], first: float, last: float) -> Stretch:
    """From the right side of a box to the left side of another, level in the layers, bent between them."""
    points = [(right, first), (bands[0].right, first)]
    for band in bands[1:-1]:
        points += [(band.left, band.y), (band.right, band.y)]
    return (*points, (bands[-1].left, last), (left, last))
