"""Tables as lines of cells, figures as their legends (case F13.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lxml.etree import _Element

from storage.documents import Section, SectionKind

CELL = " | "
_MOST_SPAN = 100  # cells; a larger span is a fault of the source (our choice)

Line = Callable[[_Element], str]


def table_section(wrap: _Element, line: Line) -> Section | None:
    """Caption, rows by line and notes, labelled as printed; None for a table without any text."""
    rows = [CELL.join(cells) for table in wrap.iter("{*}table") for cells in _grid(table, line) if any(cells)]
    return _section(wrap, SectionKind.TABLE, [*_caption(wrap, line), *rows, *_notes(wrap, line)], line)


def figure_section(figure: _Element, line: Line) -> Section | None:
    """The legend of a figure; None where there is none."""
    return _section(figure, SectionKind.FIGURE, [*_caption(figure, line), *_notes(figure, line)], line)


def _section(element: _Element, kind: SectionKind, lines: list[str], line: Line) -> Section | None:
    label = element.find("{*}label")
    text = "\n".join(part for part in lines if part)
    name = line(label).rstrip(".: ") if label is not None else ""
    return Section(text=text, label=name or None, kind=kind) if text else None


def _caption(element: _Element, line: Line) -> Iterator[str]:
    for caption in element.iterchildren("{*}caption"):
        yield " ".join(text for part in caption if (text := line(part)))


def _notes(element: _Element, line: Line) -> Iterator[str]:
    for foot in element.iterchildren("{*}table-wrap-foot", "{*}attrib", "{*}fn-group"):
        parts = list(foot.iterchildren("{*}fn", "{*}p", "{*}fn-group", "{*}attrib"))
        for part in parts or [foot]:
            notes = list(part.iterchildren("{*}fn")) or [part]
            yield from (_note(note, line) for note in notes)


def _note(note: _Element, line: Line) -> str:
    """A note behind its mark, kept apart by a colon: `a: after one year`."""
    label = note.find("{*}label")
    text = " ".join(part for child in note if child is not label and (part := line(child)))
    if label is None or not text:
        return line(note)
    return f"{line(label)}: {text}"


def _grid(table: _Element, line: Line) -> Iterator[list[str]]:
    """Rows of cell texts. A cell over several rows is repeated in each, so that no row loses what it is
    about; one over several columns is followed by empty cells.
    """
    hanging: dict[int, tuple[int, str]] = {}  # column -> rows still covered, text
    for row in table.iter("{*}tr", "{*}row"):
        cells: list[str] = []
        for cell in row.iterchildren("{*}th", "{*}td", "{*}entry"):
            _fill(cells, hanging)
            text, column = line(cell), len(cells)
            width, height = _span(cell, "colspan"), _span(cell, "rowspan")
            cells += [text, *[""] * (width - 1)]
            if height > 1:
                hanging[column] = (height - 1, text)
        _fill(cells, hanging)
        yield cells


def _fill(cells: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    while (column := len(cells)) in hanging:
        left, text = hanging.pop(column)
        cells.append(text)
        if left > 1:
            hanging[column] = (left - 1, text)


def _span(cell: _Element, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(max(int(value), 1), _MOST_SPAN) if value.isdecimal() and len(value) < 5 else 1
