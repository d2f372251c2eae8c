"""How deep each article is read: reviews and guidelines in full, other studies as abstracts (methods.md 1.5).

The classes come from the record: D1 abstract, D2 full text of a review, D3 full text of a primary study.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reasoning.literature import Literature, NoFullText
from reasoning.methods.cometa.presets import Preset
from reasoning.retrieval.reading import is_review
from reasoning.trace import Trace
from storage.documents import Article


@dataclass(slots=True)
class Depth:
    """`read` are PMCIDs by key of what was read in full; `absent` says by key why an abstract must do."""

    read: dict[str, str] = field(default_factory=dict)
    absent: dict[str, NoFullText] = field(default_factory=dict)
    not_asked: list[str] = field(default_factory=list)  # beyond the preset's number
    licences: dict[str, str | None] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "read_in_full": dict(self.read),
            "abstract_only": dict(self.absent),
            "not_asked": list(self.not_asked),
            "licences": dict(self.licences),
        }


async def deepen(
    articles: Sequence[Article],
    doors: Sequence[Literature],
    preset: Preset,
    trace: Trace,
) -> Depth:
    """Full texts of the best reviews, in the corpus afterwards; as many as the preset allows."""
    depth = Depth()
    with trace.span("depth", most=preset.full_texts, allow_d3=preset.allow_d3) as span:
        wanted: dict[str, str] = {}  # PMCID -> key
        for article in articles:
            if not (preset.allow_d3 or is_review(article.publication_types)):
                continue
            if not article.pmcid:
                depth.absent[article.key] = "no_pmcid"
            elif len(wanted) < preset.full_texts:
                wanted[article.pmcid] = article.key
            else:
                depth.not_asked.append(article.key)
        await _read(wanted, doors, depth)
        span.note(**depth.as_json())
    return depth


async def _read(wanted: Mapping[str, str], doors: Sequence[Literature], depth: Depth) -> None:
    """The corpus first: what was read for an earlier question is there."""
    for door in sorted(doors, key=lambda door: door.door != "corpus"):
        left = [pmcid for pmcid, key in wanted.items() if key not in depth.read]
        if not left:
            break
        reply = await door.read_full_texts(left)
        for pmcid, article in reply.articles.items():
            if article.standing.citable and pmcid in wanted:
                depth.read[wanted[pmcid]] = pmcid
                depth.licences[wanted[pmcid]] = article.licence
        depth.absent |= {wanted[pmcid]: why for pmcid, why in reply.absent.items() if pmcid in wanted}
    for key in depth.read:
        depth.absent.pop(key, None)
