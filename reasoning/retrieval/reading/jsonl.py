"""JSON Lines, one document a line, with the field names of the retrieval and full-text corpora.

Only the fields named here are read: answers, gold ids and titles made from questions never are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Annotated, BinaryIO

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from reasoning.retrieval.reading.abstracts import printed_label
from reasoning.retrieval.reading.depth import article_type, full_text_class
from reasoning.retrieval.reading.errors import BadRecord, TruncatedFile
from reasoning.retrieval.reading.front_matter import first_fault
from reasoning.retrieval.reading.identifiers import (
    find_doi,
    normalise_pmcid,
    normalise_pmid,
    pmc_url,
    pubmed_url,
)
from reasoning.retrieval.reading.label_lines import labelled_sections
from reasoning.retrieval.reading.markup import fold
from reasoning.retrieval.reading.pubmed_dates import date_parts
from reasoning.retrieval.reading.rejected import Rejected
from reasoning.retrieval.reading.standing import judge
from reasoning.retrieval.reading.streams import BROKEN, read_lines
from storage.documents import Article, DocClass, MeshHeading, PublicationType, Section, SectionKind
from storage.languages import short_code

Id = Annotated[str | None, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value)]


class _Part(BaseModel):
    text: str
    label: str | None = None


class _Paragraph(BaseModel):
    text: str
    section: str | None = None


class _Document(BaseModel):
    model_config = ConfigDict(extra="ignore")

    doc_id: Id = None
    pmid: Id = None
    pmcid: Id = None
    doi: str | None = None
    title: str | None = None
    abstract: str | list[_Part] | None = None
    sections: list[_Part] | None = None
    paragraphs: list[_Paragraph] | None = None
    mesh: list[str] | None = None
    keywords: list[str] | None = None
    year: int | None = None
    journal: str | None = None
    pub_types: list[str] | None = None
    article_type: str | None = None
    language: str | None = None
    licence: str | None = None
    url: str | None = None


def read_jsonl(stream: BinaryIO, where: str) -> Iterator[Article | Rejected]:
    """The documents in order; a bad line comes as Rejected with its number. Raises BombSuspected."""
    number = 0
    try:
        for number, line in enumerate(read_lines(stream, where), start=1):
            if line.strip():
                try:
                    yield _article(_Document.model_validate_json(line))
                except ValidationError as error:
                    yield Rejected(f"{where}, line {number}", f"This is no document: {first_fault(error)}.")
                except BadRecord as error:
                    yield Rejected(f"{where}, line {number}", str(error))
    except BROKEN as error:
        yield Rejected(where, str(TruncatedFile(f"The packed data breaks after line {number} ({error}).")))


def _article(document: _Document) -> Article:
    pmid = normalise_pmid(document.pmid) if document.pmid else None
    pmcid = normalise_pmcid(document.pmcid) if document.pmcid else None
    body = _body(document.paragraphs or [])
    doc_id = fold(document.doc_id or "") or (pmcid if body else None) or pmid or pmcid
    if not doc_id:
        raise BadRecord("It has no doc_id, pmid or pmcid.")
    sections = (*_abstract(document), *body)
    title = fold(document.title or "")
    if not sections and not title:
        raise BadRecord(f"{doc_id} has neither title nor text.")
    types = [PublicationType(name) for text in document.pub_types or () if (name := fold(text))]
    if document.article_type:
        types.append(article_type(document.article_type))
    return Article(
        doc_id=doc_id,
        title=title,
        source="jsonl",
        sections=sections,
        pmid=pmid,
        pmcid=pmcid,
        doi=find_doi(document.doi),
        url=document.url or _url(pmid, pmcid, bool(body)),
        container=fold(document.journal or "") or None,
        language=short_code(document.language),
        issue_date=date_parts(str(document.year)) if document.year else None,
        publication_types=tuple(dict.fromkeys(types)),
        mesh=tuple(MeshHeading(name) for text in document.mesh or () if (name := fold(text))),
        keywords=tuple(text for keyword in document.keywords or () if (text := fold(keyword))),
        standing=judge(types, ()).standing,
        doc_class=full_text_class(types) if body else DocClass.D1,
        full_text=bool(body),
        licence=document.licence,
    )


def _abstract(document: _Document) -> tuple[Section, ...]:
    """Labelled parts where the document has them, else the abstract; never both."""
    parts = document.sections or (document.abstract if isinstance(document.abstract, list) else None)
    if parts:
        return tuple(
            Section(text=text, label=printed_label(part.label), kind=SectionKind.ABSTRACT)
            for part in parts
            if (text := fold(part.text))
        )
    return labelled_sections(document.abstract) if isinstance(document.abstract, str) else ()


def _body(paragraphs: list[_Paragraph]) -> tuple[Section, ...]:
    """One section per top-level heading: `Methods > Dose` belongs to `Methods`."""
    found = []
    for label, group in groupby(paragraphs, key=lambda paragraph: (paragraph.section or "").split(" > ")[0]):
        text = "\n\n".join(line for paragraph in group if (line := fold(paragraph.text)))
        if text:
            found.append(Section(text=text, label=fold(label) or None))
    return tuple(found)


def _url(pmid: str | None, pmcid: str | None, full_text: bool) -> str | None:
    if pmcid and (full_text or not pmid):
        return pmc_url(pmcid)
    return pubmed_url(pmid) if pmid else None
