"""Personal details, masked before a third party reads a text (issue 3.1; chat.md 6).

Rules only: a phone number, an address or a name shows by its shape, its checksum or the words before it.
Clinical numbers, ages, years, gene names and eponyms stay: a masked dose would change the question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reasoning.safety.folding import fold
from reasoning.safety.personal_names import find_names
from reasoning.safety.personal_numbers import find_numbers
from reasoning.safety.personal_places import find_places

Kind = Literal[
    "email",
    "url",
    "iban",
    "card",
    "id",
    "record",
    "date",
    "address",
    "postcode",
    "ip",
    "handle",
    "phone",
    "name",
]


@dataclass(frozen=True, slots=True)
class PersonalSpan:
    """Characters [start, end) of the text, and what they are."""

    start: int
    end: int
    kind: Kind


def find_personal(text: str) -> tuple[PersonalSpan, ...]:
    """The personal details in order, without overlaps; where two kinds overlap both are one span."""
    folded = fold(text)
    found: list[tuple[int, int, Kind]] = [*find_places(folded), *find_numbers(folded), *find_names(text)]
    spans: list[PersonalSpan] = []
    for start, end, kind in sorted(found, key=lambda span: (span[0], -span[1])):
        if spans and start < spans[-1].end:
            last = spans[-1]
            spans[-1] = PersonalSpan(last.start, max(last.end, end), last.kind)
        else:
            spans.append(PersonalSpan(start, end, kind))
    return tuple(spans)


def mask_personal(text: str) -> str:
    """The text with each personal detail replaced by its kind: `[phone]`. Idempotent; never raises.

    Repeated until nothing is found: a number that touches an address shows only once that is gone.
    """
    while spans := find_personal(text):
        parts: list[str] = []
        position = 0
        for span in spans:
            parts += [text[position : span.start], f"[{span.kind}]"]
            position = span.end
        text = "".join([*parts, text[position:]])
    return text
