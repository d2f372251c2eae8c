"""Books and chapters in PubMed: GeneReviews, StatPearls and the like (case F10)."""

from __future__ import annotations

from collections.abc import Mapping

from lxml.etree import _Element

from reasoning.retrieval.reading.drafts import Draft, Handler, into
from reasoning.retrieval.reading.markup import element_text
from reasoning.retrieval.reading.pubmed_dates import date_element
from reasoning.retrieval.reading.pubmed_fields import (
    PUBMED_DATA,
    read_abstract,
    read_authors,
    read_ids,
    read_keywords,
    read_language,
    read_name,
    read_other_abstract,
    read_pmid,
    read_title,
    read_type,
    read_vernacular,
)


def _book(draft: Draft, element: _Element) -> None:
    """The book around a chapter: title and publisher; authors and date until the chapter's own follow."""
    for child in element:
        if child.tag == "BookTitle":
            draft.container = element_text(child)
            draft.title = draft.title or draft.container
        elif child.tag == "Publisher":
            draft.publisher = read_name(child.findtext("PublisherName") or "") or None
        elif child.tag == "PubDate":
            draft.issue_date = draft.issue_date or date_element(child)
        elif child.tag == "AuthorList" and not draft.authors:
            read_authors(draft, child)


def _chapter_date(draft: Draft, element: _Element) -> None:
    """Contribution, then revision, as records print them: the last is the state of the text (case F10)."""
    draft.issue_date = date_element(element) or draft.issue_date


_BOOK_DOCUMENT: Mapping[str, Handler] = {
    "PMID": read_pmid,
    "ArticleIdList": read_ids,
    "Book": _book,
    "ArticleTitle": read_title,
    "VernacularTitle": read_vernacular,
    "Abstract": read_abstract,
    "OtherAbstract": read_other_abstract,
    "AuthorList": read_authors,
    "Language": read_language,
    "PublicationType": read_type,
    "PublicationTypeList": into({"PublicationType": read_type}),
    "KeywordList": read_keywords,
    "ContributionDate": _chapter_date,
    "DateRevised": _chapter_date,
}
BOOK_RECORD: Mapping[str, Handler] = {
    "BookDocument": into(_BOOK_DOCUMENT),
    "PubmedBookData": into(PUBMED_DATA),
}
