"""Which format a file has: by what is in it, then by its name."""

from __future__ import annotations

import contextlib
from enum import StrEnum
from pathlib import Path

from lxml import etree

from reasoning.retrieval.reading import jats, pubmed
from reasoning.retrieval.reading.errors import UnknownFormat
from reasoning.retrieval.reading.streams import pull_parser

HEAD = 1 << 16  # bytes that are looked at


class Format(StrEnum):
    PUBMED = "PubMed XML"
    JATS = "PMC JATS"
    MEDLINE = "MEDLINE"
    JSONL = "JSON Lines"
    MARKDOWN = "Markdown"
    TEXT = "text"
    PDF = "PDF"
    HTML = "HTML"


_BY_NAME = {
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".txt": Format.TEXT,
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
    ".nbib": Format.MEDLINE,
    ".medline": Format.MEDLINE,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".xhtml": Format.HTML,
    ".pdf": Format.PDF,
}


def detect_format(head: bytes, path: Path) -> Format:
    """`head`: the first bytes, unpacked. Raises UnknownFormat and says what was found instead.

    An error page that was saved under the name of a record file is no document: HTML is read only from
    a file that is named so.
    """
    named = _BY_NAME.get(_suffix(path))
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"%PDF-"):
        return Format.PDF
    if start.startswith(b"PMID-"):
        return Format.MEDLINE
    root = _root(head) if start.startswith((b"<", b"\xff\xfe<", b"\xfe\xff\0<")) else None
    if root in pubmed.ROOTS:
        return Format.PUBMED
    if root in jats.ROOTS:
        return Format.JATS
    if named is None:
        found = f"its root element is <{root}>" if root else "neither its name nor its content is known"
        raise UnknownFormat(f"{path.name}: {found}.")
    if b"\0" in head and named is not Format.PDF:
        raise UnknownFormat(f"{path.name}: it is no text.")
    return named


def _suffix(path: Path) -> str:
    name = path.name.lower()
    return Path(name.removesuffix(".gz")).suffix


def _root(head: bytes) -> str | None:
    """The local name of the root element, None where the XML breaks before it."""
    parser = pull_parser("start")
    with contextlib.suppress(etree.XMLSyntaxError):
        parser.feed(head)
    for _, element in parser.read_events():
        return etree.QName(element).localname
    return None
