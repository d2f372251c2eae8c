"""The graphs of the corpus as a method sees them; neighbours ranked by likeness to what is asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from reasoning.encoders import AsyncEncoder, EncoderError
from reasoning.retrieval.fusion import fuse
from storage.corpus import Corpus
from storage.corpus.dense import QueryVector
from storage.corpus.graph import Graph
from storage.corpus.graph.graph import DEADLINE
from storage.documents import Article
from storage.graph import Neighbourhood, Neighbours, Paths, Weight

WIDEST = 300  # facts of a relation that likeness may choose from (our choice)


class CorpusGraph:
    """A `GraphSearch` over the stored graphs; a look-up ends after `deadline` seconds."""

    def __init__(
        self, graph: Graph, corpus: Corpus, encoder: AsyncEncoder, *, deadline: float = DEADLINE
    ) -> None:
        self._deadline = deadline
        self._graph = graph
        self._corpus = corpus
        self._encoder = encoder

    async def anchor(
        self, entities: Sequence[int], limit: int, *, about: Collection[int] = (), question: str = ""
    ) -> Neighbourhood:
        """See `GraphSearch`; where the encoder fails, the graph's own order stands."""
        most = WIDEST if question else limit
        found = await self._graph.neighbours(entities, most, about=about, deadline=self._deadline)
        ends = {
            fact.other(group.entity.id).id
            for group in found.groups
            if len(group.facts) > limit
            for fact in group.facts
        }
        others = set(about) - set(entities)
        weights = await self.weigh(ends, about=others, question=question) if ends and question else {}
        return replace(found, groups=tuple(_narrow(group, limit, weights) for group in found.groups))

    async def bridge(
        self,
        sources: Sequence[int],
        targets: Sequence[int],
        *,
        hops: int,
        limit: int,
        about: Collection[int] = (),
    ) -> Paths:
        return await self._graph.paths(sources, targets, hops, limit, about=about, deadline=self._deadline)

    async def read_sources(self, sources: Collection[str]) -> Mapping[str, Article]:
        return await self._corpus.read_records(sources)

    async def weigh(
        self, entities: Collection[int], *, about: Collection[int] = (), question: str = ""
    ) -> Mapping[int, Weight]:
        """See `GraphSearch`; without likeness where the encoder fails."""
        vector = await self._embed(question) if question else None
        return await self._graph.weigh(entities, about=about, vector=vector, deadline=self._deadline)

    async def _embed(self, question: str) -> QueryVector | None:
        """None where the encoder fails."""
        try:
            return (await self._encoder.encode_query(question)).vector
        except EncoderError:
            return None


def _narrow(group: Neighbours, limit: int, weights: Mapping[int, Weight]) -> Neighbours:
    """By what it touches first, as the graph has it. Then diseases by their signs; other names by the graph's
    order and that by likeness, fused; the graph's order alone where nothing has a likeness."""
    facts = group.facts
    if len(facts) <= limit:
        return group
    weight = {fact.id: weights.get(fact.other(group.entity.id).id, Weight()) for fact in facts}
    if any(one.signs is not None for one in weight.values()):
        ranked = sorted(facts, key=lambda fact: (-weight[fact.id].touch, -(weight[fact.id].signs or 0.0)))
        return replace(group, facts=tuple(ranked[:limit]))
    if any(one.likeness is not None for one in weight.values()):
        by_id = {str(fact.id): fact for fact in facts}
        near = sorted(by_id, key=lambda key: -(weight[int(key)].likeness or 0.0))
        facts = tuple(by_id[key] for key, _ in fuse({"graph": list(by_id), "likeness": near}))
    return replace(group, facts=facts[:limit])
