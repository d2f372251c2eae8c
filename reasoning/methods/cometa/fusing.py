"""CHSDR: the symbolic and the semantic stream at once, fused on one key (methods.md 1.4, case F06).

Plain fusion gives a hit of the loosest level as many votes as one of the strictest, and a whole weak stream
as many as a good one. The product's preset weighs them: a level is a stream of its own with its own votes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reasoning.evidence import Question, Ranking, Tools
from reasoning.literature import Literature
from reasoning.methods.cometa.adapting import Adapted, adapt
from reasoning.methods.cometa.presets import Backend, Preset
from reasoning.methods.cometa.records import Records
from reasoning.methods.cometa.strategy import Level
from reasoning.retrieval.fusion import fuse
from reasoning.retrieval.streams import both
from reasoning.types import Remark

Label = Literal["symbolic", "semantic", "both"]
Newness = Callable[[str], tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class FoundStreams:
    """What both streams found; a ranking of the pool is never reported as one of the whole corpus."""

    symbolic: Adapted
    semantic: Mapping[Backend, Ranking] = field(default_factory=dict)

    @property
    def degraded(self) -> list[Remark]:
        rankings = self.semantic.values()
        return [*self.symbolic.degraded, *(remark for one in rankings for remark in one.degraded)]

    @property
    def warnings(self) -> list[Remark]:
        return [remark for one in self.semantic.values() for remark in one.warnings]


@dataclass(frozen=True, slots=True)
class Document:
    """One article of the fused list, with what found it: the level, and ranks by stream from 1."""

    key: str
    score: float
    label: Label
    level: str | None
    ranks: Mapping[str, int]

    def as_json(self) -> dict[str, object]:
        return {"key": self.key, "label": self.label, "level": self.level, "ranks": dict(self.ranks)}


async def search_both(
    question: Question,
    levels: Sequence[Level],
    doors: Sequence[Literature],
    records: Records,
    tools: Tools,
    preset: Preset,
) -> FoundStreams:
    """Both streams at once; one that fails leaves the other as it is, and is named."""
    (symbolic, pool), whole = await both(
        _search_symbolic(question, levels, doors, records, tools, preset),
        _rank_corpus(question, tools, preset),
    )
    rankings: dict[Backend, Ranking | None] = {"global": whole, "pool": pool}
    return FoundStreams(symbolic, {name: one for name, one in rankings.items() if one is not None})


async def _search_symbolic(
    question: Question,
    levels: Sequence[Level],
    doors: Sequence[Literature],
    records: Records,
    tools: Tools,
    preset: Preset,
) -> tuple[Adapted, Ranking | None]:
    """Adapt-E, and the ranking by vectors of all that its queries touched at PubMed."""
    found = await adapt(levels, doors, preset, tools.trace, question.filters.without)
    touched = [*found.keys, *found.wider][: preset.pool_size]
    if "pool" not in preset.semantic or "pubmed" not in found.answered or not touched:
        return found, None  # the corpus itself is ranked whole: a pool of it would add nothing
    await records.gather(touched, doors, tools.trace)
    usable = [key for key in touched if key in records.articles and records.articles[key].standing.citable]
    ranking = await tools.retrieval.rank_articles(
        question, preset.stream_depth, tools.trace, within=usable, lexical_weight=preset.lexical_weight
    )
    return found, ranking


async def _rank_corpus(question: Question, tools: Tools, preset: Preset) -> Ranking | None:
    if "global" not in preset.semantic:
        return None
    return await tools.retrieval.rank_articles(
        question, preset.stream_depth, tools.trace, lexical_weight=preset.lexical_weight
    )


def fuse_documents(
    found: FoundStreams, preset: Preset, newness: Newness = lambda _: (0, 0, 0)
) -> list[Document]:
    """The fused list, best first, ties by the better symbolic rank, then the newer article."""
    hits = found.symbolic.hits
    levels = {hit.key: hit.level for hit in hits}
    streams: dict[str, list[str]] = {}
    votes = set(preset.votes.values())
    for hit in hits:  # a stream a level, unless all votes are equal: then one list, as the paper has it
        streams.setdefault("symbolic" if len(votes) == 1 else hit.level, []).append(hit.key)
    weights = dict(preset.votes)
    for backend, ranking in found.semantic.items():
        streams[backend] = list(ranking.keys[: preset.stream_depth])
        weights[backend] = preset.semantic_votes
    ranks = {name: {key: n for n, key in enumerate(keys, start=1)} for name, keys in streams.items()}
    fused = fuse(streams, k=preset.rrf_k, weights=weights, newness=newness)
    return [
        Document(
            key,
            score,
            _label(key in levels, any(key in ranks[name] for name in found.semantic)),
            levels.get(key),
            {name: places[key] for name, places in ranks.items() if key in places},
        )
        for key, score in fused
    ]


def _label(symbolic: bool, semantic: bool) -> Label:
    return "both" if symbolic and semantic else "symbolic" if symbolic else "semantic"
