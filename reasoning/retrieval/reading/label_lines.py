"""Abstracts that print their labels inside the text: `BACKGROUND: ... METHODS: ...` (case F08)."""

from __future__ import annotations

import re

from reasoning.retrieval.reading.abstracts import drop_copyright, printed_label
from reasoning.retrieval.reading.markup import fold
from storage.documents import Section, SectionKind

_LABEL = re.compile(r"(?:^|(?<=[.?!)\]] ))([A-Z][A-Z /&,()'’-]{2,60}[A-Z)]):\s")


def labelled_sections(text: str) -> tuple[Section, ...]:
    """The parts of one abstract. It is cut at labels only if it opens with one: others are chance."""
    text = fold(text)
    found = list(_LABEL.finditer(text))
    if not found or found[0].start() != 0:
        return drop_copyright([Section(text=text, kind=SectionKind.ABSTRACT)] if text else [])
    ends = [label.start() for label in found[1:]] + [len(text)]
    parts = (
        Section(text=body, label=printed_label(label.group(1)), kind=SectionKind.ABSTRACT)
        for label, end in zip(found, ends, strict=True)
        if (body := text[label.end() : end].strip())
    )
    return drop_copyright(parts)
