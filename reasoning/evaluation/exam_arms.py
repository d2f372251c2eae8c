"""The ways of answering an exam question that are measured; a further method of the product is one by itself.

question_only  no retrieval, the answer alone
cot            no retrieval, reasoning first
single_rag     one retrieval with the raw stem, the choice from its passages: no rewriting, no gate
cometa         the whole method, gate and verification included; where it says nothing it is forced apart

By rules alone there is no knowledge to recall and no reasoning to do: question_only and cot both take the
option that the encoder finds likest to the stem (the least like where an exception is asked for). It is
the floor that the measure of the words themselves sets, and one and the same for both.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from reasoning.encoders import EncoderError
from reasoning.evaluation.exam import Arm, Attempt
from reasoning.evidence import Evidence, Findings, HandOver, Method, Question, Tools
from reasoning.exams.choosing import ChoiceInputs, choose_by_support, read_choice
from reasoning.exams.examining import choice_inputs, run_choice
from reasoning.literature import Literature
from reasoning.llm import Budget, Closed, LanguageModel, Limits, Step
from reasoning.retrieval.hybrid import HybridRetrieval
from reasoning.retrieval.reranking import Reranker
from reasoning.supporting import support
from reasoning.trace import Trace

PASSAGES = 5  # of single_rag, as many as CoMeta reads

Way = Callable[[Question, Tools], Awaitable[Attempt]]


class Direct(Closed):
    answer_choice: str = Field(description='the label of one option, such as "B"')


class Reasoned(Closed):
    reasoning: str = Field(description="step by step, in at most six sentences")
    answer_choice: str = Field(description='the label of one option, such as "B"')


def _check(inputs: ChoiceInputs, reply: Direct | Reasoned) -> str | None:
    if read_choice(reply.answer_choice, inputs.options) is None:
        return f"answer_choice is none of {', '.join(option.label for option in inputs.options)}"
    return None


def _guess(inputs: ChoiceInputs) -> Direct:
    return Direct(answer_choice=choose_by_support(inputs).answer_choice)


def _guess_reasoned(inputs: ChoiceInputs) -> Reasoned:
    guess = choose_by_support(inputs)
    return Reasoned(reasoning=guess.reasoning, answer_choice=guess.answer_choice)


DIRECT: Step[ChoiceInputs, Direct] = Step("exam_direct", "exam_direct.v1", Direct, _guess, _check)
COT: Step[ChoiceInputs, Reasoned] = Step("exam_cot", "exam_cot.v1", Reasoned, _guess_reasoned, _check)


async def _question_only(question: Question, tools: Tools) -> Attempt:
    result = await tools.llm.run(DIRECT, await _inputs(question, tools), tools.budget, tools.trace)
    return _attempt(question, result.value.answer_choice, result.by, result.reason, insufficient=True)


async def _cot(question: Question, tools: Tools) -> Attempt:
    result = await tools.llm.run(COT, await _inputs(question, tools), tools.budget, tools.trace)
    return _attempt(question, result.value.answer_choice, result.by, result.reason, insufficient=True)


def single_rag(retrieval: HybridRetrieval) -> Way:
    """The whole corpus searched once by words and vectors, and its first passages read as they come."""

    async def answer(question: Question, tools: Tools) -> Attempt:
        with tools.trace.span("retrieve", limit=PASSAGES):
            found = await retrieval.retrieve(question, PASSAGES, tools.trace)
        result = await run_choice(await _inputs(question, tools, found.evidence), tools)
        written, insufficient = result.value.answer_choice, result.value.insufficient
        return _attempt(question, written, result.by, result.reason, insufficient=insufficient)

    return answer


async def _inputs(question: Question, tools: Tools, evidence: Sequence[Evidence] = ()) -> ChoiceInputs:
    inputs = await choice_inputs(question, evidence, tools)
    if inputs is None:
        raise EncoderError
    return inputs


def _attempt(question: Question, written: str, by: str, reason: str | None, *, insufficient: bool) -> Attempt:
    """An arm without a gate says whatever it chooses."""
    option = read_choice(written, question.options)
    label = option.label if option else question.options[0].label
    return Attempt(label, label, by, insufficient, reason=reason)


def by_method(method: Method) -> Way:
    """A method of the product as an arm: what is said is what a person would be told."""

    async def answer(question: Question, tools: Tools) -> Attempt:
        findings = await method(question, tools)
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
        return replace(
            attempt,
            esearch_calls=findings.esearch_calls,
            forced_calls=forced.calls,
            forced_tokens=forced.tokens,
        )

    return answer


async def _force(question: Question, findings: Findings, attempt: Attempt, tools: Tools) -> Attempt:
    """What it would choose of the evidence that did not pass the gate."""
    result = await run_choice(await _inputs(question, tools, findings.evidence), tools)
    option = read_choice(result.value.answer_choice, question.options)
    chosen = attempt.said or (option.label if option else question.options[0].label)
    return replace(attempt, chosen=chosen, by=result.by, reason=result.reason)


def list_arms(methods: Mapping[str, Method]) -> list[str]:
    """Names of the arms; the methods of the product are arms under theirs."""
    return ["question_only", "cot", "single_rag", *(name.replace("-", "_") for name in methods)]


@dataclass(frozen=True, slots=True)
class Bench:
    """What arms work with; each question has tools of its own, and what it took is counted."""

    retrieval: HybridRetrieval
    doors: Callable[[Question], Sequence[Literature]]
    reranker: Reranker | None
    llm: LanguageModel
    limits: Limits

    def arms(self, names: Sequence[str], methods: Mapping[str, Method]) -> dict[str, Arm]:
        """The arms of these names, in their order."""
        ways = {name.replace("-", "_"): by_method(method) for name, method in methods.items()}
        ways["single_rag"] = single_rag(self.retrieval)
        alone = {"question_only": _question_only, "cot": _cot}
        return {
            name: self._arm(alone[name], retrieves=False) if name in alone else self._arm(ways[name])
            for name in names
        }

    def _arm(self, way: Way, *, retrieves: bool = True) -> Arm:
        async def answer(question: Question) -> Attempt:
            began = time.perf_counter()
            budget, trace = Budget(self.limits), Trace()
            doors = self.doors(question)
            tools = Tools(self.retrieval, doors, self.reranker, self.llm, budget, trace)
            attempt = await way(question, tools)
            return replace(
                attempt,
                calls=budget.spent.calls,
                prompt_tokens=budget.spent.prompt_tokens,
                completion_tokens=budget.spent.completion_tokens,
                retrievals=sum(span.stage == "retrieve" for span in trace.spans),
                seconds=round(time.perf_counter() - began, 3),
            )

        return Arm(answer, retrieves)
