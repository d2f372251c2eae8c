"""PubMed records, live or in bulk: one streaming reader for articles and books.

Children are visited once and dispatched by tag; elements without a handler, known or not, are passed over
(case F17.3). The order of the file is kept, articles and books mixed (case F10).
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

from lxml.etree import _Element

from reasoning.retrieval.reading.books import BOOK_RECORD
from reasoning.retrieval.reading.drafts import Draft, visit
from reasoning.retrieval.reading.errors import BadRecord
from reasoning.retrieval.reading.pubmed_fields import ARTICLE_RECORD
from reasoning.retrieval.reading.rejected import Rejected
from reasoning.retrieval.reading.streams import read_elements
from storage.documents import Article, PublicationType

ROOTS = ("PubmedArticleSet", "PubmedBookArticleSet", "PubmedArticle", "PubmedBookArticle")
_TAGS = ("PubmedArticle", "PubmedBookArticle", "DeleteCitation")
_BOOK = PublicationType("Book")


def read_pubmed(stream: BinaryIO | bytes, where: str = "reply") -> Iterator[Article | Rejected]:
    """The records of a PubmedArticleSet in order, with flat memory.

    A record that cannot be used, and a list of deleted PMIDs, come as Rejected. Raises UnknownFormat and
    BombSuspected (see `read_elements`).
    """
    source = io.BytesIO(stream) if isinstance(stream, bytes) else stream
    for number, element in enumerate(read_elements(source, _TAGS, ROOTS, where), start=1):
        if isinstance(element, Rejected):
            yield element
        elif element.tag == "DeleteCitation":
            gone = ", ".join(pmid.text or "" for pmid in element)
            yield Rejected(where, f"PubMed has deleted these records, none was read here: {gone}.")
        else:
            try:
                yield _article(element)
            except BadRecord as error:
                yield Rejected(f"{where}, record {number}", str(error))
            except RecursionError:
                yield Rejected(f"{where}, record {number}", "Its elements are nested too deeply.")


def _article(record: _Element) -> Article:
    draft = Draft()
    if record.tag == "PubmedBookArticle":
        visit(draft, record, BOOK_RECORD)
        draft.types.append(_BOOK)
    else:
        visit(draft, record, ARTICLE_RECORD)
    return draft.article("pubmed")
