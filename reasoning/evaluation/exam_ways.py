"""The plain ways of answering an exam question, and a method of the product as one of them.

By rules alone there is no knowledge to recall and no reasoning to do: question_only and cot both take the
option that the encoder finds likest to the stem (the least like where an exception is asked for). It is
the floor that the measure of the words themselves sets, and one and the same for both.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from pydantic import Field

from reasoning.encoders import EncoderError
from reasoning.evaluation.exam import Attempt
from reasoning.evidence import Evidence, Findings, HandOver, Method, Question, Tools
from reasoning.exams.choosing import ChoiceInputs, choose_by_support, find_no_option, read_choice
from reasoning.exams.examining import choice_inputs, run_choice
from reasoning.llm import Closed, Step
from reasoning.supporting import support

Way = Callable[[Question, Tools], Awaitable[Attempt]]


class Direct(Closed):
    answer_choice: str = Field(description='the label of one option, such as "B"')


class Reasoned(Closed):
    reasoning: str = Field(description="step by step, in at most six sentences")
    answer_choice: str = Field(description='the label of one option, such as "B"')


def _check(inputs: ChoiceInputs, reply: Direct | Reasoned) -> str | None:
    return find_no_option(reply.answer_choice, inputs.options)


def _guess(inputs: ChoiceInputs) -> Direct:
    return Direct(answer_choice=choose_by_support(inputs).answer_choice)


def guess_reasoned(inputs: ChoiceInputs) -> Reasoned:
    guess = choose_by_support(inputs)
    return Reasoned(reasoning=guess.reasoning, answer_choice=guess.answer_choice)


DIRECT: Step[ChoiceInputs, Direct] = Step("exam_direct", "exam_direct.v1", Direct, _guess, _check)
COT: Step[ChoiceInputs, Reasoned] = Step("exam_cot", "exam_cot.v1", Reasoned, guess_reasoned, _check)


async def question_only(question: Question, tools: Tools) -> Attempt:
    result = await tools.llm.run(DIRECT, await weigh(question, tools), tools.budget, tools.trace)
    return ungated(question, result.value.answer_choice, result.by, result.reason, insufficient=True)


async def cot(question: Question, tools: Tools) -> Attempt:
    result = await tools.llm.run(COT, await weigh(question, tools), tools.budget, tools.trace)
    return ungated(question, result.value.answer_choice, result.by, result.reason, insufficient=True)


def single_rag(passages: int) -> Way:
    """The whole corpus searched once by words and vectors, and its first passages read as they come."""

    async def answer(question: Question, tools: Tools) -> Attempt:
        with tools.trace.span("retrieve", limit=passages):
            found = await tools.retrieval.retrieve(question, passages, tools.trace)
        result = await run_choice(await weigh(question, tools, found.evidence), tools)
        written, insufficient = result.value.answer_choice, result.value.insufficient
        return ungated(question, written, result.by, result.reason, insufficient=insufficient)

    return answer


async def weigh(question: Question, tools: Tools, evidence: Sequence[Evidence] = ()) -> ChoiceInputs:
    inputs = await choice_inputs(question, evidence, tools)
    if inputs is None:
        raise EncoderError
    return inputs


def ungated(question: Question, written: str, by: str, reason: str | None, *, insufficient: bool) -> Attempt:
    """An arm without a gate says whatever it chooses."""
    option = read_choice(written, question.options)
    label = option.label if option else question.options[0].label
    return Attempt(label, label, by, insufficient, reason=reason)


def by_method(method: Method) -> Way:
    """A method of the product as an arm: what is said is what a person would be told."""

    async def answer(question: Question, tools: Tools) -> Attempt:
        findings = await method(question, tools)
        handed_over = isinstance(findings, HandOver)
        if isinstance(findings, HandOver):
            findings = Findings("nothing_found")
        verified = await support(findings, question.language, tools)
        choice = verified.findings.choice if verified.claims else None
        proposed = (findings.report or {}).get("choice")
        said, spent = choice.label if choice else None, tools.budget.spent
        attempt = Attempt(said, said or "", "rule", said is None, verified.findings.gate)
        if isinstance(proposed, dict) and proposed["label"]:
            gate = attempt.gate if said else "unsettled"
            attempt = replace(attempt, chosen=said or proposed["label"], by=proposed["by"], gate=gate)
        else:
            attempt = await _force(question, findings, attempt, tools)
        forced = tools.budget.spent - spent
        report = findings.report or {}
        rounds, stop = report.get("rounds"), report.get("stop")
        return replace(
            attempt,
            gate="handed_over" if handed_over else attempt.gate,
            stop=str(stop) if stop else None,
            rounds=len(rounds) if isinstance(rounds, list) else 0,
            esearch_calls=findings.esearch_calls,
            forced_calls=forced.calls,
            forced_tokens=forced.tokens,
        )

    return answer


async def _force(question: Question, findings: Findings, attempt: Attempt, tools: Tools) -> Attempt:
    """What it would choose of the evidence that did not pass the gate."""
    result = await run_choice(await weigh(question, tools, findings.evidence), tools)
    option = read_choice(result.value.answer_choice, question.options)
    chosen = attempt.said or (option.label if option else question.options[0].label)
    return replace(attempt, chosen=chosen, by=result.by, reason=result.reason)
