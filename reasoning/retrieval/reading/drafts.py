"""A record while it is read: what articles and books have in common, and the Article made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import cast

from lxml.etree import _Element

from reasoning.retrieval.reading.errors import BadRecord
from reasoning.retrieval.reading.identifiers import normalise_pmid, pubmed_url
from reasoning.retrieval.reading.standing import Link, judge
from storage.documents import Article, ForeignText, MeshHeading, PartialDate, PublicationType, Section
from storage.languages import short_code

_NOT_AVAILABLE = re.compile(r"\[?\s*not available\s*\]?\.?", re.IGNORECASE)


@dataclass(slots=True)
class Draft:
    pmid: str = ""
    title: str = ""
    vernacular: str = ""
    container: str | None = None
    publisher: str | None = None
    sections: tuple[Section, ...] = ()
    authors: tuple[str, ...] = ()
    authors_complete: bool = True
    languages: list[str] = field(default_factory=list)
    pmcid: str | None = None
    doi: str | None = None
    issue_date: PartialDate | None = None
    online_date: PartialDate | None = None
    entrez_date: date | None = None
    types: list[PublicationType] = field(default_factory=list)
    mesh: tuple[MeshHeading, ...] = ()
    keywords: list[str] = field(default_factory=list)
    plain_summary: str | None = None
    foreign: list[ForeignText] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def article(self, source: str) -> Article:
        """The finished record. Raises BadRecord without a PMID."""
        if not self.pmid:
            raise BadRecord("It has no PMID.")
        pmid = normalise_pmid(self.pmid)
        original = self.languages[0] if self.languages and "eng" not in self.languages else None
        title, language = self.title, "en"
        if not title or _NOT_AVAILABLE.fullmatch(title):
            title = self.vernacular
            language = "en" if self.sections else short_code(original)
        elif original or self.vernacular:
            title = without_brackets(title)
        verdict = judge(self.types, self.links)
        return Article(
            doc_id=pmid,
            title=title,
            source=source,
            sections=self.sections,
            pmid=pmid,
            pmcid=self.pmcid,
            doi=self.doi,
            url=pubmed_url(pmid),
            container=self.container,
            publisher=self.publisher,
            authors=self.authors,
            authors_complete=self.authors_complete,
            language=language,
            original_title=self.vernacular or None,
            original_language=original,
            issue_date=self.issue_date,
            online_date=self.online_date,
            entrez_date=self.entrez_date,
            publication_types=tuple(dict.fromkeys(self.types)),
            mesh=self.mesh,
            keywords=tuple(dict.fromkeys(self.keywords)),
            plain_summary=self.plain_summary,
            other_abstracts=tuple(self.foreign),
            standing=verdict.standing,
            superseded_by=verdict.superseded_by,
            standing_links=verdict.links,
        )


def without_brackets(title: str) -> str:
    """A translated title without the square brackets that PubMed puts around it; inner ones stay."""
    whole = title.removesuffix(".").rstrip()
    if not (whole.startswith("[") and whole.endswith("]")):
        return title
    depth = 0
    for place, sign in enumerate(whole):
        depth += (sign == "[") - (sign == "]")
        if depth == 0 and place < len(whole) - 1:
            return title
    inside = whole[1:-1].strip()
    return inside if inside.endswith((".", "?", "!")) or not title.endswith(".") else f"{inside}."


Handler = Callable[[Draft, _Element], None]


def visit(draft: Draft, element: _Element, handlers: Mapping[str, Handler]) -> None:
    """Give each child to the handler of its tag, in order; the rest is passed over."""
    for child in element:
        handler = handlers.get(cast(str, child.tag))
        if handler:
            handler(draft, child)


def into(handlers: Mapping[str, Handler]) -> Handler:
    """A handler that goes one level down."""
    return lambda draft, element: visit(draft, element, handlers)
