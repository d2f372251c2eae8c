"""Which articles a search may return; the same conditions for every stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Filters:
    """Years are inclusive. A record without a year passes only if `unknown_year` allows it (case F09).

    `without` are keys of articles that must not be found, as the one a question was made from (methods.md 6).
    """

    year_from: int | None = None
    year_to: int | None = None
    unknown_year: bool = False
    languages: tuple[str, ...] = ()
    publication_types: tuple[str, ...] = ()
    sources: tuple[str, ...] = field(default=())
    without: tuple[str, ...] = ()

    def sql(self) -> tuple[str, dict[str, Any]]:
        """A condition on `articles a` and its parameters; empty where everything passes."""
        conditions: list[str] = []
        params: dict[str, Any] = {}
        if self.year_from is not None or self.year_to is not None:
            years = "a.year BETWEEN :year_from AND :year_to"
            conditions.append(f"({years} OR a.year IS NULL)" if self.unknown_year else years)
            params |= {"year_from": self.year_from or 0, "year_to": self.year_to or 9999}
        if self.languages:
            conditions.append("a.language = ANY(:languages)")
            params["languages"] = list(self.languages)
        if self.publication_types:
            conditions.append("a.publication_types && CAST(:publication_types AS text[])")
            params["publication_types"] = list(self.publication_types)
        if self.sources:
            conditions.append("a.source = ANY(:sources)")
            params["sources"] = list(self.sources)
        if self.without:
            conditions.append("a.key <> ALL(:without)")
            params["without"] = list(self.without)
        return " AND ".join(conditions), params


EVERYTHING = Filters()
