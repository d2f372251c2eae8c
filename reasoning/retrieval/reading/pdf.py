"""PDF documents, a section per page, by pypdf (BSD licence; PyMuPDF reads more but is AGPL)."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import BinaryIO

from reasoning.retrieval.reading.errors import BadRecord, MissingExtra
from reasoning.retrieval.reading.markup import fold
from reasoning.retrieval.reading.own_documents import file_id
from reasoning.retrieval.reading.streams import read_whole
from storage.documents import Article, Section

_BROKEN_WORD = re.compile(r"(?<=[a-z])-\n(?=[a-z])")
_EMPTY_LINES = re.compile(r"\n\s*\n")


def read_pdf(stream: BinaryIO, path: Path) -> Article:
    """One document; pages without text are left out. Raises BadRecord, MissingExtra, BombSuspected."""
    try:
        from pypdf import PdfReader
    except ImportError as error:
        raise MissingExtra(f"PDF: {error.name}.") from error
    data = read_whole(stream)
    try:
        reader = PdfReader(io.BytesIO(data))
        pages = [page.extract_text() for page in reader.pages]
        title = reader.metadata.title if reader.metadata else None
    except Exception as error:  # whatever a damaged or locked file makes the library raise
        raise BadRecord(f"The PDF cannot be read ({type(error).__name__}: {error}).") from error
    sections = tuple(
        Section(text=text, page=number) for number, page in enumerate(pages, start=1) if (text := _page(page))
    )
    if not sections:
        raise BadRecord("The PDF has no text; a scanned one needs text recognition first.")
    return Article(
        doc_id=file_id(path),
        title=fold(title or "") or path.stem,
        source="pdf",
        sections=sections,
        full_text=True,
    )


def _page(text: str) -> str:
    """Lines of a page as paragraphs; words that a line end broke are whole again."""
    paragraphs = (fold(part) for part in _EMPTY_LINES.split(_BROKEN_WORD.sub("", text)))
    return "\n\n".join(part for part in paragraphs if part)
