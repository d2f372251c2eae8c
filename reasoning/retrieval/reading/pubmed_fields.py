"""The fields of a PubMed article, each from its own element into the draft."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from lxml.etree import _Element

from reasoning.retrieval.reading.abstracts import abstract_sections, other_abstract
from reasoning.retrieval.reading.authors import author_list, is_complete
from reasoning.retrieval.reading.drafts import Draft, Handler, into
from reasoning.retrieval.reading.identifiers import find_doi, find_pmcid
from reasoning.retrieval.reading.markup import element_text, fold
from reasoning.retrieval.reading.pubmed_dates import date_element, full_date
from reasoning.retrieval.reading.standing import Link
from storage.documents import MeshHeading, PublicationType

read_name = lru_cache(maxsize=1 << 16)(fold)  # journals, headings and keywords come again and again


@lru_cache(maxsize=1 << 12)
def _publication_type(name: str, ui: str | None) -> PublicationType:
    return PublicationType(fold(name), ui)


def read_pmid(draft: Draft, element: _Element) -> None:
    draft.pmid = draft.pmid or element_text(element)


def read_title(draft: Draft, element: _Element) -> None:
    draft.title = element_text(element) or draft.title


def read_vernacular(draft: Draft, element: _Element) -> None:
    draft.vernacular = element_text(element)


def read_journal(draft: Draft, element: _Element) -> None:
    short = None
    for child in element:
        if child.tag == "Title":
            draft.container = read_name(child.text or "") or draft.container
        elif child.tag == "ISOAbbreviation":
            short = read_name(child.text or "")
        elif child.tag == "JournalIssue" and (date := child.find("PubDate")) is not None:
            draft.issue_date = date_element(date)
    draft.container = draft.container or short


def read_medline_journal(draft: Draft, element: _Element) -> None:
    draft.container = draft.container or read_name(element.findtext("MedlineTA") or "") or None


def read_abstract(draft: Draft, element: _Element) -> None:
    draft.sections = abstract_sections(element)


def read_other_abstract(draft: Draft, element: _Element) -> None:
    plain, foreign = other_abstract(element)
    draft.plain_summary = draft.plain_summary or plain
    if foreign:
        draft.foreign.append(foreign)


def read_authors(draft: Draft, element: _Element) -> None:
    if element.get("Type") != "editors":
        draft.authors = author_list(element)
        draft.authors_complete = is_complete(element)


def read_language(draft: Draft, element: _Element) -> None:
    if code := (element.text or "").strip().lower():
        draft.languages.append(code)


def read_type(draft: Draft, element: _Element) -> None:
    if element.text:
        draft.types.append(_publication_type(element.text, element.get("UI")))


def read_online(draft: Draft, element: _Element) -> None:
    draft.online_date = date_element(element) or draft.online_date


def read_location(draft: Draft, element: _Element) -> None:
    if element.get("EIdType") == "doi" and element.get("ValidYN") != "N":
        draft.doi = find_doi(element.text) or draft.doi


def read_ids(draft: Draft, element: _Element) -> None:
    for child in element:
        kind = child.get("IdType")
        if kind == "pmc":
            draft.pmcid = find_pmcid(child.text) or draft.pmcid
        elif kind == "doi":
            draft.doi = find_doi(child.text) or draft.doi


def read_history(draft: Draft, element: _Element) -> None:
    for child in element:
        if child.get("PubStatus") == "entrez":
            draft.entrez_date = full_date(date_element(child))


def read_mesh(draft: Draft, element: _Element) -> None:
    draft.mesh = tuple(heading for child in element if (heading := _heading(child)))


def _heading(element: _Element) -> MeshHeading | None:
    name, ui, major = None, None, False
    qualifiers: tuple[str, ...] = ()
    for child in element:
        if child.get("MajorTopicYN") == "Y":
            major = True
        if child.tag == "DescriptorName":
            name, ui = child.text, child.get("UI")
        elif child.tag == "QualifierName" and child.text:
            qualifiers += (child.text,)
    return _mesh_heading(name, ui, major, qualifiers) if name else None


@lru_cache(maxsize=1 << 16)
def _mesh_heading(name: str, ui: str | None, major: bool, qualifiers: tuple[str, ...]) -> MeshHeading:
    return MeshHeading(fold(name), ui, major, tuple(fold(qualifier) for qualifier in qualifiers))


def read_keywords(draft: Draft, element: _Element) -> None:
    draft.keywords.extend(text for child in element if (text := element_text(child)))


def read_links(draft: Draft, element: _Element) -> None:
    for child in element:
        if (kind := child.get("RefType")) and kind != "Cites":
            pmid = (child.findtext("PMID") or "").strip()
            draft.links.append(Link(kind, pmid if pmid.isdecimal() else None))


PUBMED_DATA: Mapping[str, Handler] = {"ArticleIdList": read_ids, "History": read_history}
_ARTICLE: Mapping[str, Handler] = {
    "Journal": read_journal,
    "ArticleTitle": read_title,
    "VernacularTitle": read_vernacular,
    "Abstract": read_abstract,
    "AuthorList": read_authors,
    "Language": read_language,
    "PublicationTypeList": into({"PublicationType": read_type}),
    "ArticleDate": read_online,
    "ELocationID": read_location,
}
_CITATION: Mapping[str, Handler] = {
    "PMID": read_pmid,
    "Article": into(_ARTICLE),
    "MedlineJournalInfo": read_medline_journal,
    "MeshHeadingList": read_mesh,
    "KeywordList": read_keywords,
    "OtherAbstract": read_other_abstract,
    "CommentsCorrectionsList": read_links,
}
ARTICLE_RECORD: Mapping[str, Handler] = {"MedlineCitation": into(_CITATION), "PubmedData": into(PUBMED_DATA)}
