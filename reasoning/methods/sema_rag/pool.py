"""The evidence set C of one question: snippets with every query that found them (methods.md 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from reasoning.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Origin:
    """`query` counts the queries of the question from 0, `rank` from 1."""

    round: int
    query: int
    rank: int


@dataclass(slots=True)
class Snippet:
    evidence: Evidence
    origins: list[Origin]

    @property
    def turn(self) -> tuple[int, int]:
        """Best rank, and the first query that gave it."""
        return min((origin.rank, origin.query) for origin in self.origins)


@dataclass(frozen=True, slots=True)
class Added:
    """What one query brought: new snippets, such as were there, and such as the cap kept out."""

    new: int = 0
    known: int = 0
    capped: int = 0


@dataclass(slots=True)
class Pool:
    """Snippets in the order in which they came; `refused` says why a passage that was found is not one."""

    per_article: int | None
    snippets: dict[str, Snippet] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    def add(self, found: Sequence[Evidence], round_: int, query: int) -> Added:
        """Each passage once, with all its origins; no more of an article than the cap allows."""
        taken = Counter(snippet.evidence.source.article.key for snippet in self.snippets.values())
        counts = Counter[str]()
        for rank, item in enumerate(found, start=1):
            origin, key = Origin(round_, query, rank), item.source.article.key
            if item.eid in self.snippets:
                self.snippets[item.eid].origins.append(origin)
                counts["known"] += 1
            elif self.per_article is not None and taken[key] >= self.per_article:
                self.refused.setdefault(item.eid, "enough of its article")
                counts["capped"] += 1
            else:
                self.snippets[item.eid] = Snippet(item, [origin])
                self.refused.pop(item.eid, None)
                taken[key] += 1
                counts["new"] += 1
        return Added(counts["new"], counts["known"], counts["capped"])

    def refuse(self, found: Sequence[Evidence], reason: str) -> None:
        """Note what may not enter, unless another query brought it."""
        for item in found:
            if item.eid not in self.snippets:
                self.refused.setdefault(item.eid, reason)

    def packed(self) -> list[Evidence]:
        """In turns over the queries, each by rank: what does not fit a context is the worst of each query,
        never all of the last one (methods.md 3.4)."""
        turns = sorted(self.snippets.values(), key=lambda snippet: snippet.turn)
        return [snippet.evidence for snippet in turns]
