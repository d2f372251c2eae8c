"""Both emulators as one program: another process speaks as a person, and sees what came of it."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import httpx
import pytest

from tests.emulators.chat.process import Platforms, run_platforms

ROOT = Path(__file__).resolve().parents[3]


def start_bot(platforms: Platforms, *, slow: bool, early: bool) -> Popen[bytes]:
    """A bot in a process of its own; see there."""
    told = json.dumps(platforms.addresses["slack"] | {"slow": slow, "early": early})
    words = [sys.executable, "-m", "tests.integration.emulators.killable_bot"]
    environment = os.environ | {"BOT": told, "PYTHONPATH": str(ROOT)}
    return Popen(words, cwd=ROOT, env=environment, stdout=PIPE)


@pytest.mark.parametrize("early", [False, True])
async def test_a_bot_killed_at_work_gets_only_unacknowledged_events_again(early: bool) -> None:
    """With Bolt's own early acknowledgement the question is lost: it has to be stored before."""
    async with run_platforms("--waits", "0.1", "0.1", "0.1", "--ack-within", "1", "--pace", "0") as platforms:
        first = start_bot(platforms, slow=True, early=early)
        assert first.stdout
        assert first.stdout.readline() == b"ready\n"
        ts = await platforms.slack.do("say", channel="dm", text="gout")
        assert first.stdout.readline() == b"heard\n"
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        second = start_bot(platforms, slow=False, early=early)
        try:
            assert second.stdout
            assert second.stdout.readline() == b"ready\n"
            assert await platforms.slack.do("settle", seconds=30)
        finally:
            os.kill(second.pid, signal.SIGKILL)
            second.wait()
        state = await platforms.slack.state()
        for bot in (first, second):
            assert bot.stdout
            bot.stdout.close()
    direct = state["workspaces"]["T1"]["channels"]["D1"]["messages"]
    answers = [] if early else [f"answer to {ts}"]
    assert [message["text"] for message in direct] == ["gout", *answers]
    question = state["deliveries"][0]
    assert question["outcome"] == "acked"
    assert len(question["attempts"]) == (1 if early else 2)


async def call(platforms: Platforms, method: str, **arguments: Any) -> Any:
    told = platforms.addresses["telegram"]
    async with httpx.AsyncClient(trust_env=False) as http:
        return (await http.post(f"{told['base_url']}{told['token']}/{method}", json=arguments)).json()


async def test_the_control_plane() -> None:
    async with run_platforms("--pace", "0", "--copies", "2") as platforms:
        telegram = platforms.telegram
        message = await telegram.do("say", text="what is gout?", user=12)
        first = (await call(platforms, "getUpdates"))["result"]
        again = (await call(platforms, "getUpdates", offset=first[0]["update_id"] + 1))["result"]
        assert first == again  # two copies
        assert (await call(platforms, "getUpdates", offset=first[0]["update_id"] + 1))["result"] == []
        await telegram.do("fail", kind="throttle", method="sendMessage", value=34)
        refused = await call(platforms, "sendMessage", chat_id=12, text="gout is …")
        assert refused["parameters"] == {"retry_after": 34}
        await call(
            platforms, "sendMessage", chat_id=12, text="gout is …", reply_parameters={"message_id": message}
        )
        assert (await telegram.transcript(12)).splitlines()[1:] == [
            "person 12: what is gout?",
            "  ┌ what is gout?",
            "carecite: gout is …",
        ]
        state = await telegram.state()
        assert state["ledger"]["calls"] == {"getUpdates": 3, "sendMessage": 2}
        for verb, arguments in (
            ("shout", {}),
            ("say", {"loud": True}),
            ("edit", {"message_id": 9, "text": "x"}),
        ):
            with pytest.raises(ValueError, match=r"verbs: |TypeError|LookupError"):
                await telegram.do(verb, **arguments)
