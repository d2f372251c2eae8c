"""One question, one answer (architecture 2): understand, route, method, verify, compose."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from reasoning import composing
from reasoning.announcing import announce
from reasoning.evidence import Findings, HandOver, Method, Question, Retrieval, Tools
from reasoning.followups import Earlier
from reasoning.graph import GraphSearch
from reasoning.linking import Linker, RememberingLinker
from reasoning.literature import Literature
from reasoning.llm import Budget, KeptReply, LanguageModel, Limits, RulesOnly
from reasoning.notices import notice
from reasoning.retrieval.reranking import Reranker
from reasoning.routing import decide, part_options
from reasoning.supporting import Verified, support
from reasoning.trace import Span, Trace
from reasoning.types import Answer, AnswerBody, Notice, Route, Usage
from reasoning.understanding import Understood, complete_question, count_links, understand
from storage.corpus import EVERYTHING, Filters
from storage.history import CitedSource


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer with what only history keeps: document ids of the citations, the whole trace, what
    models replied, and the doors to the literature, which know what they were asked."""

    answer: Answer
    sources: Sequence[CitedSource]
    trace: Trace
    replies: Mapping[str, KeptReply] = field(default_factory=dict)
    doors: Sequence[Literature] = ()


class Assistant:
    """Holds the evidence layer, the door to the model, and the registry of methods."""

    def __init__(
        self,
        retrieval: Retrieval,
        methods: Mapping[str, Method],
        llm: LanguageModel | None = None,
        limits: Limits | None = None,
        *,
        literature: Callable[[Question], Sequence[Literature]] = lambda _: (),
        reranker: Reranker | None = None,
        graph: GraphSearch | None = None,
        linker: Linker | None = None,
        country: str | None = None,
    ) -> None:
        self._retrieval = retrieval
        self._literature = literature
        self._reranker = reranker
        self._methods = methods
        self._llm = llm or RulesOnly()
        self._limits = limits or Limits()
        self._graph = graph
        self._linker = linker
        self._country = country

    async def answer(
        self,
        text: str,
        *,
        method: str = "auto",
        offline: bool = False,
        filters: Filters = EVERYTHING,
        earlier: Sequence[Earlier] = (),
        person: str = "",
        told: Callable[[Span], None] | None = None,
    ) -> Answered:
        """Answer one question. Raises EmptyQuestion and QuestionTooLong.

        `earlier` are the turns of the talk before it, the oldest first, and `person` the key of who asks now:
        another person's details are never carried into the question. Triage reads the message alone. `told`
        gets each step of the trace as it begins.
        """
        began, trace = time.perf_counter(), Trace(told)
        understood = understand(text, method, trace, earlier, country=self._country)
        if understood.in_danger:
            return _urgent_reply(understood, trace, began)
        budget = Budget(self._limits)
        understood = await complete_question(understood, earlier, person, method, self._llm, budget, trace)
        linker = RememberingLinker(self._linker) if self._linker else None
        if linker is not None:
            understood = await count_links(understood, method, linker, trace)
        route = await decide(understood.judgement, understood.question, self._llm, budget, trace)
        asked = part_options(understood.question)
        question = Question(asked.stem, understood.language, filters, offline, asked.options, asked.further)
        tools = Tools(
            self._retrieval,
            self._literature(question),
            self._reranker,
            self._llm,
            budget,
            trace,
            graph=self._graph,
            linker=linker,
        )
        route, findings = await self._run(question, route, tools)
        verified = await support(findings, question.language, tools)
        return _assemble(understood, question, route, verified, tools, began)

    async def _run(self, question: Question, route: Route, tools: Tools) -> tuple[Route, Findings]:
        """Run the method, and say what ran."""
        if not any(character.isalpha() for character in question.text):
            return route, Findings(gate="off_topic")  # it only told the assistant what to do
        with tools.trace.span("method", name=route.ran) as span:
            findings = await self._methods[route.ran](question, tools)
            if isinstance(findings, HandOver):
                handed = findings
                span.note(hand_over=handed.to, reason=handed.reason)
                route = route.model_copy(update={"ran": handed.to})
                findings = await self._methods[handed.to](question, tools)
                if isinstance(findings, HandOver):  # once, never in a ring
                    findings = Findings(gate="nothing_found")
                if handed.failed:
                    findings = findings.lacking("method_failed", handed.reason)
            span.note(gate=findings.gate, evidence=len(findings.evidence), claims=len(findings.claims))
        return route, findings


def reply_at_once(text: str, *, method: str = "auto", country: str | None = None) -> Answered | None:
    """The fixed reply to an emergency, None for any other question.

    It needs no model, evidence or database, so nothing that is slow or missing may stand before it.
    Raises EmptyQuestion and QuestionTooLong.
    """
    began, trace = time.perf_counter(), Trace()
    understood = understand(text, method, trace, country=country)
    return _urgent_reply(understood, trace, began) if understood.in_danger else None


def _urgent_reply(understood: Understood, trace: Trace, began: float) -> Answered:
    """The fixed reply; no method runs."""
    words = understood.triage.message or notice("emergency", understood.language)
    notices = [Notice(code="emergency", text=words)]
    body = AnswerBody(
        text=composing.render_text([], notices), abstained=True, confidence="low", notices=notices
    )
    answer = Answer(
        run_id=str(uuid4()),
        question=understood.asked,
        language=understood.language,
        triage=understood.triage,
        route=understood.judgement.route.model_copy(update={"ran": "none"}),
        answer=body,
        usage=Usage(seconds=round(time.perf_counter() - began, 3)),
    )
    return Answered(answer, [], trace)


def _assemble(
    understood: Understood, question: Question, route: Route, verified: Verified, tools: Tools, began: float
) -> Answered:
    findings, spent = verified.findings, tools.budget.spent
    composed = composing.compose(verified.claims, findings.evidence, verified.conflicts)
    notices = announce(question, understood.triage, route, findings, composed)
    choice = findings.choice if composed.sentences else None  # supported, or not said
    chosen = composing.say_choice(choice, question.language)
    body = AnswerBody(
        text=composing.render_text(composed.sentences, notices, chosen),
        choice=choice,
        abstained=not composed.sentences,
        confidence="low"
        if findings.doubtful
        else composing.confidence_in(
            composed, degraded=bool(findings.degraded), stale_after=findings.stale_after
        ),
        written_by=findings.by,
        sentences=list(composed.sentences),
        notices=notices,
    )
    answer = Answer(
        run_id=str(uuid4()),
        question=understood.asked,
        standalone=understood.standalone,
        language=understood.language,
        triage=understood.triage,
        route=route,
        answer=body,
        citations=list(composed.citations),
        rejected=list(verified.rejected),
        report=findings.report,
        warnings=list(findings.warnings),
        degraded=list(findings.degraded),
        usage=Usage(
            llm_calls=spent.calls,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            retrievals=sum(span.stage == "retrieve" for span in tools.trace.spans),
            esearch_calls=findings.esearch_calls,
            seconds=round(time.perf_counter() - began, 3),
        ),
    )
    return Answered(answer, composed.sources, tools.trace, tools.budget.replies, tools.literature)
