"""What the emulator holds of a record: as much as PubMed shows of one, and no more than the source told."""

from __future__ import annotations

from dataclasses import dataclass

# UIs of publication types, as MeSH has them (NLM, MeSH 2025).
TYPE_UIS = {
    "Case Reports": "D002363",
    "Clinical Trial": "D016430",
    "Clinical Trial, Phase II": "D017427",
    "Clinical Trial, Phase III": "D017428",
    "Comment": "D016420",
    "Comparative Study": "D003160",
    "Controlled Clinical Trial": "D018848",
    "Editorial": "D016421",
    "Guideline": "D016431",
    "Historical Article": "D016456",
    "Journal Article": "D016428",
    "Letter": "D016422",
    "Meta-Analysis": "D017418",
    "Multicenter Study": "D016448",
    "Observational Study": "D064888",
    "Practice Guideline": "D017065",
    "Preprint": "D000076942",
    "Published Erratum": "D016425",
    "Randomized Controlled Trial": "D016449",
    "Research Support, N.I.H., Extramural": "D052061",
    "Research Support, N.I.H., Intramural": "D052060",
    "Research Support, Non-U.S. Gov't": "D013485",
    "Research Support, U.S. Gov't, Non-P.H.S.": "D013486",
    "Research Support, U.S. Gov't, P.H.S.": "D013487",
    "Retracted Publication": "D016441",
    "Retraction Notice": "D016440",
    "Review": "D016454",
    "Systematic Review": "D000078182",
}

LANGUAGES = {
    "eng": "english",
    "chi": "chinese",
    "cze": "czech",
    "dut": "dutch",
    "fre": "french",
    "ger": "german",
    "hun": "hungarian",
    "ita": "italian",
    "jpn": "japanese",
    "kor": "korean",
    "nor": "norwegian",
    "pol": "polish",
    "por": "portuguese",
    "rus": "russian",
    "spa": "spanish",
    "tur": "turkish",
}

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
Date = tuple[int, ...]  # (year,), (year, month) or (year, month, day); () is not known


@dataclass(frozen=True, slots=True)
class Section:
    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A MeSH heading of a record; `qualifiers` are subheadings."""

    name: str
    major: bool = False
    qualifiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Author:
    last: str
    initials: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A CommentsCorrections element: its RefType, RefSource and PMID."""

    kind: str
    source: str
    pmid: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `raw` is its own XML element, served byte for byte where it is there."""

    pmid: str
    title: str = ""
    abstract: tuple[Section, ...] = ()
    mesh: tuple[Heading, ...] = ()
    types: tuple[str, ...] = ("Journal Article",)
    published: Date = ()
    entered: Date = ()
    language: str = "eng"
    journal: str = ""
    journal_short: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    authors: tuple[Author, ...] = ()
    affiliations: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    substances: tuple[str, ...] = ()
    pmcid: str = ""  # with its prefix
    doi: str = ""
    links: tuple[Link, ...] = ()
    raw: bytes = b""

    @property
    def abstract_text(self) -> str:
        """The abstract as it is searched, labels included."""
        return " ".join(f"{part.label}: {part.text}" if part.label else part.text for part in self.abstract)
