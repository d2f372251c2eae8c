"""fixed3: three rounds whatever was found, as in i-MedRAG, which SEMA-RAG compares with (methods.md 3.7).

question -> 3 times: 3 queries, each answered from a retrieval of its own -> the choice from these answers

Only questions and answers are carried from round to round. A list of queries is read by its schema and never
evaluated; the one who asks does not see the options.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from reasoning.encoders import EncoderError
from reasoning.evaluation.exam import Attempt
from reasoning.evaluation.exam_ways import Reasoned, Way, guess_reasoned, ungated, weigh
from reasoning.evidence import Evidence, Question, Tools
from reasoning.exams.choosing import ChoiceInputs, find_no_option
from reasoning.exams.stems import asked_sentence
from reasoning.grounding.answering import ANSWER, AnswerInputs, claims_of
from reasoning.grounding.passages import number_passages
from reasoning.llm import Closed, Step, drop_last
from reasoning.methods.sema_rag.guarding import names_option
from reasoning.methods.sema_rag.interpreting import InterpretInputs, interpret_by_rule
from reasoning.rewriting.asking import read_inputs
from reasoning.routing import Option

ROUNDS, QUERIES = 3, 3
UNANSWERED = "The sources do not say."


class Queries(Closed):
    """What is asked in one round."""

    queries: list[str] = Field(description="short questions in English, each to be searched for by itself")


@dataclass(frozen=True, slots=True)
class Pair:
    """A query with the answer from its own retrieval, which rests on `spans`: (eid, sentence)."""

    query: str
    answer: str
    spans: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class AskInputs:
    """`candidates` are the rule's queries, in order, and no part of the prompt."""

    question: str
    most: int
    pairs: tuple[Pair, ...]
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CarriedInputs:
    """`weighed` is the rule's: the sentences that the answers rest on, and no other."""

    question: str
    options: tuple[Option, ...]
    pairs: tuple[Pair, ...]
    weighed: ChoiceInputs


def ask_by_rule(inputs: AskInputs) -> Queries:
    """The next of the candidates that were not asked; fewer, or none, where they are used up."""
    asked = {pair.query for pair in inputs.pairs}
    return Queries(queries=[text for text in inputs.candidates if text not in asked][: inputs.most])


def _find_no_query(inputs: AskInputs, reply: Queries) -> str | None:
    if not any(any(map(str.isalpha, query)) for query in reply.queries):
        return f"write {inputs.most} queries"
    return None


def _choose_by_rule(inputs: CarriedInputs) -> Reasoned:
    return guess_reasoned(inputs.weighed)


def _find_no_choice(inputs: CarriedInputs, reply: Reasoned) -> str | None:
    return find_no_option(reply.answer_choice, inputs.options)


ASK = Step("exam_ask", "exam_ask.v1", Queries, ask_by_rule, _find_no_query, drop_last("pairs"))
CARRIED = Step(
    "exam_carried", "exam_carried.v1", Reasoned, _choose_by_rule, _find_no_choice, drop_last("pairs")
)


def fixed_rounds(passages: int) -> Way:
    """Three rounds of three queries, each read as `single_rag` reads: so many passages, no gate."""

    async def answer(question: Question, tools: Tools) -> Attempt:
        candidates = await list_candidates(question, tools)
        rounds = 0
        pairs: list[Pair] = []
        read: dict[str, Evidence] = {}
        for number in range(1, ROUNDS + 1):
            with tools.trace.span("round", number=number) as span:
                queries = await _ask(question, pairs, candidates, tools)
                span.note(queries=queries)
                rounds += bool(queries)
                for query in queries:
                    pairs.append(await _answer(query, passages, read, question, tools))
        inputs = CarriedInputs(
            question.text, question.options, tuple(pairs), await _weigh_pairs(question, pairs, read, tools)
        )
        with tools.trace.span("choose", pairs=len(pairs)) as span:
            result = await tools.llm.run(CARRIED, inputs, tools.budget, tools.trace)
            span.note(by=result.by, reason=result.reason, choice=result.value.answer_choice)
        insufficient = not any(pair.spans for pair in pairs)
        attempt = ungated(
            question, result.value.answer_choice, result.by, result.reason, insufficient=insufficient
        )
        return replace(attempt, stop="fixed", rounds=rounds)

    return answer


async def list_candidates(question: Question, tools: Tools) -> tuple[str, ...]:
    """What the rule asks, in order: the question that the stem ends with, the whole stem, each concept of it,
    and each concept under each condition. None names an option."""
    reading = await read_inputs(question.text, question.language, tools.retrieval)
    schema = interpret_by_rule(InterpretInputs(question.text, question.language, reading))
    whole = schema.init_query or question.text
    pairs = [f"{entity} {condition}" for condition in schema.constraints for entity in schema.entities]
    return _without_options((asked_sentence(whole), whole, *schema.entities, *pairs), question)


def _without_options(queries: Sequence[str], question: Question) -> tuple[str, ...]:
    """Each once, in order, without those that name an option which the stem does not name."""
    kept = dict.fromkeys(text.strip() for text in queries if any(map(str.isalpha, text)))
    return tuple(text for text in kept if not names_option(text, question.text, question.options))


async def _ask(
    question: Question, pairs: Sequence[Pair], candidates: tuple[str, ...], tools: Tools
) -> tuple[str, ...]:
    inputs = AskInputs(question.text, QUERIES, tuple(pairs), candidates)
    result = await tools.llm.run(ASK, inputs, tools.budget, tools.trace)
    return _without_options(result.value.queries, question)[:QUERIES]


async def _answer(
    query: str, passages: int, read: dict[str, Evidence], question: Question, tools: Tools
) -> Pair:
    """One retrieval and the answer from it; what was retrieved is put into `read`."""
    asked = replace(question, text=query, language="en", options=())
    with tools.trace.span("retrieve", query=query, limit=passages):
        found = await tools.retrieval.retrieve(asked, passages, tools.trace)
    given = number_passages(found.evidence)
    if not given:
        return Pair(query, UNANSWERED)
    texts = list(dict.fromkeys(text for one in given for text in one.texts))
    likeness = await tools.retrieval.compare(found, texts)
    if likeness is None:
        raise EncoderError
    inputs = AnswerInputs(query, query, "en", given, dict(zip(texts, likeness, strict=True)))
    result = await tools.llm.run(ANSWER, inputs, tools.budget, tools.trace)
    claims = claims_of(result.inputs, result.value) if result.value.sufficient else []
    if not claims:
        return Pair(query, UNANSWERED)
    read |= {one.eid: one for one in found.evidence}
    spans = tuple(dict.fromkeys(span for claim in claims for span in claim.support))
    return Pair(query, " ".join(claim.text for claim in claims), spans)


async def _weigh_pairs(
    question: Question, pairs: Sequence[Pair], read: dict[str, Evidence], tools: Tools
) -> ChoiceInputs:
    """What the rule chooses from: of the passages behind the answers, the sentences that these rest on."""
    spans = dict.fromkeys(span for pair in pairs for span in pair.spans)
    inputs = await weigh(question, tools, [read[eid] for eid in dict.fromkeys(eid for eid, _ in spans)])
    given = tuple(
        replace(one, sentences=tuple(s for s in one.sentences if (one.evidence.eid, s.text) in spans))
        for one in inputs.passages
    )
    return replace(inputs, passages=given)
