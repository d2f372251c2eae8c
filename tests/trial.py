"""`carecite serve` tried without a real workspace: both emulators, a few people, and what they then read.

    make trial

Everything is real but the platforms. It begins in an empty home: loading the library takes half a minute.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from tempfile import TemporaryDirectory

from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.tiers import Windows
from tests.emulators.telegram.server import TelegramServer
from tests.stages.stage import WAITING

PATIENCE = 300.0  # seconds
_TEMPLATES = tuple(words.partition("{")[0] for words in WAITING)


async def try_out(home: str) -> tuple[str, str]:
    """The transcripts of a Slack channel and of a Telegram chat."""
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(SlackServer(windows=Windows(tier=0.0)))
        telegram = await stack.enter_async_context(TelegramServer())
        settings = {
            "CARECITE_HOME": home,
            "CARECITE_SLACK_BOT_TOKEN": slack.bot_token,
            "CARECITE_SLACK_APP_TOKEN": slack.app_token,
            "CARECITE_SLACK_BASE_URL": slack.base_url,
            "CARECITE_TELEGRAM_TOKEN": telegram.token,
            "CARECITE_TELEGRAM_BASE_URL": telegram.base_url,
        }
        await stack.enter_async_context(_serving(settings))
        await asyncio.gather(_use_slack(slack), _use_telegram(telegram))
        return slack.transcript("C1"), telegram.transcript(11)


@asynccontextmanager
async def _serving(settings: Mapping[str, str]) -> AsyncIterator[Process]:
    words = (sys.executable, "-m", "bot.cli", "serve")
    process = await asyncio.create_subprocess_exec(*words, env=os.environ | settings, stderr=PIPE)
    assert process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            while line := (await process.stderr.readline()).decode():
                sys.stderr.write(line)
                if "waits for jobs" in line:
                    break
        following = asyncio.create_task(_follow(process))
        yield process
        process.send_signal(signal.SIGTERM)
        await process.wait()
        await following
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _follow(process: Process) -> None:
    assert process.stderr is not None
    while line := await process.stderr.readline():
        sys.stderr.write(line.decode())


async def _use_slack(slack: SlackServer) -> None:
    """A mention in a channel, and what follows in its thread."""

    async def answered(asked: str, times: int) -> None:
        def said() -> int:
            messages = slack.workspace.channels["C1"].messages
            ours = [one for one in messages if one.bot_id and one.thread_ts == asked and not one.deleted]
            return sum(not one.text.startswith(_TEMPLATES) for one in ours)

        assert await slack.until(lambda: said() >= times, PATIENCE), "no answer in Slack"

    asked = await slack.people.say("C1", "What are the symptoms of gout?", mention=True)
    await answered(asked, 1)
    await slack.people.say("C1", "What is the treatment?", thread_ts=asked)
    await answered(asked, 2)


async def _use_telegram(telegram: TelegramServer) -> None:
    """A question before anybody has agreed to anything, the agreement, and somebody in danger."""

    def find(*words: str) -> list[int]:
        place = telegram.state.chats.get(11)
        ours = [one for one in place.messages if one.sender is telegram.state.bot] if place else []
        return [one.id for one in ours if any(word in one.text for word in words) and not one.deleted]

    async def shown(*words: str) -> int:
        assert await telegram.until(lambda: find(*words), PATIENCE), "no answer in Telegram"
        return find(*words)[-1]

    await telegram.people.say("What are the side effects of radiation therapy for lung cancer?")
    asks = await shown("Do you agree?")
    await telegram.people.click(asks, "consent:yes")
    await shown("[1]")
    await telegram.people.say("My chest hurts badly and I cannot breathe")
    await shown("emergency number")


def main() -> None:
    with TemporaryDirectory(prefix="carecite-") as home:
        for transcript in asyncio.run(try_out(home)):
            sys.stdout.write("\n".join(map(_wrap, transcript.split("\n"))) + "\n")


def _wrap(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())] + "  "
    wrapped = textwrap.wrap(
        line, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(wrapped)


if __name__ == "__main__":
    main()
