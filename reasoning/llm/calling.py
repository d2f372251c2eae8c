"""One call: cache, queue, budget, wire, reply; retried where the fault passes by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from config.settings import ModelEndpoint
from reasoning.llm.accepting import accept_reply
from reasoning.llm.budget import NOTHING, Budget, Spent, price_of
from reasoning.llm.continuing import send_text
from reasoning.llm.errors import Incomplete, NoAnswer, Overloaded, Refused, Resting, TooSlow, Unreachable
from reasoning.llm.keeping import KeptReply, ReplyCache, find_kept, reply_key
from reasoning.llm.prompts import Prompt
from reasoning.llm.requests import Request
from reasoning.llm.retrying import retry_transient
from reasoning.llm.servers import LADDER, Server
from reasoning.llm.step import Inputs, Reply, Step, TokenForm
from reasoning.llm.tokens import rough_tokens
from reasoning.llm.transport import RawReply, send
from reasoning.trace import Span, Trace

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_UNPAID = (Refused, Overloaded, Unreachable)  # no token was read, as far as anyone knows


@dataclass(frozen=True, slots=True)
class Door:
    """What all steps of one gateway share."""

    endpoint: ModelEndpoint
    server: Server
    slots: asyncio.Semaphore
    client: Callable[[], Awaitable[AsyncOpenAI]]
    replies: ReplyCache | None


@dataclass(frozen=True, slots=True)
class _Fresh(Generic[Reply]):
    """An accepted reply, as it is kept, and the span of its call."""

    value: Reply
    kept: KeptReply
    span: Span


@dataclass(slots=True)
class Calls:
    """The calls of one step. `until` is its deadline on the loop's clock, `spent` what they came to."""

    door: Door
    prompt: Prompt
    budget: Budget
    trace: Trace
    until: float
    spent: Spent = NOTHING
    attempts: int = 0
    _admitted: bool = False

    async def answer(self, step: Step[Inputs, Reply], request: Request[Inputs]) -> Reply:
        """The checked reply to this request, kept from before or fresh. Raises NoAnswer."""
        cache = self.door.replies
        key = reply_key(request.body, str(self.door.endpoint.base_url), self.prompt.name)
        kept = await find_kept(cache, key) if cache else None
        if isinstance(kept, KeptReply):
            with self._span(step, request) as span:
                span.note(cached=True, **kept.usage)
                try:
                    raw = RawReply(kept.content, "", kept.finish_reason)
                    value = accept_reply(step, request, raw, self.door.server, span)[0]
                    self.budget.replies[key] = kept
                    return value
                except NoAnswer:
                    span.note(outcome="outdated")  # it was good for the step as it once was
        fresh = await self._ask(step, request)
        self.budget.replies[key] = fresh.kept
        if isinstance(kept, str):
            fresh.span.note(cache_failed=kept)
        return fresh.value

    async def _ask(self, step: Step[Inputs, Reply], request: Request[Inputs]) -> _Fresh[Reply]:
        if not self._admitted and not self.door.server.outage.admits():
            raise Resting
        self._admitted = True
        return await retry_transient(lambda: self._try(step, request), self._left)

    @property
    def _left(self) -> float:
        return self.until - asyncio.get_running_loop().time()

    async def _try(self, step: Step[Inputs, Reply], request: Request[Inputs]) -> _Fresh[Reply]:
        outage = self.door.server.outage
        async with self.door.slots:
            while hold := outage.hold_left:
                if hold >= self._left:
                    raise Overloaded("It asked for a longer wait.", wait=hold)
                await asyncio.sleep(hold)
            if self._left <= 0:
                self.budget.check()
                raise TooSlow("The time of this step is up.")
            client = await self.door.client()
            self.attempts += 1
            with (
                self._span(step, request, attempt=self.attempts) as span,
                self.budget.reserve(self._cost(request.tokens, request.room)),
            ):
                raw = await self._send(client, step, request, span)
                value, text = accept_reply(step, request, raw, self.door.server, span)
        usage = {"prompt_tokens": raw.prompt_tokens or 0, "completion_tokens": raw.completion_tokens or 0}
        return _Fresh(value, KeptReply(text, raw.finish_reason, usage), span)

    def _form(self, step: Step[Inputs, Reply]) -> TokenForm | None:
        return step.tokens if self.door.endpoint.completions else None

    async def _send(
        self, client: AsyncOpenAI, step: Step[Inputs, Reply], request: Request[Inputs], span: Span
    ) -> RawReply:
        """Send it, and charge what it came to, however it ends."""
        seconds = min(self._left, self.door.endpoint.timeout)
        prompt, reply, estimated = self._guess(request.texts), 0, True
        try:
            if form := self._form(step):
                raw = await send_text(client, request.body, request.options, form.read, seconds=seconds)
            else:
                raw = await send(client, request.body, request.options, room=request.room, seconds=seconds)
            reply = self._guess((raw.content + raw.thoughts,))
            estimated = raw.prompt_tokens is None or raw.completion_tokens is None
            prompt = prompt if raw.prompt_tokens is None else raw.prompt_tokens
            reply = reply if raw.completion_tokens is None else raw.completion_tokens
        except _UNPAID as error:
            prompt, estimated = 0, False
            span.note(outcome=type(error).__name__, detail=str(error))
            if isinstance(error, Overloaded) and error.wait:
                self.door.server.outage.hold(error.wait)
            raise
        except NoAnswer as error:
            span.note(outcome=type(error).__name__, detail=str(error))
            reply = request.room if isinstance(error, Incomplete) else 0
            raise
        finally:
            cost = self._cost(prompt, reply)
            self.budget.charge(cost)
            self.spent = self.spent + cost
            span.note(cached=False, prompt_tokens=prompt, completion_tokens=reply, cost=cost.cost)
            if estimated:
                span.note(usage="estimated")
        return raw

    def _guess(self, texts: tuple[str, ...]) -> int:
        return int(rough_tokens(*texts) * self.door.server.tokens.typical)

    def _cost(self, prompt: int, reply: int) -> Spent:
        return Spent(1, prompt, reply, price_of(self.door.endpoint, prompt, reply))

    def _span(self, step: Step[Inputs, Reply], request: Request[Inputs], **more: Any) -> Any:
        """A span of the trace: what was asked and how, never the words or the key."""
        return self.trace.span(
            "llm",
            step=step.name,
            prompt=self.prompt.name,
            version=self.prompt.version,
            model=self.door.endpoint.model,
            format="tokens" if self._form(step) else LADDER[request.manner.rung],
            temperature=self.prompt.temperature,
            room=request.room,
            measured=request.tokens,
            **more,
        )
