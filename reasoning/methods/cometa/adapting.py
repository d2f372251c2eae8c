"""Adapt-E: the levels of a question from strict to loose, until enough is found (methods.md 1.3).

A failed search is never an empty one: the next door of the ladder goes on where the first one failed, and
the answer says so. Hits of a query whose subject the index did not know are hits for something else, and are
not used (case F04).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from reasoning.literature import Door, Literature, SearchReply
from reasoning.methods.cometa.presets import Preset
from reasoning.methods.cometa.strategy import Level
from reasoning.trace import Trace
from reasoning.types import Remark
from storage.corpus.terms import terms_of
from storage.query import AllOf, AnyOf, Query, Term, Without

RESCUE = "L4"  # only where nothing else found anything


@dataclass(frozen=True, slots=True)
class LevelHit:
    key: str
    level: str  # L1 to L4


@dataclass(frozen=True, slots=True)
class LevelRun:
    """One search, for the trace and the report; `kept` are the articles that it added."""

    level: Level
    reply: SearchReply
    kept: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()  # subject words that the index did not know: the hits were not used
    seconds: float = 0.0

    def as_json(self) -> dict[str, object]:
        reply = self.reply
        return {
            "level": self.level.name,
            "why": self.level.why,
            "door": reply.door,
            "state": reply.state,
            "query": reply.sent,
            "translation": reply.translation,
            "count": reply.count,
            "clamped": reply.clamped,
            "kept": list(self.kept),
            "lost": list(self.lost),
            "warnings": [*reply.phrases_not_found, *reply.ignored, *reply.warnings],
            "reason": reply.reason,
            "calls": reply.calls,
            "kept_since": reply.kept_since.isoformat() if reply.kept_since else None,
            "ms": round(1000 * self.seconds, 1),
        }


@dataclass(slots=True)
class Adapted:
    """The symbolic stream. `wider` are further articles that the same queries touched, for a pool."""

    hits: list[LevelHit] = field(default_factory=list)
    wider: list[str] = field(default_factory=list)
    runs: list[LevelRun] = field(default_factory=list)
    degraded: list[Remark] = field(default_factory=list)

    @property
    def keys(self) -> list[str]:
        return [hit.key for hit in self.hits]

    @property
    def calls(self) -> int:
        return sum(run.reply.calls for run in self.runs)

    @property
    def lost(self) -> list[str]:
        """Subject words that no level could search for."""
        return list(dict.fromkeys(word for run in self.runs for word in run.lost))

    @property
    def closed(self) -> set[Door]:
        """The doors that failed: they are not tried again for this question."""
        return {run.reply.door for run in self.runs if run.reply.failed}

    @property
    def answered(self) -> list[Door]:
        """The doors that could be searched."""
        return list(dict.fromkeys(run.reply.door for run in self.runs if not run.reply.failed))


async def adapt(
    levels: Sequence[Level],
    doors: Sequence[Literature],
    preset: Preset,
    trace: Trace,
    unwanted: Collection[str] = (),
    before: Adapted | None = None,
) -> Adapted:
    """Run the levels in order at the first door that answers; stop at `n_min` articles.

    `unwanted` are articles that must not be found. What is found is added to `before`, whose searches count.
    """
    found = before or Adapted()
    ladder = list(doors)
    for level in levels:
        if len(found.hits) >= preset.n_min or (found.hits and level.name.startswith(RESCUE)):
            break
        while ladder:
            if ladder[0].door == "pubmed" and _live(found) >= preset.live_searches:
                return found
            run = await _search(level, ladder[0], preset, trace, found, unwanted)
            if not run.reply.failed:
                break
            found.degraded.append(Remark(code=f"{run.reply.door}_failed", detail=run.reply.reason or ""))
            ladder.pop(0)
    return found


def _live(found: Adapted) -> int:
    return sum(run.reply.door == "pubmed" for run in found.runs)


async def _search(
    level: Level,
    door: Literature,
    preset: Preset,
    trace: Trace,
    found: Adapted,
    unwanted: Collection[str],
) -> LevelRun:
    """One level at one door; what it adds goes to `found`."""
    began = time.monotonic()
    with trace.span("search", level=level.name, door=door.door) as span:
        limit = max(preset.per_level, preset.pool_size if "pool" in preset.semantic else 0)
        reply = await door.search(level.query, limit)
        lost = () if reply.failed else lost_words(level.query, reply)
        known = {*found.keys, *unwanted}
        usable = [] if reply.failed or lost else [key for key in reply.keys if key not in known]
        kept = usable[: preset.per_level]
        run = LevelRun(level, reply, tuple(kept), lost, time.monotonic() - began)
        found.runs.append(run)
        found.hits += [LevelHit(key, level.name[:2]) for key in kept]
        found.wider += [key for key in usable[preset.per_level :] if key not in found.wider]
        span.note(**run.as_json())
    return run


def lost_words(query: Query, reply: SearchReply) -> tuple[str, ...]:
    """Dropped words without which a part of the query is about something else; empty where it still holds.

    A concept is lost with all of its forms: a name that the index does not know, beside one that it does, is
    no loss (case F04.4); nor is a heading of that name that does not exist, where its words were searched.
    """
    searched = set(terms_of(reply.translation))
    unknown = {term: word for word in reply.dropped for term in terms_of(word) if term not in searched}
    return tuple(dict.fromkeys(unknown[term] for term in _lost(query, unknown.keys())))


def _lost(query: Query, unknown: Iterable[str]) -> list[str]:
    """Unknown terms that the query cannot do without."""
    if isinstance(query, Term):
        return [term for term in terms_of(query.text) if term in unknown]
    if isinstance(query, AllOf):
        return [term for part in query.parts for term in _lost(part, unknown)]
    if isinstance(query, AnyOf):
        parts = [_lost(part, unknown) for part in query.parts]
        return [term for part in parts for term in part] if all(parts) else []
    if isinstance(query, Without):
        return _lost(query.base, unknown)
    return []
