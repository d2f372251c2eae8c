"""The door to a chat model at any OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from config.settings import ModelEndpoint
from reasoning.llm.asking import Asking
from reasoning.llm.budget import Budget
from reasoning.llm.calling import Calls, Door
from reasoning.llm.errors import (
    BudgetSpent,
    NoAnswer,
    NotConfigured,
    Overloaded,
    Resting,
    TooSlow,
    Unreachable,
)
from reasoning.llm.keeping import ReplyCache
from reasoning.llm.prompts import Prompt, load_prompt
from reasoning.llm.servers import known_server
from reasoning.llm.step import Inputs, Reply, Step, StepResult
from reasoning.trace import Trace

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_CALLS_A_STEP = 2  # times the time of one call: what a step may take with all its tries; our choice


class Gateway:
    """One a process: it holds the connections and the queue before them.

    `prompts` finds a prompt by the name that a step gives.
    """

    def __init__(
        self,
        endpoint: ModelEndpoint,
        replies: ReplyCache | None = None,
        *,
        prompts: Callable[[str], Prompt] = load_prompt,
    ) -> None:
        self._endpoint = endpoint
        self._prompts = prompts
        self._opened: AsyncOpenAI | None = None
        self._opening = asyncio.Lock()
        server = known_server(endpoint.base_url or "", endpoint.model or "")
        self._door = Door(endpoint, server, asyncio.Semaphore(endpoint.concurrency), self._client, replies)

    @property
    def available(self) -> bool:
        return self._endpoint.configured

    async def run(
        self, step: Step[Inputs, Reply], inputs: Inputs, budget: Budget, trace: Trace
    ) -> StepResult[Inputs, Reply]:
        """The model's reply, checked, or the rule's with the reason; it never fails for a model's sake."""
        with trace.span("step", name=step.name) as span:
            calls = self._calls(step, budget, trace)
            try:
                value, sent = await self._ask(calls, step, inputs)
            except NoAnswer as error:
                span.note(by="rule", reason=str(error))
                return StepResult(
                    step.rule(inputs), inputs, "rule", str(error), calls.spent, type(error).__name__
                )
            span.note(by="model")
            return StepResult(value, sent, "model", None, calls.spent)

    async def ask(self, step: Step[Inputs, Reply], inputs: Inputs, budget: Budget, trace: Trace) -> Reply:
        """The model's reply, checked, where the rule's will not do. Raises NoAnswer."""
        value, _ = await self._ask(self._calls(step, budget, trace), step, inputs)
        return value

    def _calls(self, step: Step[Inputs, Reply], budget: Budget, trace: Trace) -> Calls:
        most = min(budget.seconds_left, _CALLS_A_STEP * self._endpoint.timeout)
        until = asyncio.get_running_loop().time() + most
        prompt = step.tokens.prompt if step.tokens and self._endpoint.completions else step.prompt
        return Calls(self._door, self._prompts(prompt), budget, trace, until)

    async def _ask(self, calls: Calls, step: Step[Inputs, Reply], inputs: Inputs) -> tuple[Reply, Inputs]:
        if not self.available:
            raise NotConfigured
        outage = self._door.server.outage
        try:
            async with asyncio.timeout_at(calls.until + 0.25):  # a call itself ends sooner, with better words
                answer = await Asking(calls, step, calls.prompt, inputs).answer()
        except TimeoutError:
            raise TooSlow("Its time is up.") from None
        except (Unreachable, Overloaded):
            outage.begin()  # the next steps are spared the same wait
            raise
        except (Resting, TooSlow, BudgetSpent):
            raise
        except NoAnswer:
            outage.end()
            raise
        outage.end()
        return answer

    async def aclose(self) -> None:
        """Close the connections."""
        if self._opened is not None:
            await self._opened.close()
            self._opened = None

    async def _client(self) -> AsyncOpenAI:
        """The client, made at its first use: its import and its certificates take a moment."""
        from reasoning.llm.transport import build_client

        async with self._opening:
            if self._opened is None:
                self._opened = await asyncio.to_thread(build_client, self._endpoint)
            return self._opened
