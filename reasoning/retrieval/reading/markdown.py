"""Pages of the starter library, and Markdown or text documents of the house's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO

from reasoning.retrieval.reading.errors import BadRecord
from reasoning.retrieval.reading.front_matter import FrontMatter, split_front_matter
from reasoning.retrieval.reading.markdown_sections import markdown_sections
from reasoning.retrieval.reading.markup import fold
from reasoning.retrieval.reading.own_documents import checked_id, file_id
from reasoning.retrieval.reading.streams import read_whole
from storage.documents import Article, PublicationType, Section, SectionKind
from storage.languages import short_code

_PATIENT_INFORMATION = PublicationType("Patient information")
_EMPTY_LINES = re.compile(r"\n\s*\n")


def read_markdown(stream: BinaryIO, path: Path) -> Article:
    """One page. A page whose front matter has a `kind` is one of the library, short, so that its parts may
    share a passage. Raises BadRecord.
    """
    head, body = split_front_matter(_decoded(stream))
    library = head.kind is not None
    title, sections = markdown_sections(body, SectionKind.ABSTRACT if library else SectionKind.BODY)
    if library and not (head.id and head.title):
        raise BadRecord("A page of the library needs `id` and `title` in its front matter.")
    return _article(path, head, title, sections, "library" if library else "markdown")


def read_text(stream: BinaryIO, path: Path) -> Article:
    """Plain text: one section, paragraphs as the empty lines part them. Raises BadRecord."""
    head, body = split_front_matter(_decoded(stream))
    paragraphs = (fold(part) for part in _EMPTY_LINES.split(body))
    text = "\n\n".join(part for part in paragraphs if part)
    return _article(path, head, None, (Section(text=text),) if text else (), "text")


def _article(
    path: Path, head: FrontMatter, title: str | None, sections: tuple[Section, ...], source: str
) -> Article:
    if not sections:
        raise BadRecord("It has no text.")
    return Article(
        doc_id=checked_id(fold(head.id)) if head.id else file_id(path),
        title=fold(head.title or "") or title or path.name.partition(".")[0],
        source=source,
        sections=sections,
        url=head.source_url,
        container=fold(head.source_name or "") or None,
        language=short_code(head.language),
        issue_date=head.published,
        publication_types=(_PATIENT_INFORMATION,) if source == "library" else (),
        keywords=tuple(text for keyword in head.keywords if (text := fold(keyword))),
        full_text=source != "library",
    )


def _decoded(stream: BinaryIO) -> str:
    """UTF-8, as everywhere; a byte that is none becomes U+FFFD. Line ends become `\\n`."""
    return read_whole(stream).decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
