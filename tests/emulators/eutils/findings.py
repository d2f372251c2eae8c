"""What evaluating a query brings: the records, the translation, and what PubMed says about the words."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tests.emulators.eutils.index import NOTHING, Mask, Postings

Leaf = tuple[float, Postings]  # weight in ranking, where the words stand


@dataclass(slots=True)
class Found:
    """Records of a part of a query. `operator` is the last one of its translation, for its brackets."""

    mask: Mask
    translation: str
    operator: str = ""
    leaves: list[Leaf] = field(default_factory=list)

    def bracketed(self, operator: str) -> str:
        """The translation as one side of an operator."""
        return f"({self.translation})" if self.operator and self.operator != operator else self.translation


@dataclass(slots=True)
class Notes:
    """Lists of a reply of ESearch; `lost` are terms that fell away, with their fields, in order."""

    not_found: list[str] = field(default_factory=list)
    fields_not_found: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    quoted_not_found: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    translations: list[tuple[str, str]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def lose(self, term: str, field_name: str, *, tagged: bool) -> None:
        """The term is in no index: it falls away, and the search goes on without it."""
        self.not_found.append(f"{term}[{field_name}]" if tagged else term)
        self.lost.append(f"{term}[{field_name}]")

    def ignore(self, word: str) -> None:
        if word not in self.ignored:
            self.ignored.append(word)


def combine(left: Found | None, operator: str, right: Found | None) -> Found | None:
    """Both sides joined; a side that fell away leaves the other as it is."""
    if left is None and operator == "NOT" and right is not None:
        return Found(~right.mask, f"NOT {right.bracketed('')}", "NOT")
    if left is None or right is None:
        return left or right
    text = f"{left.bracketed(operator)} {operator} {right.bracketed('' if operator == 'NOT' else operator)}"
    if operator == "AND":
        return Found(left.mask & right.mask, text, operator, left.leaves + right.leaves)
    if operator == "OR":
        return Found(left.mask | right.mask, text, operator, left.leaves + right.leaves)
    return Found(left.mask & ~right.mask, text, operator, left.leaves)


def pool(parts: list[Postings]) -> Postings:
    """Postings of any of them in no order, which ranking does not need."""
    kept = [part for part in parts if len(part.places)]
    if len(kept) < 2:
        return kept[0] if kept else NOTHING
    return Postings(
        np.concatenate([part.places for part in kept]),
        np.concatenate([part.records for part in kept]),
        np.concatenate([part.texts for part in kept]),
    )
