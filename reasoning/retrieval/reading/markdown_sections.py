"""Markdown as sections of plain text: no marks are left in it, so that it can be quoted as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from reasoning.retrieval.reading.blocks import ITEM, join_blocks
from reasoning.retrieval.reading.jats_tables import CELL
from reasoning.retrieval.reading.markup import fold
from storage.documents import Section, SectionKind

_RAISED = re.compile(r"</?su[bp]>|<br ?/?>", re.IGNORECASE)
_PARSER = MarkdownIt("commonmark").enable("table")


@dataclass(slots=True)
class _Part:
    label: str | None = None
    blocks: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)

    def sections(self, kind: SectionKind) -> Iterator[Section]:
        if self.blocks:
            yield Section(text=join_blocks(self.blocks), label=self.label, kind=kind)
        for table in self.tables:
            yield Section(text=table, label=self.label, kind=SectionKind.TABLE)


def markdown_sections(text: str, kind: SectionKind) -> tuple[str | None, tuple[Section, ...]]:
    """The title (a first heading of level 1) and the sections.

    The highest level of heading that is left makes the sections; deeper headings are lines of their text.
    """
    tokens = _PARSER.parse(text)
    levels = [token.tag for token in tokens if token.type == "heading_open"]
    title = None
    if levels[:1] == ["h1"] and tokens[0].type == "heading_open":
        title = _inline(tokens[1])
        tokens, levels = tokens[3:], levels[1:]
    parts = [_Part()]
    _read(tokens, min(levels, default="h1"), parts)
    return title or None, tuple(section for part in parts for section in part.sections(kind))


def _read(tokens: list[Token], top: str, parts: list[_Part]) -> None:
    rows: list[list[str]] = []
    heading, item = "", False
    for token in tokens:
        match token.type:
            case "heading_open":
                heading = token.tag
            case "list_item_open":
                item = True
            case "table_open":
                rows = []
            case "tr_open":
                rows.append([])
            case "th_open" | "td_open":
                heading = "cell"
            case "table_close":
                parts[-1].tables.append("\n".join(CELL.join(row) for row in rows))
            case "fence" | "code_block":
                _add(parts[-1], fold(token.content))
            case "inline":
                text = _inline(token)
                if heading == "cell":
                    rows[-1].append(text)
                elif heading == top:
                    parts.append(_Part(label=text or None))
                else:
                    _add(parts[-1], ITEM + text if item and text else text)
                heading, item = "", False


def _add(part: _Part, text: str) -> None:
    if text:
        part.blocks.append(text)


def _inline(token: Token) -> str:
    """Text without marks, link targets and tags; raised and lowered text as everywhere (case F07)."""
    found = []
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            found.append(" ")
        elif child.type == "html_inline":
            found.append(child.content if _RAISED.fullmatch(child.content) else "")
        else:
            found.append(child.content)
    return fold("".join(found))
