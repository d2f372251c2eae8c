"""The documents of the corpus as the rest of the house sees them: frozen, without any SQL.

An `Article` is one citable document: a PubMed record, a PMC full text, a book chapter, a page of the
starter library or a document of the house's own. A `Passage` is a contiguous span of an article's text
(methods.md 0.1, 1.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Standing(StrEnum):
    """What the record itself says about its reliability (case F12)."""

    OK = "ok"
    CORRECTED = "corrected"
    CONCERN = "concern"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    RETRACTION_NOTICE = "retraction_notice"

    @property
    def citable(self) -> bool:
        """Whether a statement may rest on such a record."""
        return self not in (Standing.RETRACTED, Standing.RETRACTION_NOTICE)


class DocClass(StrEnum):
    """Retrieval depth (methods.md 1.5)."""

    D1 = "D1"  # abstract or short page
    D2 = "D2"  # full text of a review or guideline
    D3 = "D3"  # full text of a primary study


class SectionKind(StrEnum):
    ABSTRACT = "abstract"  # labelled parts of one abstract: may share a passage
    BODY = "body"  # a top-level section: never shares a passage with another
    TABLE = "table"  # one atomic unit: rows by line, cells by " | "
    FIGURE = "figure"  # a figure legend


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date as precisely as the record states it; a year alone is not 1 January (case F09)."""

    year: int
    month: int | None = None
    day: int | None = None

    def __str__(self) -> str:
        parts = [f"{self.year:04d}"]
        if self.month:
            parts.append(f"{self.month:02d}")
            if self.day:
                parts.append(f"{self.day:02d}")
        return "-".join(parts)

    @classmethod
    def parse(cls, text: str) -> PartialDate:
        """Read what `str` printed: YYYY, YYYY-MM or YYYY-MM-DD. Raises ValueError otherwise."""
        return cls(*(int(part) for part in text.split("-", 2)))


@dataclass(frozen=True, slots=True)
class PublicationType:
    name: str
    ui: str | None = None


@dataclass(frozen=True, slots=True)
class MeshHeading:
    name: str
    ui: str | None = None
    major: bool = False
    qualifiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an article with the label as printed; `page` counts from 1 where the source has pages."""

    text: str
    label: str | None = None
    kind: SectionKind = SectionKind.BODY
    page: int | None = None


@dataclass(frozen=True, slots=True)
class ForeignText:
    language: str  # ISO 639-2 as PubMed prints it, for example "ger"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One document, read and cleaned.

    `doc_id` is the PMID (digits only) where the record is a PubMed one, the PMCID of a full text, else the
    source's own id. `sections` is the text that may serve as evidence, in English unless `language` says
    otherwise; it is empty where there is no abstract, and such an article supports nothing (cases F08, F28).
    """

    doc_id: str
    title: str
    source: str  # which door it came through: pubmed, pmc, nbib, library, jsonl, markdown, text, pdf, html
    sections: tuple[Section, ...] = ()
    pmid: str | None = None
    pmcid: str | None = None
    doi: str | None = None
    url: str | None = None
    container: str | None = None  # journal, or the title of the book
    publisher: str | None = None
    authors: tuple[str, ...] = ()  # "Family GI", group names as printed
    authors_complete: bool = True  # False: the citation line ends in "et al."
    language: str = "en"  # ISO 639-1 of the text
    original_title: str | None = None
    original_language: str | None = None
    issue_date: PartialDate | None = None
    online_date: PartialDate | None = None
    entrez_date: date | None = None
    publication_types: tuple[PublicationType, ...] = ()
    mesh: tuple[MeshHeading, ...] = ()
    keywords: tuple[str, ...] = ()
    plain_summary: str | None = None
    other_abstracts: tuple[ForeignText, ...] = ()
    standing: Standing = Standing.OK
    superseded_by: str | None = None  # PMID
    standing_links: tuple[str, ...] = ()  # PMIDs of notices, errata, concerns
    doc_class: DocClass = DocClass.D1
    full_text: bool = False
    licence: str | None = None

    @property
    def published(self) -> PartialDate | None:
        """The date that is shown: of the issue, else online (case F09)."""
        return self.issue_date or self.online_date

    @property
    def year(self) -> int | None:
        return self.published.year if self.published else None

    @property
    def key(self) -> str:
        """What counts as one article when passages are capped: abstract and full text share it."""
        return self.pmid or self.doc_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """The span [start, end) of an article's text, offsets in characters.

    [start, own_start) repeats the end of the passage before (overlap); own ranges, laid end to end,
    are the article's text (methods.md 1.6).
    """

    doc_id: str
    idx: int
    text: str
    start: int
    own_start: int
    end: int
    n_tokens: int  # by the tokenizer it was cut for, without special tokens and title
    section: str | None = None  # label of the section in which it starts
    page: int | None = None

    @property
    def id(self) -> str:
        return f"{self.doc_id}:{self.idx}"
