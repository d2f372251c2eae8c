"""MEDLINE display format (`.nbib`), read by Bio.Medline: the same article as from XML, as far as it goes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from Bio import Medline

from reasoning.retrieval.reading.drafts import Draft
from reasoning.retrieval.reading.errors import BadRecord, BombSuspected, TruncatedFile
from reasoning.retrieval.reading.identifiers import find_doi, find_pmcid
from reasoning.retrieval.reading.label_lines import labelled_sections
from reasoning.retrieval.reading.markup import fold
from reasoning.retrieval.reading.pubmed_dates import date_text, full_date
from reasoning.retrieval.reading.rejected import Rejected
from reasoning.retrieval.reading.standing import Link
from reasoning.retrieval.reading.streams import BROKEN, MAX_RECORD, read_lines
from storage.documents import Article, ForeignText, MeshHeading, PartialDate, PublicationType

Fields = Mapping[str, str | list[str]]

_LINKS = {
    "RIN": "RetractionIn",
    "ROF": "RetractionOf",
    "PRIN": "PartialRetractionIn",
    "ECI": "ExpressionOfConcernIn",
    "EIN": "ErratumIn",
    "UIN": "UpdateIn",
    "CRI": "CorrectedandRepublishedIn",
    "RRI": "RetractedandRepublishedIn",
}
_PMID = re.compile(r"PMID:\s*(\d+)", re.ASCII)
_DOI = re.compile(r"(10\.\d{4,9}/\S+)\s*\[doi\]", re.IGNORECASE)
_FIELD = re.compile(r"[A-Z]{2,4} *- ?")
_BOOK = PublicationType("Book")


def read_medline(stream: BinaryIO, where: str = "reply") -> Iterator[Article | Rejected]:
    """The records in order; one that cannot be used comes as Rejected. Raises BombSuspected."""
    number = 0
    try:
        records = Medline.parse(_lines(stream, where))  # type: ignore[no-untyped-call]
        for number, record in enumerate(records, start=1):
            try:
                yield _draft(record).article("nbib")
            except BadRecord as error:
                yield Rejected(f"{where}, record {number}", str(error))
    except BROKEN as error:
        yield Rejected(where, str(TruncatedFile(f"The packed data breaks after record {number} ({error}).")))


def _lines(stream: BinaryIO, where: str) -> Iterator[str]:
    """Lines that Bio.Medline understands: a continuation without a field before it stops its parser."""
    inside, size = False, 0
    for line in read_lines(stream, where):
        blank = not line.strip()
        size = 0 if blank else size + len(line)
        if size > MAX_RECORD:
            raise BombSuspected(f"{where}: a record is larger than {MAX_RECORD >> 20} MB.")
        if blank and not line.startswith(" " * 6):
            inside = False
            yield "\n"
        elif _FIELD.match(line):
            inside = True
            yield line
        elif inside and line.startswith(" " * 6):
            yield line


def _draft(record: Fields) -> Draft:
    book = _text(record, "BTI")
    types = [PublicationType(name) for name in _values(record, "PT")]
    plain_title, foreign = _text(record, "TI"), _text(record, "OAB")
    return Draft(
        pmid=_text(record, "PMID"),
        title=plain_title or book,
        vernacular=_text(record, "TT"),
        container=book or _text(record, "JT") or _text(record, "TA") or None,
        publisher=_text(record, "PB") or None,
        sections=labelled_sections(_text(record, "AB")),
        authors=(*_values(record, "AU"), *_values(record, "CN")),
        languages=[code.lower() for code in _values(record, "LA")],
        pmcid=find_pmcid(_text(record, "PMC")),
        doi=_doi(record),
        issue_date=_first_date(record, "DRDT", "CTDT", "DP") if book else _first_date(record, "DP"),
        online_date=_first_date(record, "DEP"),
        entrez_date=full_date(date_text(_text(record, "EDAT")[:10])),
        types=[*types, _BOOK] if book else types,
        mesh=tuple(_heading(heading) for heading in _values(record, "MH")),
        keywords=[keyword.strip("* ") for keyword in _values(record, "OT")],
        foreign=[ForeignText(_text(record, "OABL") or "und", foreign)] if foreign else [],
        links=list(_links(record)),
    )


def _values(record: Fields, key: str) -> list[str]:
    value = record.get(key, [])
    return [text for part in ([value] if isinstance(value, str) else value) if (text := fold(part))]


def _text(record: Fields, key: str) -> str:
    return " ".join(_values(record, key))


def _first_date(record: Fields, *keys: str) -> PartialDate | None:
    return next((date for key in keys if (date := date_text(_text(record, key)[:40]))), None)


def _doi(record: Fields) -> str | None:
    found = _DOI.search(f"{_text(record, 'LID')} {_text(record, 'AID')}")
    return find_doi(found.group(1)) if found else None


def _heading(text: str) -> MeshHeading:
    """`Asthma/*drug therapy`: a star anywhere makes it a major topic."""
    name, *qualifiers = text.replace("*", "").split("/")
    return MeshHeading(name, major="*" in text, qualifiers=tuple(qualifiers))


def _links(record: Fields) -> Iterator[Link]:
    """One link per PMID in a field; a field without a PMID still says that there is such a notice."""
    for key, kind in _LINKS.items():
        if text := _text(record, key):
            yield from [Link(kind, pmid) for pmid in _PMID.findall(text)] or [Link(kind)]
