"""Web pages saved as HTML: the main text without navigation, by trafilatura (Apache-2.0)."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from reasoning.retrieval.reading.errors import BadRecord, MissingExtra
from reasoning.retrieval.reading.markdown_sections import markdown_sections
from reasoning.retrieval.reading.markup import fold
from reasoning.retrieval.reading.own_documents import file_id
from reasoning.retrieval.reading.pubmed_dates import date_text
from reasoning.retrieval.reading.streams import read_whole
from storage.documents import Article, SectionKind
from storage.languages import short_code


def read_html(stream: BinaryIO, path: Path) -> Article:
    """One page, its headings as sections. Raises BadRecord, MissingExtra, BombSuspected."""
    try:
        import trafilatura
    except ImportError as error:
        raise MissingExtra(f"HTML: {error.name}.") from error
    data = read_whole(stream)
    try:
        page = trafilatura.load_html(data)
        if page is None:
            raise BadRecord("The page is no HTML.")
        meta = trafilatura.extract_metadata(page)
        text = trafilatura.extract(
            page, output_format="markdown", include_comments=False, include_tables=True, favor_recall=True
        )
    except BadRecord:
        raise
    except Exception as error:  # whatever a damaged page makes the library raise
        raise BadRecord(f"The page cannot be read ({type(error).__name__}: {error}).") from error
    title, sections = markdown_sections(text or "", SectionKind.BODY)
    if not sections:
        raise BadRecord("The page has no main text.")
    url = meta.url if meta.url and meta.url.startswith(("https://", "http://")) else None
    return Article(
        doc_id=file_id(path),
        title=fold(meta.title or "") or title or path.stem,
        source="html",
        sections=sections,
        url=url,
        container=fold(meta.sitename or "") or None,
        language=short_code(page.get("lang")),
        issue_date=date_text(meta.date) if meta.date else None,
        full_text=True,
    )
