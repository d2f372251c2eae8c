"""Abstracts as labelled sections (case F08), and abstracts in other languages or for patients (case F11)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from lxml.etree import _Element

from reasoning.retrieval.reading.markup import element_text, fold
from storage.documents import ForeignText, Section, SectionKind

_NO_LABEL = frozenset({"", "unassigned", "none", "unlabelled"})
_COPYRIGHT = re.compile(
    r"(?:^|(?<=[.?!)])\s*)"
    r"(?:copyright\b(?:\s*©|\s*\(c\))?|©|\(c\)(?=\s*(?:copyright\b|(?:19|20)\d\d)))"
    r"[^.]{0,60}?\b(?:19|20)\d\d\b.{0,200}$",
    re.IGNORECASE | re.DOTALL,
)


@lru_cache(maxsize=1 << 12)
def printed_label(label: str | None) -> str | None:
    """The label as printed, without a closing colon; None for the words that stand for "no label"."""
    text = fold(label or "").rstrip(": ")
    return None if text.lower() in _NO_LABEL else text


def without_copyright(text: str) -> str:
    """`text` without a closing copyright line, which is no statement of the study."""
    found = _COPYRIGHT.search(text, max(len(text) - 300, 0))
    return text[: found.start()].rstrip() if found else text


def abstract_sections(element: _Element) -> tuple[Section, ...]:
    """The parts of an Abstract in order; empty parts and CopyrightInformation are left out."""
    parts = [
        Section(text=text, label=printed_label(part.get("Label")), kind=SectionKind.ABSTRACT)
        for part in element
        if part.tag == "AbstractText" and (text := element_text(part))
    ]
    return drop_copyright(parts)


def drop_copyright(parts: Iterable[Section]) -> tuple[Section, ...]:
    """`parts` with a copyright line taken off the last one."""
    kept = list(parts)
    if kept:
        last = kept.pop()
        if text := without_copyright(last.text):
            kept.append(last if text == last.text else Section(text=text, label=last.label, kind=last.kind))
    return tuple(kept)


def joined(parts: Iterable[Section]) -> str:
    """Labelled parts as one text, a part a line."""
    return "\n".join(f"{part.label}: {part.text}" if part.label else part.text for part in parts)


def other_abstract(element: _Element) -> tuple[str | None, ForeignText | None]:
    """An OtherAbstract: (plain-language summary in English, None) or (None, text with its language).

    It never takes the place of the abstract, nor is it joined to it.
    """
    text = joined(abstract_sections(element))
    language = (element.get("Language") or "und").strip().lower()
    if not text:
        return None, None
    if element.get("Type") == "plain-language-summary" and language == "eng":
        return text, None
    return None, ForeignText(language=language, text=text)
