"""Watchdogs, readiness and metrics over real sockets, with the emulator of Telegram."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

import bot.watching
from bot.health.probes import PortTaken, Probes, answering_probes
from bot.sender import send_all
from bot.telegram import open_telegram
from bot.watching import ReceiverStuck, keep_receiving, seconds_deaf
from config import Settings
from config.settings import Health
from reasoning.notices import notice
from storage.database import create_engine
from storage.history.chat import Chat, Message, Part, Place, open_chat
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.answerer import LONG, answer, settled
from tests.integration.chat.surface import agree, running, said
from tests.integration.emulators.test_telegram_webhook import free_port
from tests.integration.storage.documents import query


@asynccontextmanager
async def asked(probes: Probes) -> AsyncIterator[aiohttp.ClientSession]:
    """A client of the probes."""
    health = Health(port=free_port())
    async with (
        answering_probes(health, probes),
        aiohttp.ClientSession(f"http://127.0.0.1:{health.port}") as client,
    ):
        yield client


async def read(client: aiohttp.ClientSession, path: str) -> tuple[int, str]:
    async with client.get(path) as reply:
        return reply.status, await reply.text()


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(pace=0) as server:
        yield server


async def test_a_deaf_poller_begins_anew(
    chat: Chat, url: str, telegram: TelegramServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 13: polls are taken and never answered. Readiness turns red, and a new beginning hears again."""
    own = {"token": telegram.token, "base_url": telegram.base_url}
    async with open_telegram(Settings(home=tmp_path, telegram=own), chat) as surface:
        receiver, stop = surface.receiver, asyncio.Event()
        receiver.patience = 0.5
        await telegram.fail(kind="hang", method="getUpdates", times=None)
        tasks = [
            asyncio.create_task(keep_receiving("telegram", receiver, stop)),
            asyncio.create_task(send_all(chat, surface.door, stop)),
        ]
        async with asked(Probes(chat, {"telegram": receiver})) as client:
            assert await telegram.until(lambda: seconds_deaf(receiver) is not None, LONG)
            status, body = await read(client, "/readyz")
            assert status == 503
            assert '"telegram": "deaf"' in body
            assert (await read(client, "/healthz"))[0] == 200
            assert await telegram.until(lambda: telegram.ledger.calls["getUpdates"] >= 2, LONG)
            receiver.patience = 70.0
            await telegram.heal()
            await telegram.people.say("/help")
            await said(telegram, "/help:")
            assert (await read(client, "/readyz"))[0] == 200
        stop.set()
        await asyncio.gather(*tasks)
    assert "telegram has been silent" in caplog.text


class Clinging:
    """A receiver that does not let go."""

    last_good, patience = 0.0, 0.1

    def __init__(self) -> None:
        self.released = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        while not self.released.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await self.released.wait()


async def test_a_receiver_that_does_not_let_go_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.watching, "_LETTING_GO", 0.1)
    clinging = Clinging()
    with pytest.raises(ReceiverStuck, match="silent and cannot be ended"):
        await keep_receiving("telegram", clinging, asyncio.Event())
    clinging.released.set()


async def test_a_wait_that_was_asked_for_outlives_a_new_beginning(
    chat: Chat, telegram: TelegramServer, tmp_path: Path
) -> None:
    own = {"token": telegram.token, "base_url": telegram.base_url}
    async with open_telegram(Settings(home=tmp_path, telegram=own), chat) as surface:
        receiver, stop = surface.receiver, asyncio.Event()
        receiver.patience = 0.3
        await telegram.fail(kind="throttle", method="getUpdates", value=2, times=1)
        task = asyncio.create_task(keep_receiving("telegram", receiver, stop))
        assert await telegram.until(lambda: telegram.ledger.calls["getUpdates"] >= 2, LONG)
        stop.set()
        await task
    first, second = [call.at for call in telegram.ledger.log if call.method == "getUpdates"][:2]
    assert second - first >= 2.0


async def test_readiness_tells_what_is_wrong(chat: Chat, url: str, telegram: TelegramServer) -> None:
    receiver = Clinging()
    receiver.patience = None
    async with asked(Probes(chat, {"telegram": receiver})) as client:
        status, body = await read(client, "/readyz")
        assert (status, json.loads(body)) == (
            200,
            {"ready": True, "database": "ok", "telegram": "ok", "outbox": "ok"},
        )
        mine = await chat.workspaces.install("telegram", "4711")
        place = Place("11")
        await chat.inbox.hold(
            Message(mine.id, "1", "11", place), None, parts=[Part("words 1", {"text": "Hi"})]
        )
        for moment in ("lanes SET due_at", "workspaces SET free_at"):
            query(url, f"UPDATE {moment} = now() - interval '3 minutes'")
        status, body = await read(client, "/readyz")
        assert (status, json.loads(body)["outbox"]) == (503, "stuck")
    async with asked(Probes(chat, {})) as client:
        status, body = await read(client, "/readyz")
        assert (status, json.loads(body)) == (200, {"ready": True, "database": "ok"})


async def test_without_a_database_it_lives_and_is_not_ready(settings: Settings) -> None:
    engine = create_engine("postgresql://nobody@127.0.0.1:9/nothing")
    async with asked(Probes(await open_chat(engine, settings), {})) as client:
        assert (await read(client, "/healthz"))[0] == 200
        assert await read(client, "/readyz") == (503, '{"ready": false, "database": "ServerUnavailable"}')
        assert await read(client, "/metrics") == (503, "ServerUnavailable")
    await engine.dispose()


async def test_a_port_that_is_taken(chat: Chat) -> None:
    health = Health(port=free_port())
    async with answering_probes(health, Probes(chat, {})):
        with pytest.raises(PortTaken, match="cannot be used"):
            async with answering_probes(health, Probes(chat, {})):
                pass


async def test_metrics_count_and_name_nobody(
    chat: Chat, url: str, telegram: TelegramServer, tmp_path: Path
) -> None:
    """A question with a marker: taken, answered, once postponed by a 429."""
    marker = "quokkamarker"
    async with running(chat, telegram, tmp_path), asked(Probes(chat, {})) as client:
        before = await numbers(client)
        await agree(telegram, 4242424242)
        await telegram.people.say(f"Is gout a {marker}?", user=4242424242)
        await said(telegram, notice("chat_placeholder", "en"), 4242424242)
        await telegram.fail(kind="throttle", method="editMessageText", value=1, times=1)
        await answer(chat, url, f"No {marker}.")
        await said(telegram, marker, 4242424242)
        await settled(telegram, url)
        text = (await read(client, "/metrics"))[1]
        after = await numbers(client)
    for sample, more in {
        'carecite_questions_total{end="answered",platform="telegram"}': 1,
        'carecite_questions_taken_total{platform="telegram"}': 1,
        'carecite_first_sign_seconds_count{platform="telegram"}': 1,
        'carecite_answer_seconds_count{platform="telegram"}': 1,
        'carecite_postponed_total{code="flood",platform="telegram"}': 1,
        'carecite_retries_total{platform="telegram"}': 1,
    }.items():
        assert after[sample] - before.get(sample, 0) == more, sample
    assert after['carecite_accept_seconds_count{platform="telegram"}'] >= 3
    assert marker not in text
    assert "4242424242" not in text


async def numbers(client: aiohttp.ClientSession) -> dict[str, float]:
    """Every sample of /metrics, as Prometheus' own parser reads it."""
    families = text_string_to_metric_families((await read(client, "/metrics"))[1])
    found = {}
    for sample in (sample for family in families for sample in family.samples):
        labels = ",".join(f'{name}="{value}"' for name, value in sorted(sample.labels.items()))
        found[f"{sample.name}{{{labels}}}"] = sample.value
    return found
