"""A channel and a chat as text."""

from __future__ import annotations

from typing import Any

from tests.emulators.slack.state import Channel, Message, Person, Stream, Version, Workspace
from tests.emulators.slack.transcript import render_channel
from tests.emulators.telegram import state as telegram
from tests.emulators.telegram.transcript import render_chat

PARTS: list[dict[str, Any]] = [
    {"type": "text", "text": "Rest "},
    {"type": "link", "url": "https://example.org/1", "text": "[1]"},
]
BLOCKS: list[dict[str, Any]] = [
    {"type": "header", "text": {"type": "plain_text", "text": "Answer"}},
    {"type": "section", "text": {"type": "mrkdwn", "text": "75 mg &lt; 100 mg <https://example.org/2|[2]>"}},
    {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": PARTS}]},
    {
        "type": "table",
        "rows": [[{"type": "raw_text", "text": "dose"}, {"type": "raw_text", "text": "75 mg"}]],
    },
    {"type": "divider"},
    {"type": "context", "elements": [{"type": "mrkdwn", "text": "general information"}]},
]


def test_a_channel() -> None:
    workspace = Workspace("T1", "w", "xoxb-", "UBOT", "B1")
    workspace.people = {"U1": Person("U1", "person 1"), "UBOT": Person("UBOT", "carecite", bot=True)}
    channel = Channel("C1", "channel", "general")
    question = Message("1.0", "C1", "U1", "gout?", 0.0, edits=[Version("goat?", [], 0.0)])
    answer = Message("2.0", "C1", "UBOT", "fallback", 0.0, BLOCKS, "B1", "1.0", reactions={"eyes": ["U1"]})
    hidden = Message("3.0", "C1", "UBOT", "why?", 0.0, bot_id="B1", ephemeral_to="U1")
    streamed = Message("4.0", "C1", "UBOT", "Take", 0.0, bot_id="B1", stream=Stream(0.0, "U1"))
    gone = Message("5.0", "C1", "U1", "oops", 0.0, deleted=True)
    channel.messages = [question, hidden, answer, streamed, gone]
    assert render_channel(workspace, channel).splitlines() == [
        "── #general ──",
        "person 1 (edited): gout?",
        "    carecite: Answer",
        "      75 mg < 100 mg [2] ‹https://example.org/2›",
        "      Rest [1] ‹https://example.org/1›",
        "      dose | 75 mg",
        "      ────",
        "      general information",
        "      :eyes: 1",
        "carecite (only visible to U1): why?",
        "carecite (streaming): Take",
        "person 1: [deleted]",
    ]


def test_a_chat() -> None:
    bot, person = telegram.User(1, "carecite", bot=True), telegram.User(11, "person 11")
    chat = telegram.Chat(-5, "supergroup", "group -5", topics={7: "Dosing"})
    link = {"type": "text_link", "offset": 3, "length": 3, "url": "https://example.org/1"}
    chat.messages = [
        telegram.Message(1, person, "gout? " * 20, 0, 0.0, topic=7),
        telegram.Message(2, bot, "😀 [1]\nrest", 0, 0.0, [link], reply_to=1),
        telegram.Message(3, person, "oops", 0, 0.0, deleted=True),
    ]
    chat.drafts = [telegram.Draft(1, "", 1.0)]
    assert render_chat(telegram.State(bot), chat).splitlines() == [
        "── group -5 ──",
        f"person 11 (topic Dosing): {('gout? ' * 20).strip()}",
        f"  ┌ {('gout? ' * 20)[:60]}…",
        "carecite: 😀 [1] ‹https://example.org/1›",
        "  rest",
        "person 11: [deleted]",
        "  … thinking",
    ]
