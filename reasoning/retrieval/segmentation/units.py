"""An article's one text, and the units of it that never share a passage (methods.md 1.6 step 1).

Layout (our choice): the parts of one abstract are lines "LABEL: text" of one unit; a section, a table and a
figure legend are units of their own that open with a label line. Units are set apart by an empty line.
"""

from __future__ import annotations

from dataclasses import dataclass

from reasoning.retrieval.segmentation.sentences import Span, is_blank, split_sentences
from storage.documents import Article, Section, SectionKind

_GAP = "\n\n"


@dataclass(frozen=True, slots=True)
class Part:
    """One section inside a unit; its label, if printed, fills [start, text_start)."""

    start: int
    text_start: int
    end: int
    label: str | None
    page: int | None


@dataclass(frozen=True, slots=True)
class Unit:
    """[start, end) of the document in characters, the gap after it included: units tile the document."""

    kind: SectionKind
    parts: tuple[Part, ...]

    @property
    def start(self) -> int:
        return self.parts[0].start

    @property
    def end(self) -> int:
        return self.parts[-1].end

    def part_at(self, offset: int) -> Part:
        """The part that holds the document offset."""
        return next(part for part in reversed(self.parts) if part.start <= offset)

    def sentences(self, document: str) -> list[Span]:
        """Spans in the document that tile the unit; rows in a table. A label stays with what follows."""
        return [span for part in self.parts for span in _sentences(document, part, self.kind)]


@dataclass(frozen=True, slots=True)
class Document:
    text: str
    units: tuple[Unit, ...]


def lay_out(article: Article) -> Document:
    """The text from which passages are cut, and its units; sections without text leave no trace."""
    pieces: list[str] = []
    units: list[Unit] = []
    offset = 0
    groups: list[list[Section]] = []
    for section in article.sections:
        if is_blank(section.text):
            continue
        if section.kind is SectionKind.ABSTRACT and groups and groups[-1][0].kind is SectionKind.ABSTRACT:
            groups[-1].append(section)
        else:
            groups.append([section])
    for number, group in enumerate(groups):
        parts: list[Part] = []
        for place, section in enumerate(group):
            label, text = _label(section), section.text.strip()
            gap = "\n" if place + 1 < len(group) else _GAP if number + 1 < len(groups) else ""
            end = offset + len(label) + len(text) + len(gap)
            parts.append(Part(offset, offset + len(label), end, section.label, section.page))
            pieces += label, text, gap
            offset = end
        units.append(Unit(group[0].kind, tuple(parts)))
    return Document("".join(pieces), tuple(units))


def document_text(article: Article) -> str:
    """The text that passage offsets point into; empty where the article has no evidence."""
    return lay_out(article).text


def _label(section: Section) -> str:
    label = (section.label or "").strip()
    if not label:
        return ""
    if section.kind is SectionKind.ABSTRACT:
        return label + ("" if label[-1] in ":：" else ":") + " "
    return label + "\n"


def _sentences(document: str, part: Part, kind: SectionKind) -> list[Span]:
    text = document[part.text_start : part.end]
    local = _rows(text) if kind is SectionKind.TABLE else split_sentences(text)
    spans = [Span(part.text_start + span.start, part.text_start + span.end) for span in local]
    return [Span(part.start, spans[0].end), *spans[1:]]


def _rows(text: str) -> list[Span]:
    spans: list[Span] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        if spans and is_blank(line):
            spans[-1] = Span(spans[-1].start, offset + len(line))
        else:
            spans.append(Span(offset, offset + len(line)))
        offset += len(line)
    return spans
