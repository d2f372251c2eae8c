"""MIRAGE, top-down (methods.md 2, figure): a question over several entities, answered from a typed graph.

question -> link -> decomposer -> chains side by side (anchor, bridge) -> synthesis -> literature -> answer
                                                       no ground in the graph -> hand-over to literature
"""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.evidence import Evidence, Findings, HandOver, Method, Question, Tools
from reasoning.methods.mirage.corroborating import Literature, corroborate
from reasoning.methods.mirage.exploring import Explored, distinct_links, explore, look_with
from reasoning.methods.mirage.paths import as_evidence
from reasoning.methods.mirage.presets import PRODUCT, Preset
from reasoning.methods.mirage.reporting import (
    report_asked,
    report_chain,
    report_links,
    report_parts,
    report_preset,
    report_synthesis,
)
from reasoning.methods.mirage.statements import Statement
from reasoning.methods.mirage.synthesis import Synthesis
from reasoning.methods.mirage.workspace import Chain
from reasoning.methods.mirage.writing import WRITE, WriteInputs, claims_of, tell_statements
from reasoning.types import Rejected, Remark
from storage.errors import StorageError
from storage.graph import Outcome

LITERATURE = "literature"


def answer_with(preset: Preset) -> Method:
    """The method under these parameters."""

    async def answer_from_graph(question: Question, tools: Tools) -> Findings | HandOver:
        try:
            return await _answer(question, tools, preset)
        except StorageError as error:
            return HandOver(LITERATURE, f"the graph cannot be read ({type(error).__name__})", failed=True)

    return answer_from_graph


answer_from_graph = answer_with(PRODUCT)


async def _answer(question: Question, tools: Tools, preset: Preset) -> Findings | HandOver:
    if tools.graph is None or tools.linker is None:
        return HandOver(LITERATURE, "there is no graph")
    with tools.trace.span("link") as span:
        mentions = await tools.linker.link(question.text, question.language)
        links = distinct_links(mentions)
        span.note(matches=report_links(mentions), **report_preset(preset))
    if len(links) < 2:
        named = links[0].entity.name if links and links[0].entity else None
        return HandOver(LITERATURE, f"only one entity links ({named})" if named else "nothing links")
    explored = await explore(links, look_with(question, links, tools.graph, tools, preset))
    parted, chains = explored.parted, explored.chains
    if explored.failed:
        return HandOver(LITERATURE, f"all chains failed ({chains[0].reason})", failed=True)
    if not explored.grounded:
        if any(block.error == Outcome.TIME_OUT for chain in chains for block in chain.blocks):
            return HandOver(LITERATURE, "the graph's searches ran out of time", failed=True)
        return HandOver(LITERATURE, _say_no_path(explored.synthesis, preset))
    report = report_preset(preset) | {"links": report_links(mentions), "asked": report_asked(links)}
    report |= report_parts(parted.parts, parted.rejected) | {"chains": [report_chain(one) for one in chains]}
    return await _write(explored, report)


async def _write(explored: Explored, report: dict[str, object]) -> Findings:
    """The statements corroborated, worded, and tied to their facts."""
    looking, synthesis, statements = explored.looking, explored.synthesis, explored.statements
    question, tools, preset = looking.question, looking.tools, looking.preset
    articles = await looking.graph.read_sources(
        {source for one in statements for fact in one.facts for source in fact.sources}
    )
    paths = [as_evidence(one, articles, question.language) for one in statements]
    literature = (
        await corroborate(question, statements, tools) if preset.corroborated else _nothing(statements)
    )
    inputs = WriteInputs(question.text, question.language, statements)
    with tools.trace.span("answer") as span:
        written = await tools.llm.run(WRITE, inputs, tools.budget, tools.trace)
        claims = claims_of(inputs, written.value, paths, literature)
        span.note(by=written.by, reason=written.reason, claims=len(claims))
    quotes = claims_of(inputs, tell_statements(inputs), paths, literature) if written.by == "model" else ()
    eids = [one.eid for one in paths]
    report |= report_synthesis(synthesis, statements, claims, eids, explored.candidates)
    report["corroborated"] = list(literature.corroborated)
    evidence: list[Evidence] = [*paths, *literature.evidence]
    lost = written.by == "rule" and tools.llm.available
    return Findings(
        "found",
        evidence=evidence,
        claims=claims,
        by=written.by,
        quotes=quotes,
        report=report,
        rejected=[
            Rejected(claim=one.claim.words, reason=one.reason) for one in synthesis.resolution.rejected
        ],
        warnings=_warn(explored.chains),
        degraded=[
            *([Remark(code="model_failed", detail=written.reason or "")] if lost else []),
            *(remark for remark in _warn(explored.chains) if remark.code == "chain_failed"),
        ],
    )


def _say_no_path(synthesis: Synthesis, preset: Preset) -> str:
    """What was not found, which is not that nothing is there (case F22)."""
    nearest = min((path.hops for path in synthesis.paths), default=None)
    far = f"; the nearest one has {nearest}" if nearest else f" (searched up to {preset.hops})"
    return f"no path of at most {preset.told_hops} facts that may be told joins the entities{far}"


def _warn(chains: Sequence[Chain]) -> list[Remark]:
    """Each chain that failed or had to be ended, by name (methods.md 2.7)."""
    codes = {"failed": "chain_failed", "completed": "chain_ended"}
    return [
        Remark(code=codes[chain.status], detail=f"{chain.id} ({chain.part}): {chain.reason}")
        for chain in chains
        if chain.reason
    ]


def _nothing(statements: Sequence[Statement]) -> Literature:
    return Literature(((),) * len(statements), ((),) * len(statements), (), ())
