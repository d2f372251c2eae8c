"""One query of a chain and its result block (methods.md 2.3 and 2.4): anchor, bridge, or why neither."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reasoning.evidence import Question, Tools
from reasoning.graph import GraphSearch
from reasoning.linking.types import Link
from reasoning.methods.mirage.claims import fold_term
from reasoning.methods.mirage.lexicon import is_generic
from reasoning.methods.mirage.presets import Preset
from storage.graph import FactPath, GraphFact, Outcome

Mode = Literal["anchor", "bridge", "none"]

# What a block says where it has no facts. None of it may be read as "unrelated" (case F22).
NOTES = {
    "over_limit": "The limit of searches is reached. Finish with the facts at hand.",
    "duplicate": "This was searched already, see above.",
    "generic": "Too general. Name a specific concept.",
    "unknown": "The graph has no entry of this name: {names}. This says nothing about the concept.",
    Outcome.NOTHING: "Searched, and no facts within the limits. This does not mean that they are unrelated.",
    Outcome.TIME_OUT: "The search ran out of time. This says nothing about the concepts.",
    Outcome.SAME: "Both names are one concept; its own facts follow.",
}


@dataclass(frozen=True, slots=True)
class Query:
    """One entity (anchor) or two (bridge), by the names that the chain wrote."""

    names: tuple[str, ...]

    @property
    def key(self) -> frozenset[str]:
        return frozenset(fold_term(name) for name in self.names)

    @property
    def text(self) -> str:
        return "||".join(self.names)


@dataclass(frozen=True, slots=True)
class Block:
    """The answer to a query. `cut` counts facts that were left out, by relation; `error` says in a word why
    it is not simply found, `note` says it to the chain."""

    query: Query
    mode: Mode
    facts: tuple[GraphFact, ...] = ()
    paths: tuple[FactPath, ...] = ()
    matches: tuple[Link, ...] = ()
    cut: Mapping[str, int] = field(default_factory=dict)
    error: str | None = None
    note: str = ""

    @property
    def searched(self) -> bool:
        """Whether the graph was asked: a refused query is no search."""
        return self.mode != "none"


@dataclass(frozen=True, slots=True)
class Looking:
    """What all chains of one question look up with."""

    question: Question
    tools: Tools
    graph: GraphSearch
    preset: Preset
    links: Mapping[str, Link]  # of the question's entities, by folded name
    about: tuple[int, ...]  # their ids

    async def look_up(self, query: Query, before: Sequence[Block]) -> Block:
        """The result block of a query, after those of the same chain. Raises StorageError."""
        if sum(block.searched for block in before) >= self.preset.searches:
            return Block(query, "none", error="over_limit", note=NOTES["over_limit"])
        if any(query.key == block.query.key for block in before):
            return Block(query, "none", error="duplicate", note=NOTES["duplicate"])
        if vague := [name for name in query.names if is_generic(name)]:
            return Block(query, "none", error=f"generic: {vague[0]}", note=NOTES["generic"])
        links = [await self.find(name) for name in query.names]
        unknown = [name for name, link in zip(query.names, links, strict=True) if link is None]
        found = tuple(link for link in links if link is not None)
        if unknown:
            note = NOTES["unknown"].format(names=", ".join(unknown))
            return Block(query, "none", matches=found, error="unknown", note=note)
        if len(found) == 1 or set(found[0].ids) & set(found[1].ids):
            return await self._anchor(query, found)
        return await self._bridge(query, found)

    async def find(self, name: str) -> Link | None:
        """The entity of a name: one of the question's, else what links as a whole."""
        if known := self.links.get(fold_term(name)):
            return known
        linker = self.tools.linker
        links = await linker.link(name, self.question.language) if linker else ()
        linked = [link for link in links if link.entity]
        whole = [link for link in linked if fold_term(link.text) == fold_term(name)]
        return whole[0] if whole else None

    async def _anchor(self, query: Query, links: tuple[Link, ...]) -> Block:
        # Likeness is to the whole question: a part that a rule made only names its entities.
        found = await self.graph.anchor(
            links[0].ids,
            self.preset.neighbours,
            about=self.about,
            question=self.question.text if self.preset.rerank else "",
        )
        cut: dict[str, int] = {}
        for group in found.groups:
            if group.cut:
                cut[group.relation] = cut.get(group.relation, 0) + group.cut
        error = None if found.outcome is Outcome.FOUND else found.outcome.value
        if len(links) > 1:
            error = Outcome.SAME.value
        note = NOTES.get(Outcome(error), "") if error else ""
        return Block(query, "anchor", found.facts, (), links, cut, error, note)

    async def _bridge(self, query: Query, links: tuple[Link, ...]) -> Block:
        found = await self.graph.bridge(
            links[0].ids,
            links[1].ids,
            hops=self.preset.hops,
            limit=self.preset.paths,
            about=self.about,
        )
        facts = distinct(fact for path in found.paths for fact in path.facts)
        error = None if found.outcome is Outcome.FOUND else found.outcome.value
        note = NOTES.get(found.outcome, "") if error else ""
        return Block(query, "bridge", facts, found.paths, links, {}, error, note)


def distinct(facts: Iterable[GraphFact]) -> tuple[GraphFact, ...]:
    """Each fact once, at its first place."""
    return tuple({fact.id: fact for fact in facts}.values())
