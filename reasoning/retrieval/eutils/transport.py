"""One request to E-utilities and its whole reply, or why there is none; every request goes this way.

The order: the question's time, the breaker, the queue, the wire, the verdict on the reply, another try.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    stop_before_delay,
    wait_random_exponential,
)

from config.settings import Eutils, Ncbi
from reasoning.retrieval.eutils.allowance import Allowance
from reasoning.retrieval.eutils.classifying import classify
from reasoning.retrieval.eutils.errors import (
    EutilsError,
    NoConnection,
    NotAsked,
    RateLimited,
    Refused,
    Transient,
)
from reasoning.retrieval.eutils.host import host_of
from reasoning.retrieval.eutils.wire import CONNECT, build_client, send
from reasoning.retrieval.eutils.wording import tell

if TYPE_CHECKING:
    from httpx import AsyncClient

LONGEST_CALL = 120.0  # seconds of one request without a limit of its own, however slowly its reply drips
LEAST_REPLY = 0.25  # seconds that must be left for a reply, or nothing is sent
TRIES = 3
_HOLD = 1.0  # seconds for everybody where a limit was hit and no wait is named: the window of the limit
_RESTING = "It failed a moment ago, and is asked again within a minute."
_log = logging.getLogger(__name__)
_backoff = wait_random_exponential(multiplier=0.25, max=4.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The body, or the failure; `calls` are the requests that it took."""

    body: bytes = field(default=b"", repr=False)
    failure: EutilsError | None = None
    calls: int = 0

    @property
    def state(self) -> Literal["transient", "permanent"]:
        """Of a failed one: transient or permanent."""
        return "permanent" if isinstance(self.failure, Refused) else "transient"

    @property
    def reason(self) -> str | None:
        return f"{self.failure.code}: {self.failure}" if self.failure else None


class Transport:
    """The way to one E-utilities server, for one event loop; queue and breaker are shared by the process."""

    def __init__(self, eutils: Eutils, ncbi: Ncbi) -> None:
        self.base_url = eutils.base_url
        self._host = host_of(eutils, ncbi)
        key = ncbi.api_key.get_secret_value() if ncbi.api_key else None
        who = {"tool": "carecite", "email": ncbi.email, "api_key": key}
        self._who = {name: value for name, value in who.items() if value}
        self._client: AsyncClient | None = None
        self._building = asyncio.Lock()

    async def ask(
        self, endpoint: str, params: Mapping[str, str], roots: Collection[str], allowance: Allowance
    ) -> Outcome:
        """The reply of `endpoint` (for example esearch.fcgi), a whole document with one of these roots."""
        client = await self._open()  # it takes a while, once, and must not make a start late
        with allowance.running():
            outcome = await _Call(self, client, endpoint, dict(params), roots, allowance).make()
        if outcome.failure:
            _log.warning("E-utilities, %s: %s", endpoint, outcome.reason)
        return outcome

    async def _open(self) -> AsyncClient:
        async with self._building:
            if self._client is None:
                self._client = await asyncio.to_thread(build_client, self.base_url)
        return self._client

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None


@dataclass(slots=True, repr=False)
class _Call:
    """One request with its tries."""

    transport: Transport
    client: AsyncClient
    endpoint: str
    params: dict[str, str]
    roots: Collection[str]
    allowance: Allowance
    calls: int = 0
    probing: bool = False  # the one request that finds out whether a host works again

    async def make(self) -> Outcome:
        host = self.transport._host
        if self.allowance.left <= 0:
            return Outcome(failure=NotAsked("The time of this question for NCBI is spent."))
        if host.breaker.tripped:
            self.probing = host.breaker.admits()
            if not self.probing:
                return Outcome(failure=NotAsked(_RESTING))
        retrying = AsyncRetrying(
            retry=retry_if_exception(lambda error: isinstance(error, Transient) and not host.breaker.tripped),
            stop=stop_after_attempt(TRIES) | stop_before_delay(self.allowance.left),
            wait=_wait,
            reraise=True,
        )
        try:
            return Outcome(await retrying(self._try), calls=self.calls)
        except EutilsError as error:
            return Outcome(failure=error, calls=self.calls)

    async def _try(self) -> bytes:
        host = self.transport._host
        asked = time.monotonic()
        async with host.pacer.turn(self.allowance.left - LEAST_REPLY):
            if host.breaker.tripped and not self.probing:  # while this one stood in the queue
                raise NotAsked(_RESTING)
            self.calls += 1
            began, seconds = time.monotonic(), min(self.allowance.left, LONGEST_CALL)
            body, failure = await self._send(seconds)
        if isinstance(failure, NoConnection) and not failure.at_once and seconds < CONNECT:
            # silence in less time than a host may take says nothing of it
            if began - asked > seconds:
                raise RateLimited("Its turn came too late for a whole reply.", wait=math.inf)
            raise failure
        host.breaker.report(failure)
        if isinstance(failure, RateLimited):
            host.pacer.hold(_HOLD if failure.wait is None else failure.wait)
        if failure:
            raise failure
        return body

    async def _send(self, seconds: float) -> tuple[bytes, EutilsError | None]:
        """The body, and what is wrong with it."""
        reply = await send(self.client, self.endpoint, self.params | self.transport._who, seconds)
        if isinstance(reply, EutilsError):
            return b"", reply
        return reply.body, classify(reply.status, reply.headers, reply.body, self.roots, self._tell)

    def _tell(self, words: str) -> str:
        secrets = (self.transport._who.get("api_key", ""), self.transport._who.get("email", ""))
        return tell(words, secrets, self.params.get("term", ""))


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = getattr(error, "wait", None)
    return max(float(_backoff(state)), asked or 0.0)
