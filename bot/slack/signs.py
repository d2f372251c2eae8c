"""The sign that a question is being worked on, as Slack shows it in a thread: "carecite is looking …".

    question kept ─> set ─> set again after each post of ours, and before it lapses ─> end ─> cleared

What is shown follows from the questions that have no end in the store, whoever answers them and however that
goes. So a question that fails, a worker that dies and a thread beside it need no care of their own; what an
earlier process left behind is cleared at the start. Slack takes a sign away where we post, not where we edit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from slack_sdk.errors import SlackApiError

from bot.slack.accounts import Accounts
from bot.slack.calls import FAILURES, TRANSIENT_CODES, code_of, reason_of, status_of, wait_of
from bot.stopping import pause_unless
from reasoning.notices import notice
from storage.history.chat import Chat, Pending

_log = logging.getLogger(__name__)
LAPSE = 120.0  # seconds (docs.slack.dev, assistant.threads.setStatus)
REFRESH = 90.0  # seconds
_LOOK = 1.0  # seconds from one look at the questions to the next
_MOST = 200  # questions that are looked at, those that wait longest
_CALLS = 5  # in one look, so 300 a minute; Slack names no limit of this method
_SECONDS, _ENDING = 5.0, 10.0  # of one call, and of clearing them all in the end
_LOADING = ("slack_loading_search", "slack_loading_quote", "slack_loading_check")


class Thread(NamedTuple):
    """Where a sign is; in one channel there may be several."""

    workspace: int
    channel: str
    ts: str


@dataclass(slots=True)
class _Sign:
    at: float
    posted: datetime | None


@asynccontextmanager
async def showing_signs(chat: Chat, accounts: Accounts) -> AsyncIterator[None]:
    """Signs of all workspaces; in the end none is left."""
    stop = asyncio.Event()
    showing = asyncio.create_task(Signs(chat, accounts).run(stop))
    try:
        yield
    finally:
        stop.set()
        await showing


class Signs:
    """Nothing of it reaches an answer: what fails is logged, and tried again where that is of use."""

    def __init__(self, chat: Chat, accounts: Accounts) -> None:
        self._chat = chat
        self._accounts = accounts
        self._shown: dict[Thread, _Sign] = {}
        self._free: dict[int, float] = {}  # workspaces: no call before

    async def run(self, stop: asyncio.Event) -> None:
        recalled = False
        while not stop.is_set():
            try:
                if not recalled:
                    await self._recall()
                    recalled = True
                await self._look(stop)
            except Exception as error:
                _log.warning("signs of work are not as they should be (%s)", type(error).__name__)
            await pause_unless(stop, _LOOK)
        with suppress(TimeoutError):
            async with asyncio.timeout(_ENDING):
                for thread in filter(self._may, list(self._shown)):
                    await self._clear(thread)

    async def _recall(self) -> None:
        """What an earlier process may have shown and not cleared."""
        for ended in await self._chat.questions.ended("slack", timedelta(seconds=LAPSE)):
            thread = _thread_of(ended)
            if thread is not None:
                self._shown[thread] = _Sign(time.monotonic() - REFRESH, None)

    async def _look(self, stop: asyncio.Event) -> None:
        """One call after another, so that a wait that Slack asks for is kept by the next one."""
        pending: dict[Thread, Pending] = {}
        for one in await self._chat.questions.pending("slack", _MOST):
            thread = _thread_of(one)
            if thread is not None:
                pending[thread] = one
        over = [thread for thread in self._shown if thread not in pending]
        due = [thread for thread, one in pending.items() if self._is_due(thread, one)]
        for thread in [one for one in over + due if self._may(one)][:_CALLS]:
            if stop.is_set():
                return
            if not self._may(thread):
                continue
            if thread in pending:
                await self._set(thread, pending[thread])
            else:
                await self._clear(thread)

    def _may(self, thread: Thread) -> bool:
        return time.monotonic() >= self._free.get(thread.workspace, 0.0)

    def _is_due(self, thread: Thread, pending: Pending) -> bool:
        sign = self._shown.get(thread)
        return sign is None or sign.posted != pending.posted or time.monotonic() - sign.at >= REFRESH

    async def _set(self, thread: Thread, pending: Pending) -> None:
        """It counts as shown even where the call fails, since it may have arrived."""
        self._shown[thread] = _Sign(time.monotonic(), pending.posted)
        language = pending.language or ""
        loading = [notice(code, language) for code in _LOADING]
        await self._call(thread, notice("slack_status", language), loading)

    async def _clear(self, thread: Thread) -> None:
        lapsed = time.monotonic() - self._shown[thread].at >= LAPSE
        if lapsed or await self._call(thread, ""):
            self._shown.pop(thread, None)

    async def _call(self, thread: Thread, status: str, loading: list[str] | None = None) -> bool:
        """Whether there is nothing to repeat."""
        account = await self._accounts.of_row(thread.workspace)
        if account is None:
            return True
        where = {"channel_id": thread.channel, "thread_ts": thread.ts}
        try:
            async with asyncio.timeout(_SECONDS):
                await account.client.assistant_threads_setStatus(
                    **where, status=status, loading_messages=loading
                )
        except FAILURES as error:
            _log.info("a sign of work was not changed (%s)", reason_of(error))
            wait = wait_of(error) if isinstance(error, SlackApiError) else None
            if wait is not None:
                self._free[thread.workspace] = time.monotonic() + wait
            return isinstance(error, SlackApiError) and not (wait is not None or _may_pass(error))
        return True


def _may_pass(error: SlackApiError) -> bool:
    return code_of(error) in TRANSIENT_CODES or status_of(error) >= 500


def _thread_of(pending: Pending) -> Thread | None:
    """The thread in which we answer; in a direct chat the one that the question would begin. None for what
    was asked by a command there."""
    ts = pending.place.thread or pending.message
    return None if ts is None else Thread(pending.workspace, pending.place.chat, ts)
