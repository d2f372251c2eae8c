"""Full texts from PMC: a JATS article, or the set that efetch returns (case F13, methods.md 5.5)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

from lxml.etree import _Element

from reasoning.retrieval.reading import jats_front as front
from reasoning.retrieval.reading.abstracts import drop_copyright, joined, printed_label
from reasoning.retrieval.reading.depth import full_text_class
from reasoning.retrieval.reading.errors import BadRecord
from reasoning.retrieval.reading.identifiers import pmc_url, pubmed_url
from reasoning.retrieval.reading.jats_tables import figure_section, table_section
from reasoning.retrieval.reading.jats_text import Flow, body_sections, local
from reasoning.retrieval.reading.rejected import Rejected
from reasoning.retrieval.reading.standing import judge
from reasoning.retrieval.reading.streams import read_elements
from storage.documents import Article, DocClass, ForeignText, Section, SectionKind
from storage.languages import short_code

ROOTS = ("pmc-articleset", "article", "OAI-PMH")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_FOR_PATIENTS = frozenset({"plain-language-summary", "plain-language"})


def read_jats(stream: BinaryIO | bytes, where: str = "reply") -> Iterator[Article | Rejected]:
    """The articles in order. One that cannot be used comes as Rejected.

    `full_text` is true only where the article's own body has a section with text; else the abstract is
    all there is, as for a record of PubMed (F13.1). Raises UnknownFormat and BombSuspected.
    """
    source = io.BytesIO(stream) if isinstance(stream, bytes) else stream
    for number, element in enumerate(read_elements(source, ("{*}article",), ROOTS, where), start=1):
        if isinstance(element, Rejected):
            yield element
        else:
            try:
                yield _article(element)
            except BadRecord as error:
                yield Rejected(f"{where}, article {number}", str(error))
            except RecursionError:
                yield Rejected(f"{where}, article {number}", "Its elements are nested too deeply.")


def _article(article: _Element) -> Article:
    meta = article.find("{*}front/{*}article-meta")
    if meta is None:
        raise BadRecord("It has no article-meta.")
    pmcid, pmid, doi = front.find_ids(meta)
    doc_id = pmcid or doi or pmid
    if not doc_id:
        raise BadRecord("It has no PMCID, DOI or PMID.")
    abstract, plain, foreign = _abstracts(meta)
    body = _body(article)
    full_text = any(section.kind is SectionKind.BODY for section in body)
    types = front.types_of(article, meta)
    issue, online = front.dates_of(meta)
    authors, complete = front.authors_of(meta)
    verdict = judge(types, front.links_of(meta))
    return Article(
        doc_id=doc_id,
        title=front.title_of(meta),
        source="pmc",
        sections=(*abstract, *body) if full_text else abstract,
        pmid=pmid,
        pmcid=pmcid,
        doi=doi,
        url=pmc_url(pmcid) if pmcid else pubmed_url(pmid) if pmid else f"https://doi.org/{doi}",
        container=_text(article, ".//{*}journal-title"),
        publisher=_text(article, "{*}front/{*}journal-meta/{*}publisher/{*}publisher-name"),
        authors=authors,
        authors_complete=complete,
        language=short_code(article.get(_LANG)),
        issue_date=issue,
        online_date=online,
        publication_types=tuple(dict.fromkeys(types)),
        keywords=tuple(dict.fromkeys(_keywords(meta))),
        plain_summary=plain,
        other_abstracts=foreign,
        standing=verdict.standing,
        superseded_by=verdict.superseded_by,
        standing_links=verdict.links,
        doc_class=full_text_class(types) if full_text else DocClass.D1,
        full_text=full_text,
        licence=front.licence_of(meta),
    )


def _body(article: _Element) -> tuple[Section, ...]:
    """The article's own body and its floats; sub-articles and back matter are not looked at."""
    found: list[Section] = []
    for part in article.iterchildren("{*}body"):
        found.extend(body_sections(part))
    for part in article.iterchildren("{*}floats-group"):
        line = Flow().line
        for element in part.iter("{*}table-wrap", "{*}fig"):
            make = table_section if local(element) == "table-wrap" else figure_section
            if section := make(element, line):
                found.append(section)
    return tuple(found)


def _abstracts(meta: _Element) -> tuple[tuple[Section, ...], str | None, tuple[ForeignText, ...]]:
    """The abstract, the summary for patients, abstracts in other languages; teasers and the like are none."""
    main: tuple[Section, ...] = ()
    plain: str | None = None
    for element in meta.iterchildren("{*}abstract"):
        kind = element.get("abstract-type")
        if kind is None or kind.lower() in ("abstract", "summary", "structured"):
            main = main or _abstract(element)
        elif kind.lower() in _FOR_PATIENTS:
            plain = plain or joined(_abstract(element)) or None
    foreign = tuple(
        ForeignText(language=element.get(_LANG, "und"), text=text)
        for element in meta.iterchildren("{*}trans-abstract")
        if (text := joined(_abstract(element)))
    )
    return main, plain, foreign


def _abstract(element: _Element) -> tuple[Section, ...]:
    """Sections with their printed titles; unlabelled paragraphs between them have none (case F08)."""
    parts = [
        Section(
            text=section.text.replace("\n\n", "\n"),
            label=printed_label(section.label),
            kind=SectionKind.ABSTRACT,
        )
        for section in body_sections(_without_own_title(element))
        if section.kind is SectionKind.BODY
    ]
    return drop_copyright(parts)


def _without_own_title(element: _Element) -> _Element:
    """An abstract whose own title, mostly "Abstract", is gone."""
    for title in list(element.iterchildren("{*}title", "{*}label")):
        element.remove(title)
    return element


def _keywords(meta: _Element) -> Iterator[str]:
    for keyword in meta.iterfind("{*}kwd-group/{*}kwd"):
        if text := Flow().line(keyword):
            yield text


def _text(element: _Element, path: str) -> str | None:
    found = element.find(path)
    return (Flow().line(found) or None) if found is not None else None
