"""`carecite serve` as a process of its own, against the emulators of the platforms."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg

from storage.postgres.binaries import find_bin_dir
from tests.emulators.slack.server import SlackServer
from tests.emulators.telegram.server import TelegramServer
from tests.program import HANG, NOWHERE, Program, environment


@dataclass(slots=True)
class Serving:
    """The program, its databases and all that it wrote; `start` and `kill` as often as one likes."""

    settings: dict[str, str]
    words: tuple[str, ...] = ("serve",)
    lines: list[str] = field(default_factory=list)
    process: subprocess.Popen[str] | None = None

    async def start(self, said: str = "waits for jobs") -> None:
        """Until it says so."""
        before = len(self.lines)
        self.process = await asyncio.to_thread(self._spawn)
        threading.Thread(target=self._read, args=(self.process,), daemon=True).start()
        await self.until(lambda: any(said in line for line in self.lines[before:]) or not self.running)
        assert self.running, self.lines

    def _spawn(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "bot.cli", *self.words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=NOWHERE,
            env=environment(**self.settings),
        )

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self.lines.append(line.rstrip("\n"))

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    async def end(self, how: int = signal.SIGTERM) -> int:
        """Its exit code."""
        if self.process is None:
            return 0
        self.process.send_signal(how)
        return await asyncio.to_thread(self.process.wait, HANG)

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.settings["CARECITE_HISTORY_URL"], autocommit=True) as connection:
            return connection.execute(statement).fetchall()

    async def until(self, happened: Callable[[], object], seconds: float = HANG) -> None:
        """Raises TimeoutError, a limit against hanging."""
        async with asyncio.timeout(seconds):
            while not await asyncio.to_thread(happened):  # noqa: ASYNC110  # of a process and a database
                await asyncio.sleep(0.05)

    async def until_finished(self, seconds: float = HANG) -> None:
        """Every question has its end, and everything was sent. Raises TimeoutError."""
        unfinished = "SELECT 1 FROM inbox WHERE state IN ('received', 'working')"
        unsent = "SELECT 1 FROM outbox WHERE state IN ('pending', 'sending')"
        await self.until(lambda: not self.query(unfinished) and not self.query(unsent), seconds)


@asynccontextmanager
async def serving(
    carecite: Program,
    platform: TelegramServer | SlackServer,
    name: str,
    *words: str,
    start: bool = True,
    **settings: str,
) -> AsyncIterator[Serving]:
    """On a history of its own, which begins as a copy, and the corpus of `carecite`."""
    own = address_of(platform)
    served = Serving(settings_for(carecite, name, **own, **settings), words or ("serve",))
    async with killed_in_the_end(served):
        if start:
            await served.start()
        yield served


def settings_for(carecite: Program, name: str, **settings: str) -> dict[str, str]:
    """The corpus of `carecite`, and a fresh history of this name."""
    own = {
        "CARECITE_HISTORY_URL": carecite.copy_database("history", name),
        "CARECITE_WORKER_HEARTBEAT": "0.5",
    }
    return carecite.settings() | own | settings


@asynccontextmanager
async def killed_in_the_end(*served: Serving) -> AsyncIterator[None]:
    try:
        yield
    finally:
        for one in served:
            if one.running:
                await one.end(signal.SIGKILL)


def address_of(platform: TelegramServer | SlackServer) -> dict[str, str]:
    """The settings that lead to an emulator."""
    if isinstance(platform, SlackServer):
        return {
            "CARECITE_SLACK_BOT_TOKEN": platform.bot_token,
            "CARECITE_SLACK_APP_TOKEN": platform.app_token,
            "CARECITE_SLACK_BASE_URL": platform.base_url,
        }
    return {"CARECITE_TELEGRAM_TOKEN": platform.token, "CARECITE_TELEGRAM_BASE_URL": platform.base_url}


def dump(url: str) -> str:
    """What a backup of the database would hold."""
    words = [find_bin_dir() / "pg_dump", "--dbname", url]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def tables_with(served: Serving, word: str) -> list[str]:
    """Every table of the history in which the word stands somewhere."""
    tables = served.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
    return [
        table
        for (table,) in tables
        if served.query(f"SELECT 1 FROM {table} AS t WHERE t::text ILIKE '%{word}%' LIMIT 1")
    ]
