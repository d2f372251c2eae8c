"""The ways of ranking diseases for a question that `carecite eval graph` compares.

overlap        diseases by how many of the question's entities they are or touch, ties by name
bm25, dense    documents on diseases by the question's words, or by the encoder's likeness
mindmap        one-hop neighbours and paths (`graph_mindmap`)
mirage         the method of the product up to what may be told: decomposer, chains, synthesis, candidates
no_decomposer  the same with the whole question as the one part of one chain
no_synthesis   its chains alone: diseases as the chains found them, the first chain first
neither        one chain, and diseases as it found them

The last four are given the linked entities of the question; the method of the product hands a question with
one entity to literature, and here its graph is asked all the same: `handed_over` counts those.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reasoning.evaluation.graph_mindmap import nearest_names, rank_by_lines
from reasoning.evaluation.graph_set import GraphItem, KnownGraph
from reasoning.evidence import Question, Tools
from reasoning.graph import GraphSearch
from reasoning.linking.types import Link, Linker
from reasoning.llm import Budget, LanguageModel, Limits
from reasoning.methods.mirage import PRODUCT, Preset
from reasoning.methods.mirage.decomposing import Part
from reasoning.methods.mirage.exploring import Explored, distinct_links, explore, look_with
from reasoning.methods.mirage.parting import Parted
from reasoning.retrieval.bm25 import Texts
from reasoning.retrieval.hybrid import HybridRetrieval
from reasoning.trace import Trace
from storage.corpus.graph import Graph
from storage.corpus.graph.naming import fold_entity

if TYPE_CHECKING:
    from reasoning.encoders import Encoder
    from reasoning.encoders.interface import Vectors

BASELINES = ("overlap", "bm25", "dense", "mindmap")
CHAINED = ("mirage", "no_decomposer", "no_synthesis", "neither")
ARMS = (*BASELINES, *CHAINED)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Folded names of diseases, best first; `calls` are those of a model."""

    names: tuple[str, ...]
    calls: int = 0
    seconds: float = 0.0
    by: str = "rule"
    handed_over: bool = False
    explored: Explored | None = None  # with what it was found, of the last four


@dataclass(frozen=True)
class Documents:
    """Diseases by the documents on them; `names` in the order of the texts and of the rows of `vectors`."""

    names: Sequence[str]
    texts: Texts
    vectors: Vectors

    @classmethod
    def of(cls, documents: dict[str, str], encoder: Encoder) -> Documents:
        """Blocking: the texts are embedded."""
        names = sorted(documents)
        texts = [documents[name] for name in names]
        return cls(names, Texts(texts), encoder.encode_sentences(texts))

    def by_words(self, question: str) -> list[str]:
        return self._rank(self.texts.shares(question))

    def by_likeness(self, question: Vectors) -> list[str]:
        return self._rank([float(value) for value in self.vectors @ question])

    def _rank(self, scores: Sequence[float]) -> list[str]:
        order = sorted(range(len(self.names)), key=lambda at: (-scores[at], self.names[at]))
        return [self.names[at] for at in order]


@dataclass(frozen=True)
class Bench:
    """What the arms of one graph work with; `labels` are the graph's names and `vectors` theirs."""

    known: KnownGraph
    graph: Graph
    search: GraphSearch
    linker: Linker
    retrieval: HybridRetrieval
    encode: Callable[[Sequence[str]], Vectors]
    documents: Documents
    labels: Sequence[str]
    vectors: Vectors
    llm: LanguageModel
    limits: Limits
    language: str = "en"
    preset: Preset = PRODUCT

    async def link(self, text: str) -> list[Link]:
        """The entities of a question by the product's linker, each once."""
        return distinct_links(await self.linker.link(text, self.language))

    async def link_given(self, names: Sequence[str]) -> list[Link]:
        """The entities of these names, by equality."""
        written = [self.known.names[name] for name in names if name in self.known.names]
        found = await self.graph.find_names(written)
        matches = [(name, found[name][0]) for name in written if name in found]
        return distinct_links(
            [Link(name, 0, len(name), match.entity, 1.0, 1.0, "alias") for name, match in matches]
        )

    async def rank(self, item: GraphItem, links: Sequence[Link], arms: Sequence[str]) -> dict[str, Ranking]:
        """One question in each of these ways."""
        found = {arm: self._timed(arm, item, links) for arm in arms if arm in BASELINES}
        for whole, bare, decomposed in (
            ("mirage", "no_synthesis", True),
            ("no_decomposer", "neither", False),
        ):
            if whole in arms or bare in arms:
                ranking = await self.chain(item, links, decomposed=decomposed)
                found[whole], found[bare] = ranking, without_synthesis(ranking)
        return {arm: found[arm] for arm in arms}

    async def chain(
        self, item: GraphItem, links: Sequence[Link], preset: Preset | None = None, *, decomposed: bool = True
    ) -> Ranking:
        """The method, up to what may be told; under the preset of this bench unless another is given."""
        preset = preset or self.preset
        if not links:
            return Ranking((), handed_over=True)
        began, budget = time.perf_counter(), Budget(self.limits)
        question = Question(item.text, self.language, offline=True)
        tools = Tools(
            self.retrieval, (), None, self.llm, budget, Trace(), graph=self.search, linker=self.linker
        )
        looking = look_with(question, links, self.search, tools, preset)
        whole = Part("q1", item.text, tuple(link.entity.name for link in links if link.entity))
        explored = await explore(links, looking, None if decomposed else Parted((whole,), ()))
        return Ranking(
            tuple(fold_entity(one.entity.name) for one in explored.candidates),
            budget.spent.calls,
            time.perf_counter() - began,
            "model" if any(chain.by == "model" for chain in explored.chains) else "rule",
            len(links) < 2 or explored.failed or not explored.grounded,
            explored,
        )

    def _timed(self, arm: str, item: GraphItem, links: Sequence[Link]) -> Ranking:
        began = time.perf_counter()
        names = self._rank_simply(arm, item, links)
        return Ranking(tuple(names), seconds=time.perf_counter() - began)

    def _rank_simply(self, arm: str, item: GraphItem, links: Sequence[Link]) -> list[str]:
        if arm == "overlap":
            return self.known.overlap([fold_entity(link.entity.name) for link in links if link.entity])
        if arm == "mindmap":
            mentions = self.encode([link.text for link in links]) if links else self.vectors[:0]
            near = [self.labels[place] for place in nearest_names(mentions, self.vectors)]
            return rank_by_lines(near, self.known)
        if arm == "bm25":
            return self.documents.by_words(item.text)
        return self.documents.by_likeness(self.encode([item.text])[0])


def without_synthesis(ranking: Ranking) -> Ranking:
    """The diseases that the chains' answers rest on, chain after chain."""
    if ranking.explored is None:
        return ranking
    names: dict[str, None] = {}
    for chain in ranking.explored.chains:
        cited = set(chain.cited)
        for fact in chain.facts:
            for end in (fact.head, fact.tail) if fact.id in cited else ():
                if "disease" in end.kinds:
                    names[fold_entity(end.name)] = None
    return replace(ranking, names=tuple(names))
