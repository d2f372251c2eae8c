"""Records of what was found, and which of them may be used (methods.md 1.5, case F12).

Whatever is retracted, or only says that something else is, goes before any text can reach a prompt; also
what turns out so when its record arrives. A superseded article yields to its update where that is at hand.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reasoning.literature import FetchReply, Literature
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
    """Records by key, in good or bad standing; `seconds` are left for what has to be fetched yet."""

    seconds: float
    articles: dict[str, Article] = field(default_factory=dict)
    degraded: list[Remark] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)

    async def gather(self, keys: Sequence[str], doors: Sequence[Literature], trace: Trace) -> None:
        """Fetch what is not known yet, at the corpus first: what is held already costs no request."""
        with trace.span("fetch", keys=len(keys)) as span:
            for door in sorted(doors, key=lambda door: door.door != "corpus"):
                wanted = [key for key in keys if key not in self.articles and key not in self.missing]
                if door.door == "pubmed":
                    wanted = [key for key in wanted if key.isdecimal()]
                if not wanted:
                    continue
                reply = await self._fetch(door, wanted)
                self.articles |= reply.articles
                if reply.state in ("transient", "permanent"):
                    self.degraded.append(Remark(code=f"{door.door}_fetch_failed", detail=reply.reason or ""))
                elif door.door == "pubmed":
                    self.missing |= set(reply.missing)
                span.note(**{door.door: len(reply.articles), "missing": len(reply.missing)})

    async def _fetch(self, door: Literature, keys: Sequence[str]) -> FetchReply:
        if door.door == "corpus":
            return await door.fetch(keys)
        began = time.monotonic()
        try:
            async with asyncio.timeout(self.seconds):
                return await door.fetch(keys)
        except TimeoutError:
            return FetchReply(state="transient", reason="It took too long.")
        finally:
            self.seconds = max(0.0, self.seconds - (time.monotonic() - began))

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
