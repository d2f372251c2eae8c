"""Dates as records print them, with the precision they have (case F09)."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

from lxml.etree import _Element

from storage.documents import PartialDate

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_EXACT = re.compile(
    r"(?P<year>\d{4})(?:[\s/-]+(?P<month>[A-Za-z]{3,9}|\d{1,2})(?:[\s/-]+(?P<day>\d{1,2})(?:\s+[\d:]{5,8})?)?)?",
    re.ASCII,
)


def date_element(element: _Element) -> PartialDate | None:
    """A date from Year, Month and Day, or the first year of a free-text MedlineDate; None without a year."""
    parts = {child.tag: (child.text or "").strip() for child in element if isinstance(child.tag, str)}
    if free_text := parts.get("MedlineDate"):
        return date_text(free_text)
    return date_parts(parts.get("Year"), parts.get("Month"), parts.get("Day"))


def date_parts(year: str | None, month: str | None = None, day: str | None = None) -> PartialDate | None:
    """One date from its own parts. An impossible day or month is left out, not the date."""
    if not year or not _YEAR.fullmatch(year):
        return None
    known_year, known_month = int(year), _month(month)
    if not known_month:
        return PartialDate(known_year)
    known_day = int(day) if day and day.isascii() and day.isdigit() and len(day) <= 2 else 0
    if not 1 <= known_day <= monthrange(known_year, known_month)[1]:
        return PartialDate(known_year, known_month)
    return PartialDate(known_year, known_month, known_day)


def date_text(text: str) -> PartialDate | None:
    """`2005 Sep 3`, `20050531` or `2005/05/31` in full; of a range or a season the first year only."""
    text = text.strip()
    if len(text) == 8 and text.isascii() and text.isdigit():
        return date_parts(text[:4], text[4:6], text[6:])
    if exact := _EXACT.fullmatch(text):
        return date_parts(exact["year"], exact["month"], exact["day"])
    first = _YEAR.search(text)
    return PartialDate(int(first.group())) if first else None


def full_date(known: PartialDate | None) -> date | None:
    """The calendar date, where the record gives one to the day."""
    return date(known.year, known.month, known.day) if known and known.month and known.day else None


def _month(text: str | None) -> int | None:
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) <= 2:
        return int(text) if 1 <= int(text) <= 12 else None
    return _MONTHS.get(text[:3].lower())
