"""Records of what was found, and which of them may be used (methods.md 1.5, case F12).

Whatever is retracted, or only says that something else is, goes before any text can reach a prompt; also
what turns out so when its record arrives. A superseded article yields to its update where that is at hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reasoning.literature import Literature
from reasoning.trace import Trace
from reasoning.types import Remark
from storage.documents import Article, Standing


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """An article that was found and may support nothing: retracted, or a notice of retraction."""

    key: str
    title: str
    standing: Standing


@dataclass(slots=True)
class Records:
    """Records by key, in good or bad standing; `missing` are at no door."""

    articles: dict[str, Article] = field(default_factory=dict)
    degraded: list[Remark] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)

    async def gather(self, keys: Sequence[str], doors: Sequence[Literature], trace: Trace) -> None:
        """Fetch what is not known yet, door by door: PubMed's word on a record's standing is the newest."""
        with trace.span("fetch", keys=len(keys)) as span:
            failed = False
            for door in doors:
                wanted = [key for key in keys if key not in self.articles]
                if door.door == "pubmed":
                    wanted = [key for key in wanted if key.isdecimal()]
                if not wanted:
                    continue
                reply = await door.fetch(wanted)
                self.articles |= reply.articles
                if reply.state in ("transient", "permanent"):
                    failed = True
                    self.degraded.append(Remark(code=f"{door.door}_fetch_failed", detail=reply.reason or ""))
                span.note(**{door.door: len(reply.articles)})
            if doors and not failed:
                self.missing |= {key for key in keys if key not in self.articles}

    def newness(self, key: str) -> tuple[int, int, int]:
        """Year, month and day of publication, 0 where unknown: only ties are decided by it."""
        article = self.articles.get(key)
        date = article.published if article else None
        return (date.year, date.month or 0, date.day or 0) if date else (0, 0, 0)


def withdrawn_of(articles: Mapping[str, Article], keys: Sequence[str]) -> list[Withdrawn]:
    """Which of these may support nothing."""
    found = [(key, articles[key]) for key in keys if key in articles]
    return [
        Withdrawn(key, article.title, article.standing)
        for key, article in found
        if not article.standing.citable
    ]


def replace_superseded(articles: Mapping[str, Article], keys: Sequence[str]) -> dict[str, str]:
    """Old key -> the update that takes its place, where that is at hand and may be used itself."""
    updates = {}
    for key in keys:
        article = articles.get(key)
        newer = article.superseded_by if article and article.standing is Standing.SUPERSEDED else None
        if newer and newer in articles and articles[newer].standing.citable:
            updates[key] = newer
    return updates
