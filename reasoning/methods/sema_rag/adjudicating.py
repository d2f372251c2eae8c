"""The arbiter's first call: the evidence set as a report R (methods.md 3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from reasoning.exams.choosing import read_choice
from reasoning.grounding.passages import GivenPassage, spans_of
from reasoning.grounding.references import read_references
from reasoning.llm import Closed, Step, drop_last
from reasoning.methods.sema_rag.presets import PROMPTS
from reasoning.methods.sema_rag.report import Conflict, Finding, Reason, Report, Stance, Strength
from reasoning.methods.sema_rag.ruling import year_of
from reasoning.routing import Option

MOST_FINDINGS = 20


class WrittenFinding(Closed):
    claim: str = Field(description="one sentence: what the sources say")
    cites: list[str] = Field(description='numbers of the source sentences that say it, such as "2.3"')
    supports: list[str] = Field(description="labels of the options that it speaks for; often none")
    refutes: list[str] = Field(description="labels of the options that it speaks against; often none")
    strength: Strength


class WrittenConflict(Closed):
    first: int = Field(description="number of a finding, from 1")
    second: int = Field(description="number of the finding that it cannot hold beside")
    resolution: Literal["first", "second", "open"]
    why: str


class WrittenDrop(Closed):
    source: int = Field(description="number of a source")
    reason: Literal["duplicate", "off_topic", "superseded"]


class Adjudication(Closed):
    """R as a model writes it: the spans are told by number, so that each quote is one."""

    summary: str = Field(description="one or two sentences")
    findings: list[WrittenFinding]
    conflicts: list[WrittenConflict]
    dropped: list[WrittenDrop]
    missing: list[str] = Field(description="what the sources leave open")
    verdict_hint: str = Field(description="label of the option that the findings favour; empty for none")


@dataclass(frozen=True, slots=True)
class AdjudicateInputs:
    """`ruled` is the rule's report and no part of the prompt."""

    question: str
    options: tuple[Option, ...]
    passages: tuple[GivenPassage, ...]
    ruled: Report


def adjudicate_by_rule(inputs: AdjudicateInputs) -> Adjudication:
    """The rule's report, as a model would have written it."""
    refs = {span: ref for ref, span in spans_of(inputs.passages).items()}
    sources = {given.evidence.eid: given.n for given in inputs.passages}
    numbers = {finding.n: at for at, finding in enumerate(inputs.ruled.findings, start=1)}
    return Adjudication(
        summary=inputs.ruled.summary,
        findings=[
            WrittenFinding(
                claim=one.claim,
                cites=[refs[span] for span in one.spans if span in refs],
                supports=[label for label, stance in one.stances.items() if stance == "supports"],
                refutes=[label for label, stance in one.stances.items() if stance == "refutes"],
                strength=one.strength,
            )
            for one in inputs.ruled.findings
        ],
        conflicts=[
            WrittenConflict(
                first=numbers[one.first],
                second=numbers[one.second],
                resolution="open"
                if one.resolution is None
                else "first"
                if one.resolution == one.first
                else "second",
                why=one.why,
            )
            for one in inputs.ruled.conflicts
        ],
        dropped=[
            WrittenDrop(source=sources[eid], reason=reason)
            for eid, reason in inputs.ruled.dropped
            if eid in sources and reason != "retracted"
        ],
        missing=list(inputs.ruled.missing),
        verdict_hint=inputs.ruled.hint or "",
    )


def find_nonsense(inputs: AdjudicateInputs, reply: Adjudication) -> str | None:
    """Why a report cannot be used, in words that help a second try."""
    if len(reply.findings) > MOST_FINDINGS:
        return f"write at most {MOST_FINDINGS} findings"
    if not reply.findings and not reply.missing:
        return "write findings, or say in missing what the sources leave open"
    cited = (read_references("", one.cites, inputs.passages)[1] for one in reply.findings)
    if reply.findings and not any(cited):
        return 'give in cites the numbers of source sentences, such as "1.2"'
    return None


ADJUDICATE = Step(
    "adjudicate",
    PROMPTS["adjudicate"],
    Adjudication,
    adjudicate_by_rule,
    find_nonsense,
    drop_last("passages"),
)


def read_report(inputs: AdjudicateInputs, reply: Adjudication) -> Report:
    """The reply with numbers in place of its references; what cannot be resolved is refused later."""
    spans = spans_of(inputs.passages)
    articles = {given.evidence.eid: given.evidence.source.article for given in inputs.passages}
    findings = []
    for n, written in enumerate(reply.findings, start=1):
        claim, refs = read_references(written.claim, written.cites, inputs.passages)
        rests_on = tuple(spans[ref] for ref in refs)
        findings.append(
            Finding(
                n,
                claim,
                rests_on,
                _stances(written, inputs.options),
                written.strength,
                year_of([articles[eid] for eid, _ in rests_on]),
            )
        )
    by_number = {given.n: given.evidence.eid for given in inputs.passages}
    dropped: list[tuple[str, Reason]] = [
        (by_number[one.source], one.reason) for one in reply.dropped if one.source in by_number
    ]
    dropped += [pair for pair in inputs.ruled.dropped if pair[1] == "retracted"]
    chosen = {"first": 1, "second": 2, "open": 0}
    return Report(
        reply.summary,
        tuple(findings),
        tuple(
            Conflict(
                one.first,
                one.second,
                (None, one.first, one.second)[chosen[one.resolution]],
                one.why,
            )
            for one in reply.conflicts
        ),
        tuple(dropped),
        tuple(text for text in reply.missing if text.strip()),
        _label(reply.verdict_hint, inputs.options),
    )


def _stances(written: WrittenFinding, options: tuple[Option, ...]) -> dict[str, Stance]:
    """One stance for each option; what is said to do both does neither."""
    supports = {_label(text, options) for text in written.supports}
    refutes = {_label(text, options) for text in written.refutes}
    stances: dict[str, Stance] = {}
    for option in options:
        pro, con = option.label in supports, option.label in refutes
        stances[option.label] = "neutral" if pro == con else "supports" if pro else "refutes"
    return stances


def _label(written: str, options: tuple[Option, ...]) -> str | None:
    option = read_choice(written, options) if written.strip() else None
    return option.label if option else None
