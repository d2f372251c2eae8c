"""Author lists of PubMed records: people as "Family GI", groups as printed (case F11)."""

from __future__ import annotations

from functools import lru_cache

from lxml.etree import _Element

from reasoning.retrieval.reading.markup import element_text, fold


def author_list(element: _Element) -> tuple[str, ...]:
    """Names in order, without those the record marks as not valid (they repeat a corrected name)."""
    return tuple(
        name
        for author in element
        if author.tag == "Author" and author.get("ValidYN") != "N" and (name := _author(author))
    )


def is_complete(element: _Element) -> bool:
    return element.get("CompleteYN") != "N"


def _author(element: _Element) -> str:
    family = given = initials = suffix = ""
    for child in element:
        tag, text = child.tag, child.text or ""
        if tag == "LastName":
            family = text
        elif tag == "ForeName":
            given = text
        elif tag == "Initials":
            initials = text
        elif tag == "Suffix":
            suffix = element_text(child)
        elif tag == "CollectiveName":
            return element_text(child)
    return _printed(family, given, initials, suffix)


@lru_cache(maxsize=1 << 16)  # the same people come again and again
def _printed(*parts: str) -> str:
    return person(*map(fold, parts))


def person(family: str, given: str = "", initials: str = "", suffix: str = "") -> str:
    """`Family GI Suffix`, of as many parts as there are; a given name alone stands in for the family name."""
    if not family:
        return given
    return " ".join(part for part in (family, initials or initials_of(given), suffix) if part)


def initials_of(given: str) -> str:
    """`Sam Q` and `Jean-Luc` give `SQ` and `JL`; initials given as a block stay."""
    words = given.replace("-", " ").replace(".", " ").split()
    if len(words) == 1 and words[0].isupper() and len(words[0]) <= 3:
        return words[0]
    return "".join(word[0].upper() for word in words)
