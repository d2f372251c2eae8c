"""Records from what lies on disk: JSON lines laid out as the measuring data, PubMed XML, JATS folders."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from tests.emulators.eutils.records import MONTHS, Author, Date, Heading, Link, Record, Section

_MONTHS = {name.lower(): number for number, name in enumerate(MONTHS, start=1)}
_RECORD = re.compile(rb"<(PubmedArticle|PubmedBookArticle)[\s>].*?</\1>", re.DOTALL)
_REVIEWS = {"review-article", "systematic-review"}
INVENTED_FROM = 95_000_001  # PMIDs for documents without one, far above real ones
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Objects of a file of JSON lines, compressed or not."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def read_documents(rows: Iterable[dict[str, Any]], invent_from: int | None = None) -> Iterator[Record]:
    """Records of documents; those without a PMID are left out, or get numbers from `invent_from` on.

    Fields that are there for measuring only (`title_from_question` and the like) are not looked at.
    """
    for row in rows:
        pmid = str(row.get("pmid") or "")
        if not pmid:
            if invent_from is None:
                continue
            pmid, invent_from = str(invent_from), invent_from + 1
        yield _from_document(row, pmid)


def _from_document(row: dict[str, Any], pmid: str) -> Record:
    parts = row.get("sections") or []
    sections = tuple(Section(part["text"], part.get("label") or "") for part in parts if part.get("text"))
    whole = (Section(row["abstract"]),) if row.get("abstract") else ()
    types = tuple(row.get("pub_types") or ("Journal Article",))
    if row.get("article_type") in _REVIEWS and "Review" not in types:
        types = (*types, "Review")
    year = str(row.get("year") or "")
    published: Date = (int(year),) if year.isdecimal() else ()
    return Record(
        pmid,
        title=row.get("title") or "",
        abstract=sections or whole,
        mesh=tuple(Heading(name) for name in row.get("mesh") or ()),
        types=types,
        published=published,
        entered=published,
        language=row.get("language") or "eng",
        journal=row.get("journal") or "",
        keywords=tuple(row.get("keywords") or ()),
        pmcid=row.get("pmcid") or "",
        doi=row.get("doi") or "",
    )


def split_records(xml: bytes) -> list[bytes]:
    """The record elements of a PubMed XML file, as their bytes are there."""
    return [match.group(0) for match in _RECORD.finditer(xml)]


def read_pubmed(xml: bytes) -> Iterator[Record]:
    """Records of a PubMed XML file, book records included, with their own bytes."""
    for raw in split_records(xml):
        element = etree.fromstring(raw, _PARSER)
        record = _from_element(element, raw)
        if record.pmid:
            yield record


def _text(element: etree._Element | None) -> str:
    return "" if element is None else " ".join("".join(map(str, element.itertext())).split())


def _all(element: etree._Element, path: str) -> list[str]:
    return [text for found in element.iterfind(path) if (text := _text(found))]


def _date(element: etree._Element | None) -> Date:
    """Year, month and day as far as they are there; a MedlineDate gives its first year."""
    if element is None:
        return ()
    year = _text(element.find("Year")) or "".join(
        re.findall(r"\d{4}", _text(element.find("MedlineDate")))[:1]
    )
    month, day = _text(element.find("Month")), _text(element.find("Day"))
    number = _MONTHS.get(month[:3].lower()) or (int(month) if month.isdecimal() else 0)
    if not year.isdecimal():
        return ()
    if not number:
        return (int(year),)
    return (int(year), number, int(day)) if day.isdecimal() else (int(year), number)


def _from_element(element: etree._Element, raw: bytes) -> Record:
    book = element.find("BookDocument")
    inner = book if book is not None else element.find("MedlineCitation")
    assert inner is not None
    article = inner if book is not None else inner.find("Article")
    assert article is not None
    ids = element.iterfind("BookDocument/ArticleIdList/ArticleId" if book is not None else _IDS)
    by_type = {found.get("IdType"): _text(found) for found in ids}
    published = _date(article.find("Journal/JournalIssue/PubDate" if book is None else "Book/PubDate"))
    entered = _date(element.find(".//PubMedPubDate[@PubStatus='entrez']"))
    sections = tuple(
        Section(text, found.get("Label") or "")
        for found in article.iterfind("Abstract/AbstractText")
        if (text := _text(found))
    )
    return Record(
        _text(inner.find("PMID")),
        title=_text(article.find("ArticleTitle")) or _text(article.find("Book/BookTitle")),
        abstract=sections,
        mesh=tuple(_headings(inner)),
        types=tuple(_all(article, "PublicationTypeList/PublicationType") or _all(article, "PublicationType")),
        published=published,
        entered=entered or published,
        language=_text(article.find("Language")) or "eng",
        journal=_text(article.find("Journal/Title")),
        journal_short=_text(inner.find("MedlineJournalInfo/MedlineTA")),
        volume=_text(article.find("Journal/JournalIssue/Volume")),
        issue=_text(article.find("Journal/JournalIssue/Issue")),
        pages=_text(article.find("Pagination/MedlinePgn")),
        authors=tuple(
            Author(last, _text(author.find("Initials")))
            for author in article.iterfind("AuthorList/Author")
            if (last := _text(author.find("LastName")))
        ),
        affiliations=tuple(_all(article, "AuthorList/Author/AffiliationInfo/Affiliation")),
        keywords=tuple(_all(inner, "KeywordList/Keyword")),
        substances=tuple(_all(inner, "ChemicalList/Chemical/NameOfSubstance")),
        pmcid=by_type.get("pmc", ""),
        doi=by_type.get("doi", ""),
        links=tuple(
            Link(found.get("RefType") or "", _text(found.find("RefSource")), _text(found.find("PMID")))
            for found in inner.iterfind("CommentsCorrectionsList/CommentsCorrections")
        ),
        raw=raw,
    )


_IDS = "PubmedData/ArticleIdList/ArticleId"


def _headings(citation: etree._Element) -> Iterator[Heading]:
    for heading in citation.iterfind("MeshHeadingList/MeshHeading"):
        names = [*heading.iterfind("DescriptorName"), *heading.iterfind("QualifierName")]
        major = any(name.get("MajorTopicYN") == "Y" for name in names)
        yield Heading(_text(names[0]), major, tuple(map(_text, names[1:])))


def read_jats(xml: bytes) -> Iterator[tuple[str, Record | None, bytes]]:
    """Articles of a JATS file, wrapped in `pmc-articleset` or not: PMCID, a record of its front matter where
    that names a PMID, and the article's bytes without what stands before it."""
    for match in re.finditer(rb"<article[\s>].*?</article>", xml, re.DOTALL):
        raw = match.group(0)
        article = etree.fromstring(raw, _PARSER)
        meta = article.find("front/article-meta")
        if meta is None:
            continue
        ids = {found.get("pub-id-type"): _text(found) for found in meta.iterfind("article-id")}
        pmcid = ids.get("pmcid") or ids.get("pmc") or ""
        if not pmcid:
            continue
        pmcid = "PMC" + pmcid.upper().removeprefix("PMC")
        yield pmcid, _from_front(article, meta, ids, pmcid), raw


def _from_front(
    article: etree._Element, meta: etree._Element, ids: dict[str | None, str], pmcid: str
) -> Record | None:
    if not ids.get("pmid"):
        return None
    years = sorted(int(text) for text in _all(meta, "pub-date/year") if text.isdecimal())
    published: Date = (years[0],) if years else ()
    kind = article.get("article-type") or ""
    titled = meta.findall("abstract[1]/sec")
    sections = tuple(
        Section(" ".join(_all(part, "p")), _text(part.find("title")).rstrip(":")) for part in titled
    )
    return Record(
        ids["pmid"],
        title=_text(meta.find("title-group/article-title")),
        abstract=sections or tuple(Section(text) for text in [" ".join(_all(meta, "abstract[1]/p"))] if text),
        types=("Journal Article", *(("Review",) if kind in _REVIEWS else ())),
        published=published,
        entered=published,
        journal=_text(article.find("front/journal-meta//journal-title")),
        pmcid=pmcid,
        doi=ids.get("doi", ""),
    )
