"""The answer step: a model writes plain words over numbered sentences; its rule quotes the best of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from reasoning.evidence import Claim, Findings, Question, Retrieved, Tools
from reasoning.grounding.gate import fitting
from reasoning.grounding.passages import GivenPassage, number_passages, spans_of
from reasoning.grounding.quotes import candidate_sentences, choose_quotes
from reasoning.grounding.references import read_references
from reasoning.llm import Closed, Step, drop_last

MOST_PARAGRAPHS, MOST_SENTENCES = 4, 16  # one to four short paragraphs


class WrittenSentence(Closed):
    text: str = Field(description="one short sentence in plain words, without any citation mark")
    cites: list[str] = Field(description='numbers of the source sentences it rests on, such as "2.3"')


class Paragraph(Closed):
    sentences: list[WrittenSentence]


class AnswerReply(Closed):
    """The answer as it is written, before verification."""

    sufficient: bool = Field(description="whether the sources answer the question")
    paragraphs: list[Paragraph] = Field(description="one to four; empty where sufficient is false")


@dataclass(frozen=True, slots=True)
class AnswerInputs:
    """`likeness` is that of each sentence and heading to the question, which the rule weighs; `question_en`
    what was searched for, `not_searchable` words of it that the index did not know (case F04)."""

    question: str
    question_en: str
    language: str
    passages: tuple[GivenPassage, ...]
    likeness: Mapping[str, float]
    not_searchable: tuple[str, ...] = ()


def quote_sentences(inputs: AnswerInputs) -> AnswerReply:
    """The rule: two to five verbatim sentences in one paragraph."""
    refs = {span: ref for ref, span in spans_of(inputs.passages).items()}
    candidates = candidate_sentences(inputs.passages)
    chosen = choose_quotes(inputs.question_en, candidates, inputs.likeness)
    written = [WrittenSentence(text=item.text, cites=[refs[item.eid, item.text]]) for item in chosen]
    return AnswerReply(sufficient=bool(written), paragraphs=[Paragraph(sentences=written)] if written else [])


def find_nonsense(inputs: AnswerInputs, reply: AnswerReply) -> str | None:
    """Why a reply cannot be used, in words that help a second try."""
    if not reply.sufficient:
        return None
    written = [sentence for paragraph in reply.paragraphs for sentence in paragraph.sentences]
    if not any(sentence.text.strip() for sentence in written):
        return "sufficient is true, but no sentence was written"
    if len(reply.paragraphs) > MOST_PARAGRAPHS or len(written) > MOST_SENTENCES:
        return f"write at most {MOST_PARAGRAPHS} paragraphs and {MOST_SENTENCES} sentences"
    if not any(read_references(sentence.text, sentence.cites, inputs.passages)[1] for sentence in written):
        return 'give in cites the numbers of source sentences, such as "1.2"'
    return None


# From the end of the ranking, whole; the numbers of the others stay (case F23).
drop_last_passage = drop_last("passages")

ANSWER = Step(
    name="answer",
    prompt="answer.v2",
    reply=AnswerReply,
    rule=quote_sentences,
    check=find_nonsense,
    fewer=drop_last_passage,
)


def claims_of(inputs: AnswerInputs, reply: AnswerReply) -> list[Claim]:
    """Sentences with the verbatim spans they cite; those that cite nothing fail verification."""
    spans = spans_of(inputs.passages)
    claims = []
    for place, paragraph in enumerate(reply.paragraphs, start=1):
        for sentence in paragraph.sentences:
            text, refs = read_references(sentence.text, sentence.cites, inputs.passages)
            if text:
                claims.append(Claim(text, tuple(spans[ref] for ref in refs), paragraph=place))
    return claims


async def write_answer(
    question: Question,
    question_en: str,
    found: Retrieved,
    not_searchable: Sequence[str],
    findings: Findings,
    tools: Tools,
) -> Findings:
    """The findings with an answer drawn from what fits the question, or with the gate closed after all."""
    with tools.trace.span("answer") as span:
        passages = number_passages(fitting(found.evidence))
        texts = list(dict.fromkeys(text for given in passages for text in given.texts))
        likeness = await tools.retrieval.compare(found, texts)
        if likeness is None:
            return replace(findings.lacking("compare_failed", "The encoder failed."), gate="search_failed")
        inputs = AnswerInputs(
            question.text,
            question_en,
            question.language,
            passages,
            dict(zip(texts, likeness, strict=True)),
            tuple(not_searchable),
        )
        result = await tools.llm.run(ANSWER, inputs, tools.budget, tools.trace)
        claims = claims_of(result.inputs, result.value)
        span.note(by=result.by, reason=result.reason, sufficient=result.value.sufficient, claims=len(claims))
    if result.by == "rule" and tools.llm.available:
        findings = findings.lacking("model_failed", result.reason or "")
    if not result.value.sufficient or not claims:
        return replace(findings, gate="off_topic")
    quotes = claims_of(inputs, quote_sentences(inputs)) if result.by == "model" else ()
    return replace(findings, evidence=found.evidence, claims=claims, by=result.by, quotes=quotes)
