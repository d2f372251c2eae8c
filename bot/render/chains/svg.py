"""A picture as SVG: black on white, told apart by strokes and shapes, nothing from outside, all text escaped.

Attributes only, no style sheet, script or id: it may stand in a page with a strict policy, beside others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from bot.render.chains.boxes import Box, wrap
from bot.render.chains.layout import Layout, Line, Placed, Stretch, arrange
from bot.render.chains.picture import Picture, State
from bot.render.chains.words import describe, legend_of, words_of
from reasoning.notices import notice

_MARGIN, _LEAST = 24.0, 560.0  # pixels
_TITLE, _TEXT = 17.0, 12.0
_FONT = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"
_STROKES: dict[State, dict[str, str]] = {
    State.TOLD: {"stroke-width": "2.6"},
    State.KEPT: {"stroke-width": "1.1"},
    State.REJECTED: {"stroke-width": "1.4", "stroke-dasharray": "8 4"},
    State.FOUND: {"stroke-width": "1.4", "stroke-dasharray": "1.4 3.6"},
}
# Characters that XML cannot hold, and those that turn the direction of what follows.
_UNWRITABLE = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)


def draw(picture: Picture) -> str:
    """The text of one SVG document, the same for the same picture."""
    layout = arrange(picture)
    width = max(_LEAST, layout.width) + 2 * _MARGIN
    cells = int((width - 2 * _MARGIN) / (_TEXT * 0.6))
    title = notice("picture_title", picture.language)
    root = Xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": title})
    root.set("lang", picture.language)
    _add(root, "title", title)
    _add(root, "desc", describe(picture))
    _add(root, "rect", width="100%", height="100%", fill="white")
    top = _write(root, [title], _MARGIN, _TITLE, bold=True)
    top = _write(root, wrap(picture.question, cells, 3), top, _TEXT) + 18
    chains = _add(root, "g", transform=f"translate({_MARGIN:g} {top:.1f})")
    _draw_chains(chains, picture, layout)
    top = _draw_legend(root, picture, top + layout.height + 36)
    for words in words_of(picture):
        top = _write(root, wrap(words, cells, 3), top, _TEXT)
    size = f"{width:.0f}", f"{top + _MARGIN / 2:.0f}"
    root.attrib |= {"width": size[0], "height": size[1], "viewBox": f"0 0 {size[0]} {size[1]}"}
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode") + "\n"


def _add(parent: Xml.Element, tag: str, text: str | None = None, **attributes: object) -> Xml.Element:
    """An element; `_` in the name of an attribute stands for `-`."""
    named = {name.replace("_", "-"): _writable(str(value)) for name, value in attributes.items()}
    element = Xml.SubElement(parent, tag, named)
    element.text = None if text is None else _writable(text)
    return element


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("�", text)


def _write(
    parent: Xml.Element,
    lines: Sequence[str],
    top: float,
    size: float,
    left: float = _MARGIN,
    bold: bool = False,
) -> float:
    """Lines from the left below `top`; where they end."""
    for line in lines:
        top += size * 1.35
        weight = {"font_weight": "bold"} if bold else {}
        _add(
            parent,
            "text",
            line,
            x=f"{left:g}",
            y=f"{top:.1f}",
            font_size=f"{size:g}",
            font_family=_FONT,
            **weight,
        )
    return top


def _draw_chains(parent: Xml.Element, picture: Picture, layout: Layout) -> None:
    """Lines first, so that boxes cover their ends; what the answer cites last of them, on top."""
    drawn: set[Stretch] = set()
    for line in sorted(layout.lines, key=lambda line: line.arrow.state is State.TOLD):
        _draw_line(parent, line, [stretch for stretch in line.stretches if stretch not in drawn])
        drawn.update(line.stretches)
    for placed, state in layout.labels:
        _draw_label(parent, placed, bold=state is State.TOLD)
    for node, placed in zip(picture.nodes, layout.names, strict=True):
        group = _add(parent, "g", data_entity=node.name, data_asked=str(node.asked).lower())
        _add(group, "title", node.name)
        _draw_name(group, placed.x, placed.y, placed.box.width, placed.height, asked=node.asked)
        _write_box(group, placed, bold=node.asked)


def _draw_line(parent: Xml.Element, line: Line, stretches: Sequence[Stretch]) -> None:
    """With those stretches that no line has drawn before: twice drawn looks heavier."""
    arrow = line.arrow
    group = _add(
        parent, "g", fill="none", stroke="black", data_state=arrow.state, data_head=arrow.head,
        data_relation=arrow.label, data_tail=arrow.tail, **_STROKES[arrow.state],
    )  # fmt: skip
    _add(group, "title", arrow.said)
    if stretches:
        _add(group, "path", d=" ".join(map(_path, stretches)))
    _draw_point(group, *line.stretches[-1][-1], line.way, arrow.state)


def _path(points: Stretch) -> str:
    """Level between each two of a pair, bent between the pairs."""
    (x, y), *others = points
    parts = [f"M{x:.1f} {y:.1f}"]
    for place, (x1, y1) in enumerate(others):
        middle = (x + x1) / 2
        bent = f"C{middle:.1f} {y:.1f} {middle:.1f} {y1:.1f} {x1:.1f} {y1:.1f}"
        parts.append(bent if place % 2 else f"L{x1:.1f} {y1:.1f}")
        x, y = x1, y1
    return " ".join(parts)


def _draw_point(parent: Xml.Element, x: float, y: float, way: int, state: State) -> None:
    """The head of an arrow; an open one where the fact is no part of what is kept."""
    fill = "black" if state in (State.TOLD, State.KEPT) else "white"
    wide = 4.5 if state is State.TOLD else 3.5
    points = f"{x:.1f},{y:.1f} {x - way * 9:.1f},{y - wide:.1f} {x - way * 9:.1f},{y + wide:.1f}"
    _add(parent, "polygon", points=points, fill=fill, stroke_width="1", stroke_dasharray="none")


def _draw_name(parent: Xml.Element, x: float, y: float, width: float, height: float, *, asked: bool) -> None:
    """A box with round corners; of the question's entities a heavy, double one with square corners."""
    for inset in (0.0, 4.0) if asked else (0.0,):
        _add(
            parent, "rect", x=f"{x - width / 2 + inset:.1f}", y=f"{y - height / 2 + inset:.1f}",
            width=f"{width - 2 * inset:.1f}", height=f"{height - 2 * inset:.1f}", rx="0" if asked else "9",
            fill="white", stroke="black", stroke_width="2" if asked and not inset else "1",
        )  # fmt: skip


def _draw_label(parent: Xml.Element, placed: Placed, *, bold: bool) -> None:
    group = _add(parent, "g")
    width, height = placed.box.width, placed.box.height
    _add(
        group, "rect", x=f"{placed.x - width / 2:.1f}", y=f"{placed.y - height / 2:.1f}",
        width=f"{width:.1f}", height=f"{height:.1f}", fill="white",
    )  # fmt: skip
    _write_box(group, placed, bold=bold)


def _write_box(parent: Xml.Element, placed: Placed, *, bold: bool) -> None:
    box: Box = placed.box
    top = placed.y - len(box.lines) * box.line_height / 2
    for place, line in enumerate(box.lines):
        baseline = top + place * box.line_height + box.size * 1.03
        weight = {"font_weight": "bold"} if bold else {}
        _add(
            parent, "text", line, x=f"{placed.x:.1f}", y=f"{baseline:.1f}", text_anchor="middle",
            font_size=f"{box.size:g}", font_family=_FONT, **weight,
        )  # fmt: skip


def _draw_legend(root: Xml.Element, picture: Picture, top: float) -> float:
    """Only what occurs."""
    for sign, words in legend_of(picture):
        middle = top + 12
        if isinstance(sign, State):
            group = _add(root, "g", fill="none", stroke="black", **_STROKES[sign])
            _add(group, "path", d=f"M{_MARGIN:g} {middle:g} H{_MARGIN + 46:g}")
            _draw_point(group, _MARGIN + 46, middle, 1, sign)
        else:
            _draw_name(root, _MARGIN + 23, middle, 46, 17, asked=sign)
        _write(root, [words], top, _TEXT, _MARGIN + 58)
        top += 23
    return top
