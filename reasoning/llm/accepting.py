"""Whether a whole reply is an answer: finished, to the whole prompt, of the schema, and sensible."""

from __future__ import annotations

import hashlib

from reasoning.llm.errors import BrokenReply, Incomplete, NoAnswer, Nonsense, PromptCut, Withheld, tidy_words
from reasoning.llm.replies import has_thinking, read_reply
from reasoning.llm.requests import Request
from reasoning.llm.servers import Server
from reasoning.llm.step import Inputs, Reply, Step
from reasoning.llm.transport import RawReply
from reasoning.trace import Span

_CUT = {"length", "max_tokens", "model_length"}
_FILTERED = {"content_filter", "safety", "refusal"}
_FAILED = {"error", "abort", "aborted", "cancelled", "tool_calls", "function_call"}


def accept_reply(
    step: Step[Inputs, Reply], request: Request[Inputs], raw: RawReply, server: Server, span: Span
) -> tuple[Reply, str]:
    """The checked reply and its JSON text alone; the span is told how it went. Raises NoAnswer."""
    span.note(
        finish_reason=tidy_words(raw.finish_reason),
        reply_characters=len(raw.content),
        reply_sha256=hashlib.sha256(raw.content.encode("utf-8", "replace")).hexdigest(),
    )
    try:
        value, text = _read(step, request, raw, server)
    except NoAnswer as error:
        span.note(outcome=type(error).__name__, detail=str(error))
        raise
    span.note(outcome="ok")
    return value, text


def _read(
    step: Step[Inputs, Reply], request: Request[Inputs], raw: RawReply, server: Server
) -> tuple[Reply, str]:
    if raw.prompt_tokens is not None:
        if server.tokens.looks_cut(request.texts, raw.prompt_tokens):
            raise PromptCut(
                f"It counted {raw.prompt_tokens:,} tokens of about {request.tokens:,}; the server's context "
                "length is set too low (or CARECITE_LLM_CONTEXT too high)."
            )
        server.tokens.learn(request.texts, raw.prompt_tokens)
    reason = raw.finish_reason.lower()
    if reason in _CUT:
        blank = bool(raw.content) and not raw.content[-100:].strip()
        thought = not raw.content.strip() or has_thinking(raw.content, raw.thoughts)
        raise Incomplete(f"It had room for {request.room:,} tokens.", blank=blank, thought=thought)
    if reason in _FILTERED or (raw.refusal and not raw.content.strip()):
        raise Withheld(tidy_words(raw.refusal) or None)
    if reason in _FAILED:
        raise BrokenReply(f'It ended with "{tidy_words(reason)}".')
    value, text = read_reply(raw.content, raw.thoughts, step.reply)
    server.thinks = server.thinks or has_thinking(raw.content, raw.thoughts)
    wrong = _check(step, request.inputs, value)
    if wrong:
        raise Nonsense(wrong)
    if "prompt" not in request.body:  # a continued text proves nothing of formats
        server.rung, server.proven, server.streams = request.manner.rung, True, raw.streamed
    return value, text


def _check(step: Step[Inputs, Reply], inputs: Inputs, value: Reply) -> str | None:
    """What the step itself says; a check that stumbles over a reply has found one that makes no sense."""
    try:
        return step.check(inputs, value)
    except Exception as error:
        return f"It cannot be checked ({type(error).__name__})."
