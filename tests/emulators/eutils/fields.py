"""Fields of PubMed with their tags and long names (einfo of 2025), and in which texts each looks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

# Texts of a record as bits, so that one mask tells in which of them a word stands.
TITLE, ABSTRACT, KEYWORDS, MESH, TYPES, AFFILIATION, REST = 1, 2, 4, 8, 16, 32, 64
TITLE_ABSTRACT = TITLE | ABSTRACT | KEYWORDS
TEXT_WORDS = TITLE_ABSTRACT | MESH | TYPES
ALL = TEXT_WORDS | AFFILIATION | REST


class Kind(StrEnum):
    """How a term of the field is looked up."""

    TEXT = "text"
    MESH = "mesh"
    DATE = "date"
    EXACT = "exact"  # the whole value, by its words
    FILTER = "filter"
    AUTHOR = "author"


@dataclass(frozen=True, slots=True)
class Field:
    code: str
    name: str
    kind: Kind
    texts: int = 0
    near: bool = False  # whether proximity is searched in it


def _text(code: str, name: str, texts: int, near: bool = False) -> Field:
    return Field(code, name, Kind.TEXT, texts, near)


ALL_FIELDS = _text("ALL", "All Fields", ALL)
FIELDS = [
    ALL_FIELDS,
    Field("UID", "UID", Kind.EXACT),
    Field("FILT", "Filter", Kind.FILTER),
    _text("TITL", "Title", TITLE, near=True),
    Field("MESH", "MeSH Terms", Kind.MESH),
    Field("MAJR", "MeSH Major Topic", Kind.MESH),
    Field("JOUR", "Journal", Kind.EXACT),
    _text("AFFL", "Affiliation", AFFILIATION, near=True),
    Field("ECNO", "EC/RN Number", Kind.EXACT),
    Field("SUBS", "Supplementary Concept", Kind.EXACT),
    Field("PDAT", "Date - Publication", Kind.DATE),
    Field("EDAT", "Date - Entry", Kind.DATE),
    Field("VOL", "Volume", Kind.EXACT),
    Field("PAGE", "Pagination", Kind.EXACT),
    Field("PTYP", "Publication Type", Kind.EXACT),
    Field("LANG", "Language", Kind.EXACT),
    Field("ISS", "Issue", Kind.EXACT),
    Field("SUBH", "MeSH Subheading", Kind.EXACT),
    Field("MHDA", "Date - MeSH", Kind.DATE),
    _text("TIAB", "Title/Abstract", TITLE_ABSTRACT, near=True),
    _text("OTRM", "Other Term", KEYWORDS),
    Field("MDAT", "Date - Modification", Kind.DATE),
    Field("FAUT", "Author - First", Kind.AUTHOR),
    Field("FULL", "Author", Kind.AUTHOR),
    Field("LAUT", "Author - Last", Kind.AUTHOR),
    Field("LID", "Location ID", Kind.EXACT),
    Field("CRDT", "Date - Create", Kind.DATE),
    _text("WORD", "Text Word", TEXT_WORDS),
]
_BY_CODE = {field.code: field for field in FIELDS}
_SHORT = {
    "all": "ALL",
    "pmid": "UID",
    "sb": "FILT",
    "subset": "FILT",
    "ti": "TITL",
    "title": "TITL",
    "mh": "MESH",
    "mesh": "MESH",
    "majr": "MAJR",
    "ta": "JOUR",
    "jour": "JOUR",
    "ad": "AFFL",
    "rn": "ECNO",
    "nm": "SUBS",
    "dp": "PDAT",
    "pdat": "PDAT",
    "edat": "EDAT",
    "vi": "VOL",
    "pg": "PAGE",
    "pt": "PTYP",
    "la": "LANG",
    "lang": "LANG",
    "ip": "ISS",
    "sh": "SUBH",
    "mhda": "MHDA",
    "tiab": "TIAB",
    "ot": "OTRM",
    "lr": "MDAT",
    "mdat": "MDAT",
    "1au": "FAUT",
    "au": "FULL",
    "lastau": "LAUT",
    "aid": "LID",
    "doi": "LID",
    "crdt": "CRDT",
    "tw": "WORD",
    "date of publication": "PDAT",
    "text words": "WORD",
    "mesh major topics": "MAJR",
}
_BY_TAG = {field.name.lower(): field for field in FIELDS}
_BY_TAG |= {field.code.lower(): field for field in FIELDS}
_BY_TAG |= {tag: _BY_CODE[code] for tag, code in _SHORT.items()}


def find_field(tag: str) -> Field | None:
    """The field of a tag, short or long, in any case; None where PubMed has none of that name."""
    return _BY_TAG.get(" ".join(tag.lower().split()))


def get_field(code: str) -> Field:
    return _BY_CODE[code]
