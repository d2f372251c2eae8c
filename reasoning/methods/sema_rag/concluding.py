"""The arbiter's second call: an option, or plain words, from question and report alone (methods.md 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from reasoning.evidence import Claim
from reasoning.exams.choosing import ChoiceInputs, choose_by_support, find_no_option
from reasoning.llm import Closed, Step, drop_last
from reasoning.methods.sema_rag.presets import PROMPTS
from reasoning.methods.sema_rag.report import Finding, Report
from reasoning.routing import Option

MOST_PARAGRAPHS, MOST_SENTENCES = 3, 10


class Conclusion(Closed):
    """One option, always, even where the report does not settle it: `insufficient` says so."""

    reasoning: str = Field(description="in at most three sentences, what the findings say of the options")
    answer_choice: str = Field(description='the label of one option, such as "B"')
    findings: list[int] = Field(description="numbers of the findings it rests on")
    insufficient: bool = Field(description="whether the report leaves the question open")


class WrittenSentence(Closed):
    text: str = Field(description="one short sentence in plain words, without any citation mark")
    findings: list[int] = Field(description="numbers of the findings it rests on")


class Paragraph(Closed):
    sentences: list[WrittenSentence]


class Wording(Closed):
    """The answer without options, before verification."""

    sufficient: bool = Field(description="whether the findings answer the question")
    paragraphs: list[Paragraph] = Field(description="one to three; empty where sufficient is false")


@dataclass(frozen=True, slots=True)
class ConcludeInputs:
    """`findings` is all that a model sees of the evidence; `weighed` is what its rule goes by."""

    question: str
    language: str
    options: tuple[Option, ...]
    findings: tuple[Finding, ...]
    missing: tuple[str, ...]
    weighed: ChoiceInputs

    @property
    def numbered(self) -> list[str]:
        return number_findings(self.findings)


@dataclass(frozen=True, slots=True)
class WordInputs:
    question: str
    language: str
    findings: tuple[Finding, ...]
    missing: tuple[str, ...]

    @property
    def numbered(self) -> list[str]:
        return number_findings(self.findings)


def number_findings(findings: Sequence[Finding]) -> list[str]:
    """A line a finding, with what it says of the options and how much it counts."""
    lines = []
    for finding in findings:
        stances = [f"{stance} {label}" for label, stance in finding.stances.items() if stance != "neutral"]
        about = "; ".join([*stances, finding.strength, *([str(finding.year)] if finding.year else [])])
        lines.append(f"[{finding.n}] {' '.join(finding.claim.split())} ({about})")
    return lines


def conclude_by_rule(inputs: ConcludeInputs) -> Conclusion:
    """The rule: the option that the sentences bear out best, with the findings that speak for it."""
    chosen = choose_by_support(inputs.weighed)
    report = Report(findings=inputs.findings)
    return Conclusion(
        reasoning=chosen.reasoning,
        answer_choice=chosen.answer_choice,
        findings=[finding.n for finding in report.of(chosen.answer_choice, "supports")],
        insufficient=chosen.insufficient,
    )


def find_nonsense(inputs: ConcludeInputs, reply: Conclusion) -> str | None:
    """Why a conclusion cannot be used, in words that help a second try."""
    if strange := find_no_option(reply.answer_choice, inputs.options):
        return strange
    if not reply.insufficient and not {one.n for one in inputs.findings} & set(reply.findings):
        return "give in findings the numbers of findings it rests on, or set insufficient to true"
    return None


def word_by_rule(inputs: WordInputs) -> Wording:
    """The rule: the findings as their sources say them."""
    written = [WrittenSentence(text=finding.spans[0][1], findings=[finding.n]) for finding in inputs.findings]
    return Wording(sufficient=bool(written), paragraphs=[Paragraph(sentences=written)] if written else [])


def find_nonsense_in_words(inputs: WordInputs, reply: Wording) -> str | None:
    """Why an answer cannot be used, in words that help a second try."""
    if not reply.sufficient:
        return None
    written = [one for paragraph in reply.paragraphs for one in paragraph.sentences if one.text.strip()]
    if not written:
        return "sufficient is true, but no sentence was written"
    if len(reply.paragraphs) > MOST_PARAGRAPHS or len(written) > MOST_SENTENCES:
        return f"write at most {MOST_PARAGRAPHS} paragraphs and {MOST_SENTENCES} sentences"
    known = {finding.n for finding in inputs.findings}
    if not any(known & set(one.findings) for one in written):
        return "give in findings the numbers of the findings that a sentence rests on"
    return None


CONCLUDE = Step(
    "conclude", PROMPTS["conclude"], Conclusion, conclude_by_rule, find_nonsense, drop_last("findings")
)
CONCLUDE_IN_WORDS = Step(
    "conclude_in_words",
    PROMPTS["conclude_in_words"],
    Wording,
    word_by_rule,
    find_nonsense_in_words,
    drop_last("findings"),
)


def claims_of(findings: Sequence[Finding], reply: Wording) -> list[Claim]:
    """Sentences with the spans of their findings; one that names none rests on nothing, and verification
    removes it."""
    spans = {finding.n: finding.spans for finding in findings}
    return [
        Claim(
            sentence.text.strip(),
            tuple(dict.fromkeys(span for n in sentence.findings for span in spans.get(n, ()))),
            paragraph=place,
        )
        for place, paragraph in enumerate(reply.paragraphs, start=1)
        for sentence in paragraph.sentences
        if sentence.text.strip()
    ]
