"""One question, one answer (architecture 2): triage, language, route, method, verification, composition."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import uuid4

from reasoning import composing
from reasoning.announcing import announce
from reasoning.errors import EmptyQuestion, QuestionTooLong
from reasoning.evidence import Claim, Findings, HandOver, Method, Question, Retrieval, Tools
from reasoning.language import detect_language
from reasoning.llm import Budget, KeptReply, LanguageModel, Limits, RulesOnly
from reasoning.notices import notice
from reasoning.routing import Judgement, decide, judge
from reasoning.safety.injection import is_foreign_link, without_foreign_links, without_instructions
from reasoning.safety.triage import triage
from reasoning.trace import Trace
from reasoning.types import Answer, AnswerBody, Notice, Rejected, Remark, Route, Triage, Usage
from reasoning.verify import Supported, verify_claims
from storage.corpus import EVERYTHING, Filters
from storage.history import CitedSource
from storage.text import clean_text

LONGEST_QUESTION = 20_000  # characters; longer than any chat platform passes on
_FIXED_REPLY = ("emergency", "self_harm")


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer with what only history keeps: document ids of the citations, the whole trace, and what
    models replied."""

    answer: Answer
    sources: Sequence[CitedSource]
    trace: Trace
    replies: Mapping[str, KeptReply] = field(default_factory=dict)


class Assistant:
    """Holds the evidence layer and the registry of methods; a method is one entry of it."""

    def __init__(
        self,
        retrieval: Retrieval,
        methods: Mapping[str, Method],
        llm: LanguageModel | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._retrieval = retrieval
        self._methods = methods
        self._llm = llm or RulesOnly()
        self._limits = limits or Limits()

    async def answer(
        self, text: str, *, method: str = "auto", offline: bool = False, filters: Filters = EVERYTHING
    ) -> Answered:
        """Answer one question. Raises EmptyQuestion and QuestionTooLong."""
        began = time.perf_counter()
        trace = Trace()
        asked, language, level, judgement = _look_at(text, method, trace)
        if level.level in _FIXED_REPLY:
            return _urgent_reply(asked, language, level, judgement.route, trace, began)
        question = Question(without_instructions(asked, ""), language, filters, offline)
        tools = Tools(self._retrieval, self._llm, Budget(self._limits), trace)
        decision = await decide(judgement, question.text, self._llm, tools.budget, trace)
        decision, findings = await self._run(question, decision, tools)
        findings, supported = await _support(findings, tools)
        return _assemble(asked, question, level, decision, findings, supported, tools, began)

    async def _run(self, question: Question, decision: Route, tools: Tools) -> tuple[Route, Findings]:
        """Run the method, and say what ran; without a language model only English sources can be matched."""
        if question.language != "en":
            return decision, Findings(gate="language")
        if not any(character.isalpha() for character in question.text):
            return decision, Findings(gate="off_topic")  # it only told the assistant what to do
        with tools.trace.span("method", name=decision.ran) as span:
            findings = await self._methods[decision.ran](question, tools)
            if isinstance(findings, HandOver):
                span.note(hand_over=findings.to, reason=findings.reason)
                decision = decision.model_copy(update={"ran": findings.to})
                findings = await self._methods[findings.to](question, tools)
            if isinstance(findings, HandOver):  # once, never in a ring
                findings = Findings(gate="nothing_found")
            span.note(gate=findings.gate, evidence=len(findings.evidence), claims=len(findings.claims))
        return decision, findings


def reply_at_once(text: str, *, method: str = "auto") -> Answered | None:
    """The fixed reply to an emergency, None for any other question.

    It needs no model, evidence or database, so nothing that is slow or missing may stand before it.
    Raises EmptyQuestion and QuestionTooLong.
    """
    began = time.perf_counter()
    trace = Trace()
    asked, language, level, judgement = _look_at(text, method, trace)
    if level.level not in _FIXED_REPLY:
        return None
    return _urgent_reply(asked, language, level, judgement.route, trace, began)


def _look_at(text: str, method: str, trace: Trace) -> tuple[str, str, Triage, Judgement]:
    """The cleaned question, its language, the triage and the route by rule."""
    asked = check_question(text)
    plain = without_instructions(asked, "") or asked
    with trace.span("language") as span:
        language = detect_language(plain)
        span.note(language=language)
    with trace.span("triage") as span:
        found = triage(asked, language)
        level = Triage(level=found.level.value, matched=list(found.matched), message=found.message)
        span.note(level=level.level, matched=level.matched)
    with trace.span("route", method=method) as span:
        judgement = judge(plain, method)
        decision = judgement.route
        span.note(method=decision.method, ran=decision.ran, reason=decision.reason, tie=judgement.other)
        span.note(signals=decision.signals.model_dump())
    return asked, language, level, judgement


def check_question(text: str) -> str:
    """The cleaned question. Raises EmptyQuestion where no letter is left, and QuestionTooLong."""
    cleaned = clean_text(text).strip()
    if len(cleaned) > LONGEST_QUESTION:
        raise QuestionTooLong(f"It has {len(cleaned):,} characters; up to {LONGEST_QUESTION:,} are read.")
    if not any(character.isalpha() for character in cleaned):
        raise EmptyQuestion
    return cleaned


def _urgent_reply(
    asked: str, language: str, level: Triage, decision: Route, trace: Trace, began: float
) -> Answered:
    """The fixed reply; no method runs."""
    notices = [Notice(code="emergency", text=level.message or notice("emergency", language))]
    body = AnswerBody(
        text=composing.render_text([], notices), abstained=True, confidence="low", notices=notices
    )
    answer = Answer(
        run_id=str(uuid4()),
        question=asked,
        language=language,
        triage=level,
        route=decision.model_copy(update={"ran": "none"}),
        answer=body,
        usage=Usage(seconds=round(time.perf_counter() - began, 3)),
    )
    return Answered(answer, [], trace)


async def _support(findings: Findings, tools: Tools) -> tuple[Findings, Supported]:
    """What of the findings may be said. Where less than half of what a model wrote stands, what is left of
    it may mislead, and the rule's quotes are said instead (our choice)."""
    supported = await _verify(findings.claims, findings, tools)
    if findings.by == "rule" or 2 * len(supported.claims) >= len(findings.claims):
        return findings, supported
    quotes = await _verify(findings.quotes, findings, tools)
    lost = Remark(code="model_unsupported", detail=f"{len(supported.rejected)} sentences did not stand")
    findings = replace(findings, by="rule", degraded=(*findings.degraded, lost))
    return findings, replace(quotes, rejected=[*supported.rejected, *quotes.rejected])


async def _verify(claims: Sequence[Claim], findings: Findings, tools: Tools) -> Supported:
    urls = {item.source.article.url or "" for item in findings.evidence}
    foreign = [claim for claim in claims if is_foreign_link(claim.text, urls)]
    with tools.trace.span("verify", claims=len(claims)) as span:
        supported = verify_claims([claim for claim in claims if claim not in foreign], findings.evidence)
        rejected = [
            Rejected(
                claim=without_foreign_links(claim.text, urls), reason="it leads to what was not retrieved"
            )
            for claim in foreign
        ]
        supported = replace(supported, rejected=[*supported.rejected, *rejected])
        span.note(kept=len(supported.claims), rejected=[r.reason for r in supported.rejected])
    return supported


def _assemble(
    asked: str,
    question: Question,
    level: Triage,
    decision: Route,
    findings: Findings,
    supported: Supported,
    tools: Tools,
    began: float,
) -> Answered:
    composed = composing.compose(supported.claims, findings.evidence)
    notices = announce(question, level, decision, findings, composed)
    degraded, spent = list(findings.degraded), tools.budget.spent
    body = AnswerBody(
        text=composing.render_text(composed.sentences, notices),
        choice=findings.choice,
        abstained=not composed.sentences,
        confidence=composing.confidence_in(composed, degraded=bool(degraded)),
        written_by=findings.by,
        sentences=list(composed.sentences),
        notices=notices,
    )
    answer = Answer(
        run_id=str(uuid4()),
        question=asked,
        language=question.language,
        triage=level,
        route=decision,
        answer=body,
        citations=list(composed.citations),
        rejected=list(supported.rejected),
        report=findings.report,
        warnings=list(findings.warnings),
        degraded=degraded,
        usage=Usage(
            llm_calls=spent.calls,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            retrievals=sum(span.stage == "retrieve" for span in tools.trace.spans),
            seconds=round(time.perf_counter() - began, 3),
        ),
    )
    return Answered(answer, composed.sources, tools.trace, tools.budget.replies)
