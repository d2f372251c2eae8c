"""What the graph says to a question: parts, chains, synthesis, and what of it may be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reasoning.evidence import Question, Tools
from reasoning.graph import GraphSearch
from reasoning.linking.types import Link
from reasoning.methods.mirage.candidates import Candidate, find_candidates
from reasoning.methods.mirage.claims import fold_term
from reasoning.methods.mirage.coordinator import run_chains
from reasoning.methods.mirage.looking import Looking
from reasoning.methods.mirage.parting import Parted, part_question
from reasoning.methods.mirage.presets import Preset
from reasoning.methods.mirage.statements import Statement, build_statements
from reasoning.methods.mirage.synthesis import Synthesis, synthesise
from reasoning.methods.mirage.workspace import Chain


@dataclass(frozen=True, slots=True)
class Explored:
    """`synthesis` has nothing in it where all chains failed."""

    looking: Looking
    parted: Parted
    chains: Sequence[Chain]
    synthesis: Synthesis
    statements: tuple[Statement, ...] = ()
    candidates: Sequence[Candidate] = ()

    @property
    def grounded(self) -> bool:
        """Whether something that may be told ties entities of the question together."""
        return any(statement.joins for statement in self.statements)

    @property
    def failed(self) -> bool:
        return all(chain.status == "failed" for chain in self.chains)


def look_with(
    question: Question, links: Sequence[Link], graph: GraphSearch, tools: Tools, preset: Preset
) -> Looking:
    """What the chains of a question look up with; `links` are distinct entities."""
    about = tuple(each for link in links for each in link.ids)
    return Looking(question, tools, graph, preset, _by_name(links), about)


async def explore(links: Sequence[Link], looking: Looking, parted: Parted | None = None) -> Explored:
    """At least one entity, distinct ones. The parts are the decomposer's, unless others are given (methods.md
    2.9 measures without it). Raises StorageError."""
    question, tools = looking.question, looking.tools
    parted = parted or await part_question(question, links, looking)
    chains = await run_chains(parted.parts, looking, tools)
    synthesis = await synthesise(question, links, chains, tools)
    statements = build_statements(synthesis, question.text, question.language, looking.preset)
    candidates = await find_candidates(synthesis, links, looking)
    return Explored(looking, parted, chains, synthesis, statements, candidates)


def distinct_links(mentions: Sequence[Link]) -> list[Link]:
    """The mentions that link, each entity once."""
    return list({link.entity.id: link for link in reversed(mentions) if link.entity}.values())[::-1]


def _by_name(links: Sequence[Link]) -> dict[str, Link]:
    """By the words of the question and by the entity's own name."""
    named = {fold_term(link.text): link for link in links}
    return named | {fold_term(link.entity.name): link for link in links if link.entity}
