"""From files and replies to articles. This page is the door; what is not named here is private.

`read_documents` reads a file of any known format, `read_pubmed` and `read_jats` also live replies.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reasoning.retrieval.reading.citation import citation_line
from reasoning.retrieval.reading.depth import full_text_class, is_review
from reasoning.retrieval.reading.errors import (
    BadIdentifier,
    BadRecord,
    BombSuspected,
    MissingExtra,
    ReadingError,
    TruncatedFile,
    UnknownFormat,
)
from reasoning.retrieval.reading.formats import HEAD, Format, detect_format
from reasoning.retrieval.reading.html import read_html
from reasoning.retrieval.reading.identifiers import normalise_pmcid, normalise_pmid
from reasoning.retrieval.reading.jats import read_jats
from reasoning.retrieval.reading.jsonl import read_jsonl
from reasoning.retrieval.reading.markdown import read_markdown, read_text
from reasoning.retrieval.reading.medline import read_medline
from reasoning.retrieval.reading.pdf import read_pdf
from reasoning.retrieval.reading.pubmed import read_pubmed
from reasoning.retrieval.reading.rejected import Rejected
from reasoning.retrieval.reading.streams import BROKEN, open_document
from storage.documents import Article

__all__ = [
    "Article",
    "BadIdentifier",
    "BadRecord",
    "BombSuspected",
    "Format",
    "MissingExtra",
    "ReadingError",
    "Rejected",
    "TruncatedFile",
    "UnknownFormat",
    "citation_line",
    "full_text_class",
    "is_review",
    "normalise_pmcid",
    "normalise_pmid",
    "read_documents",
    "read_jats",
    "read_pubmed",
]

_MANY = {
    Format.PUBMED: read_pubmed,
    Format.JATS: read_jats,
    Format.MEDLINE: read_medline,
    Format.JSONL: read_jsonl,
}
_ONE = {
    Format.MARKDOWN: read_markdown,
    Format.TEXT: read_text,
    Format.PDF: read_pdf,
    Format.HTML: read_html,
}


def read_documents(path: Path, *, as_format: Format | None = None) -> Iterator[Article | Rejected]:
    """The documents of one file in order, one at a time, gzip unpacked, with flat memory.

    The format is found unless `as_format` says it. A document that cannot be used, and the end of a file
    that breaks off, come as Rejected. Raises UnknownFormat, BombSuspected, MissingExtra (all ReadingError)
    and OSError, when the first document, or the one that is at fault, is asked for.
    """
    try:
        with open_document(path) as stream:
            kind = as_format or detect_format(stream.peek(HEAD)[:HEAD], path)
            if many := _MANY.get(kind):
                yield from many(stream, path.name)
            else:
                yield _ONE[kind](stream, path)
    except BadRecord as error:
        yield Rejected(path.name, str(error))
    except BROKEN as error:
        yield Rejected(path.name, str(TruncatedFile(f"The packed data cannot be unpacked ({error}).")))
