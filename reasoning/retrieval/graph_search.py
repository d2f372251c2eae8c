"""The graphs of the corpus as a method sees them; neighbours ranked by likeness to what is asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from reasoning.encoders import AsyncEncoder, EncoderError
from reasoning.retrieval.fusion import fuse
from storage.corpus import Corpus
from storage.corpus.graph import Graph
from storage.documents import Article
from storage.graph import Neighbourhood, Neighbours, Paths

WIDER = 3  # times the limit: what likeness may choose from (our choice)


class CorpusGraph:
    """A `GraphSearch` over the stored graphs."""

    def __init__(self, graph: Graph, corpus: Corpus, encoder: AsyncEncoder) -> None:
        self._graph = graph
        self._corpus = corpus
        self._encoder = encoder

    async def anchor(
        self, entities: Sequence[int], limit: int, *, about: Collection[int] = (), question: str = ""
    ) -> Neighbourhood:
        """See `GraphSearch`; where the encoder fails, the graph's own order stands."""
        most = WIDER * limit if question else limit
        found = await self._graph.neighbours(entities, most, about=about)
        names = {
            fact.other(group.entity.id).name
            for group in found.groups
            if len(group.facts) > limit
            for fact in group.facts
        }
        likeness = await self._compare(question, sorted(names)) if names and question else {}
        groups = tuple(_narrow(group, limit, likeness) for group in found.groups)
        return replace(found, groups=groups)

    async def bridge(
        self,
        sources: Sequence[int],
        targets: Sequence[int],
        *,
        hops: int,
        limit: int,
        about: Collection[int] = (),
    ) -> Paths:
        return await self._graph.paths(sources, targets, hops, limit, about=about)

    async def read_sources(self, sources: Collection[str]) -> Mapping[str, Article]:
        return await self._corpus.read_records(sources)

    async def _compare(self, question: str, names: Sequence[str]) -> dict[str, float]:
        try:
            vectors = await self._encoder.encode_sentences([question, *names])
        except EncoderError:
            return {}
        likeness = vectors[1:] @ vectors[0]
        return {name: float(value) for name, value in zip(names, likeness, strict=True)}


def _narrow(group: Neighbours, limit: int, likeness: Mapping[str, float]) -> Neighbours:
    """The graph's order and that by likeness, fused; the graph's alone where there is no likeness."""
    facts = group.facts
    if len(facts) > limit and likeness:
        by_id = {str(fact.id): fact for fact in facts}
        near = sorted(by_id, key=lambda key: -likeness.get(by_id[key].other(group.entity.id).name, 0.0))
        facts = tuple(by_id[key] for key, _ in fuse({"graph": list(by_id), "likeness": near}))
    return replace(group, facts=facts[:limit])
