"""Running text of a JATS body: sections as paragraphs, with tables and figures taken out (case F13)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.etree import _Element

from reasoning.retrieval.reading.blocks import ITEM, join_blocks
from reasoning.retrieval.reading.jats_tables import figure_section, table_section
from reasoning.retrieval.reading.markup import Token, child_tokens, fold, render, script, tokens
from reasoning.retrieval.reading.reference_marks import MARK, is_mark, only_marks, without_marks
from storage.documents import Section, SectionKind

_BREAK = "\1"  # ends a paragraph inside running text; no XML text can contain it
_LEFT_OUT = frozenset(
    {
        "supplementary-material", "inline-supplementary-material", "media", "graphic", "inline-graphic",
        "ref-list", "fn-group", "object-id", "label", "sec-meta", "sub-article", "response", "permissions",
        "processing-meta", "custom-meta-group", "ack",
    }
)  # fmt: skip
_BLOCKS = frozenset(
    {
        "list",
        "def-list",
        "boxed-text",
        "disp-quote",
        "statement",
        "verse-group",
        "fig-group",
        "table-wrap-group",
    }
)
_TEX = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def local(element: _Element) -> str:
    """Tag without namespace; "" for comments and entity references."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def body_sections(body: _Element) -> Iterator[Section]:
    """Top-level sections in order, each followed by its tables and figures; loose text has no label."""
    loose = Flow()
    for child in body:
        if local(child) == "sec":
            yield from loose.sections(None)
            loose = Flow()
            flow = Flow()
            flow.walk(child, top=True)
            title = next((part for part in child if local(part) == "title"), None)
            yield from flow.sections(flow.line(title) or None if title is not None else None)
        else:
            loose.block(child)
    yield from loose.sections(None)


class Flow:
    """Paragraphs and floats of one section while it is read."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.floats: list[Section] = []

    def sections(self, label: str | None, kind: SectionKind = SectionKind.BODY) -> Iterator[Section]:
        if self.lines:
            yield Section(text=join_blocks(self.lines), label=label, kind=kind)
        yield from self.floats

    def walk(self, element: _Element, *, top: bool = False) -> None:
        """All blocks inside `element`; its own title is a line unless it is the label (`top`)."""
        for child in element:
            if not (top and local(child) == "title"):
                self.block(child)

    def block(self, element: _Element) -> None:
        name = local(element)
        if not name or name in _LEFT_OUT:
            return
        if name == "table-wrap" or name == "fig":
            self._float(element)
        elif name == "sec":
            before = len(self.lines)
            self.walk(element)
            if len(self.lines) == before + 1 and local(element[0]) in ("title", "label"):
                self.lines.pop()  # a heading over nothing is no text
        elif name in _BLOCKS:
            self.walk(element)
        elif name == "list-item":
            self._item(element)
        elif name == "def-item":
            self._add(": ".join(text for part in element if (text := self.line(part))))
        else:
            self._add(*self._paragraph(element))

    def line(self, element: _Element) -> str:
        """The text of an element on one line, marks left out, floats taken out."""
        return fold(without_marks(render(tokens(element, self._inline))).replace(_BREAK, " "))

    def _paragraph(self, element: _Element) -> list[str]:
        text = without_marks(render(tokens(element, self._inline)))
        return [fold(part) for part in text.split(_BREAK)]

    def _item(self, element: _Element) -> None:
        """A list item: its paragraphs belong together; an inner list follows as items of its own."""
        inside = Flow()
        inside.walk(element)
        if inside.lines:
            first, *rest = inside.lines
            self._add(first if first.startswith(ITEM) else ITEM + first, *rest)
        self.floats += inside.floats

    def _add(self, *lines: str) -> None:
        self.lines += [line for line in lines if line]

    def _float(self, element: _Element) -> None:
        make = table_section if local(element) == "table-wrap" else figure_section
        if section := make(element, self.line):
            self.floats.append(section)

    def _inline(self, element: _Element) -> list[Token] | None:
        """How a child of running text is rendered; None: as usual."""
        name = local(element)
        if name == "xref":
            return [("", MARK)] if is_mark(element) else None
        if name == "sup":
            inside = render(tokens(element, self._inline))
            return [("", MARK)] if only_marks(inside) else script("^", without_marks(inside))
        if name == "table-wrap" or name == "fig":
            self._float(element)
            return []
        if name in _BLOCKS:
            inner = Flow()
            inner.walk(element)
            self.floats += inner.floats
            return [("", _BREAK + _BREAK.join(inner.lines) + _BREAK)]
        if name == "fn":
            return [("", f" ({note})")] if (note := self.line(element)) else []
        if name == "alternatives":
            return self._best_alternative(element)
        if name == "tex-math":
            return [("math", tex_text(element.text or ""))]
        return [] if name in _LEFT_OUT and name != "label" else None

    def _best_alternative(self, element: _Element) -> list[Token]:
        """Of several forms of the same thing the one that reads best as text."""
        forms = {local(child): child for child in element}
        best = next((forms[name] for name in ("math", "textual-form", "tex-math") if name in forms), None)
        return child_tokens(best, self._inline) if best is not None else []


def tex_text(source: str) -> str:
    """A TeX formula without the document around it that publishers wrap it in."""
    found = _TEX.search(source)
    return " ".join((found.group(1) if found else source).strip().strip("$").split())
