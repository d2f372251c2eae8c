"""CHSDR: the symbolic and the semantic stream at once, fused on one key (methods.md 1.4, case F06).

Fusion by ranks gives a weak stream as many votes as a good one, and forgets by how much the first is ahead
of the second: on lay stories and on plain questions alike it is worse than the semantic stream alone. The
product's preset adds up what the streams score, and a symbolic hit counts as a small bonus.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from reasoning.evidence import Question, Ranking, Tools
from reasoning.methods.cometa.adapting import Adapted
from reasoning.methods.cometa.presets import Backend, Preset
from reasoning.methods.cometa.records import Records
from reasoning.methods.cometa.symbolic import search_symbolic
from reasoning.retrieval.fusion import fuse, order_by_scores
from reasoning.retrieval.streams import both
from reasoning.rewriting import Rewritten
from reasoning.types import Remark

Label = Literal["symbolic", "semantic", "both"]
_BY_QUESTION: tuple[Backend, ...] = ("global", "pool")
_FADING = 5  # places down a level at which a hit's vote is half of the first one's
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
    rewritten: Rewritten, question: Question, records: Records, tools: Tools, preset: Preset
) -> FoundStreams:
    """Both streams at once; one that fails leaves the other as it is, and is named."""
    (symbolic, pool), whole = await both(
        _search_symbolic(rewritten, question, records, tools, preset),
        _rank_corpus(rewritten, question, tools, preset),
    )
    return FoundStreams(symbolic, whole if pool is None else {**whole, "pool": pool})


async def _search_symbolic(
    rewritten: Rewritten, question: Question, records: Records, tools: Tools, preset: Preset
) -> tuple[Adapted, Ranking | None]:
    """Adapt-E, and the ranking by vectors of all that its queries touched at PubMed."""
    found = await search_symbolic(rewritten, tools.literature, preset, tools.trace, question.filters.without)
    touched = [*found.keys, *found.wider][: preset.pool_size]
    if "pool" not in preset.semantic or "pubmed" not in found.answered or not touched:
        return found, None  # the corpus itself is ranked whole: a pool of it would add nothing
    await records.gather(
        touched, [door for door in tools.literature if door.door not in found.closed], tools.trace
    )
    usable = [key for key in touched if key in records.articles and records.articles[key].standing.citable]
    return found, await _rank(question, tools, preset, within=usable)


async def _rank_corpus(
    rewritten: Rewritten, question: Question, tools: Tools, preset: Preset
) -> dict[Backend, Ranking]:
    """The whole corpus, by the question and by its concepts: a story told in lay words is mostly about other
    things."""
    concepts = "; ".join(concept.name for concept in rewritten.value.concepts)
    texts: dict[Backend, str] = {"global": question.text, "concepts": concepts}
    asked = {name: text for name, text in texts.items() if name in preset.semantic and text}
    ranked = await asyncio.gather(
        *(_rank(replace(question, text=text), tools, preset) for text in asked.values())
    )
    return dict(zip(asked, ranked, strict=True))


async def _rank(
    question: Question, tools: Tools, preset: Preset, within: Sequence[str] | None = None
) -> Ranking:
    return await tools.retrieval.rank_articles(
        question, preset.stream_depth, tools.trace, within=within, lexical_weight=preset.lexical_weight
    )


def fuse_documents(
    found: FoundStreams, preset: Preset, newness: Newness = lambda _: (0, 0, 0)
) -> list[Document]:
    """The fused list, best first, ties by the better symbolic rank, then the newer article."""
    levels = {hit.key: hit.level for hit in found.symbolic.hits}
    streams = {"symbolic": list(levels)}  # first: it decides ties
    for backend, ranking in found.semantic.items():
        streams[backend] = list(ranking.keys[: preset.stream_depth])
    if preset.fusion == "scores":
        fused = order_by_scores(_score(found, preset), streams["symbolic"], newness)
    else:
        weights: dict[str, float] = {backend: preset.semantic[backend] for backend in found.semantic}
        fused = fuse(streams, k=preset.rrf_k, weights=weights, newness=newness)
    ranks = {name: {key: n for n, key in enumerate(keys, start=1)} for name, keys in streams.items()}
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


def _score(found: FoundStreams, preset: Preset) -> dict[str, float]:
    """What the streams say together. An article that a ranking lacks counts as its last one; corpus and pool
    are ranked by the same question, so that the better of both counts."""
    keys = dict.fromkeys(
        [*found.symbolic.keys, *(key for one in found.semantic.values() for key in one.keys)]
    )
    scores = dict.fromkeys(keys, 0.0)
    asked = [found.semantic[name] for name in _BY_QUESTION if name in found.semantic]
    others = [name for name in found.semantic if name not in _BY_QUESTION]
    groups = [(1.0, asked), *((preset.semantic[name], [found.semantic[name]]) for name in others)]
    for weight, rankings in groups:
        pairs = [pair for one in rankings for pair in zip(one.keys, one.scores, strict=True)]
        best: dict[str, float] = {}
        for key, score in pairs:
            best[key] = max(score, best.get(key, score))
        least = min(best.values(), default=0.0)
        for key in scores:
            scores[key] += weight * best.get(key, least)
    places: Counter[str] = Counter()
    for hit in found.symbolic.hits:
        scores[hit.key] += preset.votes[hit.level] * _FADING / (_FADING + places[hit.level])
        places[hit.level] += 1
    return scores


def _label(symbolic: bool, semantic: bool) -> Label:
    return "both" if symbolic and semantic else "symbolic" if symbolic else "semantic"
