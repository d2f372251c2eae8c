"""Crisis lines that somebody has checked (`config/lexicons/crisis_numbers.toml`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from config.resources import read_toml
from reasoning.notices import notice


@dataclass(frozen=True, slots=True)
class CrisisLine:
    country: str  # ISO 3166-1 alpha-2, or "EU"
    service: str
    kind: str  # "crisis" or "emergency"
    number: str
    hours: str
    languages: tuple[str, ...]
    source: str
    checked_on: date | None
    checked_by: str
    verified: bool


def list_lines(country: str | None = None) -> tuple[CrisisLine, ...]:
    """Verified crisis lines, of one country or of all; never one that nobody checked."""
    return tuple(
        line
        for line in read_lines()
        if line.verified and line.kind == "crisis" and country in (None, line.country)
    )


def describe_lines(language: str, country: str | None = None) -> str:
    """Sentences naming the lines, empty without any; every line names its country, since none is guessed."""
    shown = list_lines(country)
    return " ".join(
        notice(
            "crisis_line",
            language,
            country=notice(f"country_{x.country}", language),
            number=x.number,
            service=x.service,
        )
        for x in shown
    )


def read_lines() -> tuple[CrisisLine, ...]:
    """All lines of the file, checked or not. Raises ValueError for a date that is none."""
    return tuple(
        CrisisLine(
            **{
                **row,
                "languages": tuple(row["languages"]),
                "checked_on": date.fromisoformat(row["checked_on"]) if row["checked_on"] else None,
            }
        )
        for row in read_toml("lexicons/crisis_numbers.toml")["lines"]
    )
