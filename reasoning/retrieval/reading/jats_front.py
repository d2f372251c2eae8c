"""What the front of a JATS article says about it: ids, title, authors, dates, licence, kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.etree import _Element

from reasoning.retrieval.reading.authors import person
from reasoning.retrieval.reading.depth import ARTICLE_TYPES, REVIEW_TYPES, article_type
from reasoning.retrieval.reading.identifiers import find_doi, find_pmcid
from reasoning.retrieval.reading.jats_text import Flow, local
from reasoning.retrieval.reading.pubmed_dates import date_parts, date_text
from reasoning.retrieval.reading.standing import Link
from storage.documents import PartialDate, PublicationType

XLINK = "{http://www.w3.org/1999/xlink}href"

_LINKS = {
    "retracted-article": "RetractionOf",
    "retraction-forward": "RetractionIn",
    "correction-forward": "ErratumIn",
    "concern-forward": "ExpressionOfConcernIn",
    "expression-of-concern-forward": "ExpressionOfConcernIn",
    "update-forward": "UpdateIn",
}
_ISSUE = ("ppub", "epub-ppub", "print", "collection", "issue")
_ONLINE = ("epub", "electronic")
_CREATIVE = re.compile(r"creativecommons\.org/licenses/(by[a-z-]*)(?:/(\d(?:\.\d)?))?", re.IGNORECASE)
_PUBLIC = re.compile(r"creativecommons\.org/publicdomain/(zero|mark)", re.IGNORECASE)
_NAMED = re.compile(r"\bCC[ -](BY(?:-[A-Z]{2})*)(?:[ -](\d\.\d))?\b")
_SPELT = re.compile(
    r"Creative Commons Attribution(\W+Non-?Commercial)?(\W+No-?Deriv\w*)?(\W+Share-?Alike)?", re.IGNORECASE
)
_LONGEST_LICENCE = 300  # characters of a licence that is no Creative Commons one (our choice)


def find_ids(meta: _Element) -> tuple[str | None, str | None, str | None]:
    """PMCID with its prefix, PMID and DOI."""
    ids = {part.get("pub-id-type"): (part.text or "").strip() for part in meta.iterchildren("{*}article-id")}
    pmid = ids.get("pmid") or ""
    pmcid = find_pmcid(ids.get("pmcid")) or find_pmcid(ids.get("pmc"))
    return pmcid, pmid if pmid.isdecimal() else None, find_doi(ids.get("doi"))


def title_of(meta: _Element) -> str:
    parts = (meta.find(f"{{*}}title-group/{{*}}{name}") for name in ("article-title", "subtitle"))
    return ": ".join(text for part in parts if part is not None and (text := Flow().line(part)))


def types_of(article: _Element, meta: _Element) -> list[PublicationType]:
    """From `article-type`, and from the heading under which the journal printed it where that says review."""
    kind = article.get("article-type", "")
    found = [article_type(kind)] if kind else []
    for subject in meta.iterfind(
        "{*}article-categories/{*}subj-group[@subj-group-type='heading']/{*}subject"
    ):
        heading = Flow().line(subject).lower().removesuffix(" article").rstrip("s").replace(" ", "-")
        named = ARTICLE_TYPES.get(heading.replace("meta-analysi", "meta-analysis"))
        if named and named.name in REVIEW_TYPES:
            found.append(named)
    return found


def authors_of(meta: _Element) -> tuple[tuple[str, ...], bool]:
    """Names in order, and whether the list is complete."""
    names, complete = [], True
    for contrib in meta.iterfind("{*}contrib-group/{*}contrib"):
        if contrib.get("contrib-type", "author") == "author" and (name := _contributor(contrib)):
            names.append(name)
    if meta.find("{*}contrib-group/{*}etal") is not None:
        complete = False
    return tuple(names), complete


def _contributor(contrib: _Element) -> str:
    group = contrib.find("{*}collab")
    if group is not None:
        inside = (part for part in group if local(part) not in ("contrib-group", "xref", "address"))
        own = " ".join([group.text or "", *(f"{Flow().line(part)}{part.tail or ''}" for part in inside)])
        return " ".join(own.split())
    name = contrib.find("{*}name")
    name = contrib.find("{*}name-alternatives/{*}name") if name is None else name
    if name is None:
        plain = contrib.find("{*}string-name")
        return Flow().line(plain) if plain is not None else ""
    parts = {local(part): Flow().line(part) for part in name}
    return person(parts.get("surname", ""), parts.get("given-names", ""), suffix=parts.get("suffix", ""))


def dates_of(meta: _Element) -> tuple[PartialDate | None, PartialDate | None]:
    """Date of the issue and date online; the day on which PMC released the text is neither (case F09)."""
    found: dict[str, PartialDate] = {}
    for element in meta.iterchildren("{*}pub-date"):
        kinds = {element.get("pub-type"), element.get("publication-format"), element.get("date-type")}
        parts = {local(part): Flow().line(part) for part in element}
        date = date_parts(parts.get("year"), parts.get("month"), parts.get("day"))
        date = date or date_text(parts.get("string-date", ""))
        if date:
            kind = next((name for name in (*_ISSUE, *_ONLINE) if name in kinds), None)
            found.setdefault(kind or ("issue" if kinds <= {None, "pub"} else "other"), date)
    issue = next((found[name] for name in _ISSUE if name in found), None)
    return issue, next((found[name] for name in _ONLINE if name in found), None)


def licence_of(meta: _Element) -> str | None:
    """`CC BY-NC 4.0` and the like, else the beginning of what the article states.

    The licence of the text goes before a CC0 waiver for its data, which stands beside it in many articles.
    """
    for element in meta.iter("{*}license"):
        text = Flow().line(element)
        links = " ".join(value for part in element.iter() for value in (part.get(XLINK), part.text) if value)
        return _short_licence(links, text) or text[:_LONGEST_LICENCE] or None
    return None


def _short_licence(links: str, text: str) -> str | None:
    if found := _CREATIVE.search(links) or _NAMED.search(text):
        return f"CC {found.group(1).upper().rstrip('-')} {found.group(2) or ''}".rstrip()
    if public := _PUBLIC.search(links):
        return "CC0 1.0" if public.group(1).lower() == "zero" else "public domain mark"
    if spelt := _SPELT.search(text):
        parts = (short for found, short in zip(spelt.groups(), ("NC", "ND", "SA"), strict=True) if found)
        return "-".join(("CC BY", *parts))
    return None


def links_of(meta: _Element) -> Iterator[Link]:
    """What the article says about its own standing, in the words of PubMed."""
    for element in meta.iterchildren("{*}related-article"):
        if kind := _LINKS.get(element.get("related-article-type", "")):
            target = element.get(XLINK, "") if element.get("ext-link-type") in ("pmid", "pubmed") else ""
            yield Link(kind, target if target.isdecimal() else None)
