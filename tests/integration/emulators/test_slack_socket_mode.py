"""slack-bolt over Socket Mode: answers, redelivery, and connections that end in every way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import aiohttp
import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler

from tests.emulators.slack.deliveries import Redelivery
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.tiers import Windows
from tests.integration.emulators.bolt import FEEDBACK, make_app, socket_mode

QUICK = Redelivery(ack_within=0.3, waits=(0.01, 0.01, 0.01))


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with SlackServer(redelivery=QUICK, windows=Windows(post=0.0)) as server:
        yield server


def answering(slack: SlackServer, heard: list[str]) -> AsyncApp:
    app = make_app(slack)

    @app.event("app_mention")
    async def _mention(event: dict[str, Any], say: Any) -> None:
        heard.append(event["text"])
        await say(f"answer to {event['ts']}", thread_ts=event["ts"])

    @app.event("message")
    async def _message(event: dict[str, Any], say: Any) -> None:
        if event.get("channel_type") == "im" and not event.get("subtype"):
            heard.append(event["text"])
            await say(f"answer to {event['ts']}")

    return app


def answers(slack: SlackServer) -> list[str]:
    return [one.text for one in slack.workspace.messages() if one.bot_id == slack.workspace.bot_id]


async def test_a_mention_is_answered_by_streaming(slack: SlackServer) -> None:
    slack.deliveries.redelivery = Redelivery(ack_within=10.0)  # once, however busy the machine is
    app = make_app(slack)

    @app.event("app_mention")
    async def _mention(say_stream: Any, set_status: Any) -> None:
        await set_status(status="searching PubMed…", loading_messages=["reading 5 reviews…"])
        streamer = await say_stream(buffer_size=8)
        for piece in ("Aspirin ", "75 mg ", "once a day [1]."):
            await streamer.append(markdown_text=piece)
        await streamer.stop(blocks=FEEDBACK)

    @app.event("message")
    async def _ignored() -> None: ...

    async with socket_mode(slack, app):
        ts = await slack.people.say("C1", "dose of aspirin < 5 mg?", mention=True)
        assert await slack.until(lambda: slack.ledger.calls["chat.stopStream"])
        assert await slack.settle()
    question, answer = slack.workspace.channels["C1"].messages
    assert question.text == "<@UBOT> dose of aspirin &lt; 5 mg?"
    assert (answer.text, answer.thread_ts) == ("Aspirin 75 mg once a day [1].", ts)
    assert answer.stream
    assert (answer.stream.state, answer.stream.recipient, answer.stream.appends) == ("closed", "U1", 1)
    assert answer.blocks == FEEDBACK
    statuses = slack.workspace.channels["C1"].statuses[ts]
    assert [one.text for one in statuses] == ["searching PubMed…", ""]
    mention, message = slack.deliveries.all[:2]
    assert (mention.payload["event"]["type"], message.payload["event"]["type"]) == ("app_mention", "message")
    assert mention.payload["event_id"] != message.payload["event_id"]
    assert {one.outcome for one in slack.deliveries.all} == {"acked"}
    assert slack.transcript("C1").splitlines() == [
        "── #general ──",
        "person 1: <@UBOT> dose of aspirin < 5 mg?",
        "    carecite: Aspirin 75 mg once a day [1].",
        "      [ Helpful ]  [ Not helpful ]",
    ]


async def test_a_button_and_a_slash_command(slack: SlackServer) -> None:
    app = answering(slack, [])
    clicked: list[Any] = []

    @app.action("feedback")
    async def _feedback(ack: Any, body: dict[str, Any], respond: Any) -> None:
        await ack()
        clicked.append((body["user"]["id"], body["actions"][0]["value"]))
        await respond(text="Thank you", response_type="ephemeral", replace_original=False)

    @app.command("/ask")
    async def _ask(ack: Any, command: dict[str, Any]) -> None:
        await ack(f"Looking for {command['text']}")

    async with socket_mode(slack, app):
        posted = await app.client.chat_postMessage(channel="C1", text="answer", blocks=FEEDBACK)
        assert await slack.people.click("C1", posted["ts"], "feedback", value="bad", user="U2") == {}
        assert (await slack.people.slash("C1", "/ask", "gout"))["text"] == "Looking for gout"
        assert await slack.until(lambda: slack.ledger.calls["response_url"])
        with pytest.raises(LookupError):
            await slack.people.click("C1", posted["ts"], "share")
    assert clicked == [("U2", "bad")]
    shown = [(one.text, one.ephemeral_to) for one in slack.workspace.messages() if one.ephemeral_to]
    assert sorted(shown) == [("Looking for gout", "U1"), ("Thank you", "U2")]


async def test_a_modal_is_opened_once_by_its_trigger(slack: SlackServer) -> None:
    app = make_app(slack)
    triggers: list[str] = []
    reason = {"type": "plain_text_input", "action_id": "reason"}
    label = {"type": "plain_text", "text": "Why?"}
    modal = {
        "type": "modal",
        "callback_id": "reason",
        "title": {"type": "plain_text", "text": "Feedback"},
        "submit": {"type": "plain_text", "text": "Send"},
        "blocks": [{"type": "input", "block_id": "why", "label": label, "element": reason}],
    }

    @app.shortcut("about")
    async def _about(ack: Any, shortcut: dict[str, Any], client: Any) -> None:
        await ack()
        triggers.append(shortcut["trigger_id"])
        await client.views_open(trigger_id=shortcut["trigger_id"], view=modal)

    @app.view("reason")
    async def _reason(ack: Any, view: dict[str, Any]) -> None:
        value = view["state"]["values"]["why"]["reason"]["value"]
        await (ack() if value else ack(response_action="errors", errors={"why": "Say why"}))

    @app.event("message")
    async def _ignored() -> None: ...

    async with socket_mode(slack, app):
        ts = await slack.people.say("C1", "gout")
        assert await slack.people.shortcut("about", "C1", ts) == {}
        assert await slack.until(lambda: slack.workspace.views)
        (view,) = slack.workspace.views.values()
        refused = await slack.people.submit(view.id, {"why": {"reason": {"value": None}}})
        assert refused["response_action"] == "errors"
        assert not view.closed
        assert await slack.people.submit(view.id, {"why": {"reason": {"value": "too long"}}}) == {}
        assert view.closed
        with pytest.raises(SlackApiError, match="exchanged_trigger_id"):
            await app.client.views_open(trigger_id=triggers[0], view=modal)


async def test_an_interaction_without_ack_is_not_sent_again(slack: SlackServer) -> None:
    async with socket_mode(slack, answering(slack, [])):
        assert await slack.people.slash("C1", "/unknown") == {"error": "operation_timeout"}
    assert len(slack.deliveries.all[-1].attempts) == 1


async def test_an_event_without_ack_comes_four_times(slack: SlackServer) -> None:
    seen: list[tuple[str, str]] = []
    app = make_app(slack, process_before_response=True)

    @app.middleware
    async def _slow(req: Any, body: dict[str, Any], next: Any) -> None:
        seen.append((body["event_id"], req.headers["x-slack-retry-num"][0]))
        await asyncio.sleep(1.0 if len(seen) < 4 else 0.0)
        await next()

    @app.event("message")
    async def _message() -> None: ...

    async with socket_mode(slack, app):
        await slack.people.say("C1", "gout")
        assert await slack.settle()
    (delivery,) = slack.deliveries.all
    assert delivery.outcome == "acked"
    assert [number for _, number in seen] == ["0", "1", "2", "3"]
    assert len({event for event, _ in seen}) == 1


async def test_an_event_that_nobody_takes_is_given_up(slack: SlackServer) -> None:
    async with socket_mode(slack, make_app(slack)):
        await slack.people.say("dm", "gout")
        assert await slack.settle()
    (delivery,) = slack.deliveries.all
    assert (delivery.outcome, len(delivery.attempts)) == ("given_up", 4)


async def test_events_can_come_again_after_their_ack(slack: SlackServer) -> None:
    heard: list[str] = []
    async with socket_mode(slack, answering(slack, heard)):
        ts = await slack.people.say("dm", "gout")
        assert await slack.settle()
        await slack.people.redeliver(ts, times=2)
        assert await slack.until(lambda: len(answers(slack)) == 3)
    assert heard == ["gout"] * 3  # bolt does not deduplicate


async def test_the_own_echo_is_dropped_and_other_bots_are_heard(slack: SlackServer) -> None:
    heard: list[str] = []
    async with socket_mode(slack, answering(slack, heard)):
        await slack.people.say("dm", "gout")
        assert await slack.until(lambda: answers(slack))
        await slack.people.bot_says("C1", "weekly report", mention=True)
        assert await slack.until(lambda: len(heard) == 2)
        assert await slack.settle()
    assert [one.outcome for one in slack.deliveries.all] == ["acked"] * len(slack.deliveries.all)
    assert len(answers(slack)) == 2


@pytest.mark.parametrize("end", ["disconnect", "cut_sockets"])
async def test_a_connection_that_ends_is_replaced(slack: SlackServer, end: str) -> None:
    heard: list[str] = []
    async with socket_mode(slack, answering(slack, heard), ping_interval=0.5):
        assert await getattr(slack.sockets, end)() == 1
        ts = await slack.people.say("dm", "gout")
        assert await slack.until(lambda: slack.sockets.opened == 2, 20)
        assert await slack.until(lambda: answers(slack) == [f"answer to {ts}"], 20)
        assert await slack.settle()
    assert slack.sockets.refused == 0
    assert heard == ["gout"]


@pytest.mark.parametrize("end", ["mute_sockets", "freeze_sockets"])
async def test_a_peer_that_never_answers_is_left(slack: SlackServer, end: str) -> None:
    heard: list[str] = []
    async with socket_mode(slack, answering(slack, heard), ping_interval=0.5):
        await getattr(slack.sockets, end)()
        assert await slack.until(lambda: slack.sockets.opened == 2, 30)
        await slack.people.say("dm", "gout")
        assert await slack.until(lambda: len(answers(slack)) == 1, 30)
    assert heard == ["gout"]


async def test_two_replicas_share_the_events(slack: SlackServer) -> None:
    first: list[str] = []
    second: list[str] = []
    async with (
        socket_mode(slack, answering(slack, first)),
        socket_mode(slack, answering(slack, second)),
    ):
        assert await slack.until(lambda: len(slack.sockets.links) == 2)
        for number in range(4):
            await slack.people.say("C1", f"question {number}", mention=True)
        assert await slack.until(lambda: len(answers(slack)) == 4)
        assert await slack.settle()
        assert [link.sent > 0 for link in slack.sockets.links] == [True, True]
    assert sorted(first + second) == [f"<@UBOT> question {number}" for number in range(4)]


async def test_four_messages_at_one_a_second_with_waits_obeyed() -> None:
    async with SlackServer() as slack:
        app = answering(slack, [])
        app.client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=9))
        async with socket_mode(slack, app):
            for number in range(3):
                await slack.people.say("dm", f"question {number}")
            assert await slack.until(lambda: len(answers(slack)) == 3, 30)
            assert await slack.settle()
    assert slack.ledger.throttles
    posts = [one.at for one in slack.workspace.messages() if one.bot_id]
    assert all(later - earlier >= 1.0 for earlier, later in pairwise(posts))


async def test_a_payload_that_cannot_be_read_does_not_end_the_connection(slack: SlackServer) -> None:
    heard: list[str] = []
    async with socket_mode(slack, answering(slack, heard)):
        await slack.people.push_payload({"type": "event_callback", "event": None})
        await slack.people.push({"type": "message", "channel_type": "im"})
        await slack.people.say("dm", "gout")
        assert await slack.until(lambda: heard == ["gout"])
        assert await slack.until(lambda: len(slack.deliveries.all) >= 4)


async def test_a_wrong_app_token_opens_nothing(slack: SlackServer) -> None:
    app = make_app(slack)
    for token, error in (("xapp-wrong", "invalid_auth"), ("xoxb-bot-4711", "not_allowed_token_type")):
        with pytest.raises(SlackApiError, match=error):
            await app.client.apps_connections_open(app_token=token)
    assert not slack.sockets.tickets


async def test_a_ticket_opens_one_connection(slack: SlackServer) -> None:
    opened = await make_app(slack).client.apps_connections_open(app_token=slack.app_token)
    async with aiohttp.ClientSession() as http:
        async with http.ws_connect(str(opened["url"])) as socket:
            assert (await socket.receive_json())["type"] == "hello"
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await http.ws_connect(str(opened["url"]))
    assert slack.sockets.refused == 1
