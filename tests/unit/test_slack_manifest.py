"""The manifest of the Slack app asks for what the code uses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bot.intake.wording import COMMANDS
from bot.slack.dialog import SHORTCUT
from bot.slack.installing import SCOPES
from reasoning.notices import notice

MANIFEST: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "config" / "slack_manifest.json").read_text()
)


def test_every_command_is_there_with_its_meaning() -> None:
    told = {one["command"]: one["description"] for one in MANIFEST["features"]["slash_commands"]}
    assert told == {f"/{name}": notice(f"command_{name}", "en") for name in COMMANDS["slack"]}


def test_the_shortcut_is_the_one_that_is_read() -> None:
    (shortcut,) = MANIFEST["features"]["shortcuts"]
    assert (shortcut["type"], shortcut["callback_id"]) == ("message", SHORTCUT)


def test_events_of_messages_have_their_scopes() -> None:
    scopes = set(MANIFEST["oauth_config"]["scopes"]["bot"])
    events = MANIFEST["settings"]["event_subscriptions"]["bot_events"]
    kinds = [event.partition(".")[2] for event in events if event.startswith("message.")]
    assert {f"{kind}:history" for kind in kinds} <= scopes
    assert set(SCOPES) == scopes
    assert {"app_mentions:read", "chat:write", "commands", "files:write", "im:write"} <= scopes
