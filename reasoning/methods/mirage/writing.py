"""The answer from kept claims only (methods.md 2.6, step 6): worded by a model, or told by the rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from reasoning.evidence import Claim, Evidence
from reasoning.llm import Closed, Step
from reasoning.methods.mirage.corroborating import Literature
from reasoning.methods.mirage.statements import Statement

MOST_PARAGRAPHS, MOST_SENTENCES = 2, 10


class WrittenSentence(Closed):
    text: str = Field(description="one short sentence in plain words, without any citation mark")
    statements: list[int] = Field(description="numbers of the statements it rests on")


class Paragraph(Closed):
    sentences: list[WrittenSentence]


class WrittenAnswer(Closed):
    paragraphs: list[Paragraph] = Field(description="one or two")


@dataclass(frozen=True, slots=True)
class WriteInputs:
    """`statements` is all that may be said, numbered from 1."""

    question: str
    language: str
    statements: tuple[Statement, ...]


def tell_statements(inputs: WriteInputs) -> WrittenAnswer:
    """The rule: the statements as they are; what ties the question together first, the rest apart."""
    numbered = list(enumerate(inputs.statements, start=1))
    parts = [[pair for pair in numbered if pair[1].joins], [pair for pair in numbered if not pair[1].joins]]
    return WrittenAnswer(
        paragraphs=[
            Paragraph(sentences=[WrittenSentence(text=one.text, statements=[n]) for n, one in part])
            for part in parts
            if part
        ]
    )


def find_nonsense(inputs: WriteInputs, reply: WrittenAnswer) -> str | None:
    """Why an answer cannot be used, in words that help a second try."""
    written = [one for paragraph in reply.paragraphs for one in paragraph.sentences if one.text.strip()]
    if not written:
        return "write at least one sentence"
    if len(reply.paragraphs) > MOST_PARAGRAPHS or len(written) > MOST_SENTENCES:
        return f"write at most {MOST_PARAGRAPHS} paragraphs and {MOST_SENTENCES} sentences"
    numbers = range(1, len(inputs.statements) + 1)
    if not any(n in numbers for one in written for n in one.statements):
        return "give in statements the numbers of the statements that a sentence rests on"
    return None


WRITE = Step("synthesise", "synthesise.v1", WrittenAnswer, tell_statements, find_nonsense)


def claims_of(
    inputs: WriteInputs, reply: WrittenAnswer, paths: Sequence[Evidence], literature: Literature
) -> list[Claim]:
    """Sentences with what they rest on: the path of each statement, and beside it what literature says.

    A sentence that names no statement rests on nothing, and verification removes it. Where literature says
    otherwise, its words follow the sentence, and the answer states the conflict.
    """
    claims: list[Claim] = []
    for place, paragraph in enumerate(reply.paragraphs, start=1):
        for sentence in paragraph.sentences:
            if not sentence.text.strip():
                continue
            rests_on = [n - 1 for n in sentence.statements if 1 <= n <= len(paths)]
            support = [(paths[at].eid, paths[at].text) for at in rests_on]
            support += [quote for at in rests_on for quote in literature.support[at]]
            claims.append(Claim(sentence.text.strip(), tuple(dict.fromkeys(support)), paragraph=place))
            for quote in dict.fromkeys(quote for at in rests_on for quote in literature.against[at]):
                claims.append(Claim(quote[1], (quote,), paragraph=place))
    return claims
