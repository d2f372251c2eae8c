"""slack-sdk against the emulator: streams, limits, pace, faults, files, views and statuses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.tiers import Windows


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with SlackServer(windows=Windows(post=0.0, tier=0.0)) as server:
        yield server


@pytest.fixture
def client(slack: SlackServer) -> AsyncWebClient:
    return AsyncWebClient(slack.bot_token, base_url=slack.base_url)


def section(length: int) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": "a" * length}}


async def refusal(call: Any) -> str:
    with pytest.raises(SlackApiError) as refused:
        await call
    return str(refused.value.response["error"])


async def stream_to(client: AsyncWebClient, slack: SlackServer, **more: Any) -> Any:
    ts = await slack.people.say("C1", "gout")
    named = {"recipient_user_id": "U1", "recipient_team_id": "T1"} | more
    return await client.chat_stream(channel="C1", thread_ts=ts, buffer_size=4, **named)


async def test_a_stream_that_expires_keeps_its_text_and_can_be_updated(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    streamer = await stream_to(client, slack)
    await streamer.append(markdown_text="Colchicine ")
    await streamer.append(markdown_text="0.5 mg ")
    await streamer.append(markdown_text="tw")
    assert await slack.expire_streams() == 1
    assert await refusal(streamer.append(markdown_text="ice a day")) == "message_not_in_streaming_state"
    assert await refusal(streamer.stop()) == "message_not_in_streaming_state"
    message = slack.workspace.messages()[-1]
    assert (message.text, streamer.ts) == ("Colchicine 0.5 mg ", message.ts)
    await client.chat_update(channel="C1", ts=streamer.ts, text="Colchicine 0.5 mg twice a day")
    assert message.text == "Colchicine 0.5 mg twice a day"


async def test_streams_are_refused_for_what_slack_refuses(slack: SlackServer, client: AsyncWebClient) -> None:
    nobody = await stream_to(client, slack, recipient_user_id=None)
    assert await refusal(nobody.append(markdown_text="Colchicine")) == "missing_recipient_user_id"
    streamer = await stream_to(client, slack)
    await streamer.append(markdown_text="Colchicine")
    ts = str(streamer.ts)
    assert await refusal(client.chat_update(channel="C1", ts=ts, text="x")) == "streaming_state_conflict"
    long = client.chat_appendStream(channel="C1", ts=ts, markdown_text="a" * 12_001)
    assert await refusal(long) == "msg_too_long"
    await streamer.stop()
    late = client.chat_appendStream(channel="C1", ts=ts, markdown_text="more")
    assert await refusal(late) == "message_not_in_streaming_state"


async def test_the_lifetime_of_a_stream() -> None:
    async with SlackServer(stream_lifetime=0.05, windows=Windows(0.0, 0.0)) as slack:
        client = AsyncWebClient(slack.bot_token, base_url=slack.base_url)
        streamer = await stream_to(client, slack)
        await streamer.append(markdown_text="Colchicine")
        await asyncio.sleep(0.1)
        assert await refusal(streamer.append(markdown_text="more")) == "message_not_in_streaming_state"


async def test_limits_of_posts_and_updates(slack: SlackServer, client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel="C1", text="searching")
    ts = str(posted["ts"])
    post, update = client.chat_postMessage, client.chat_update
    assert await refusal(post(channel="C1", text="x", blocks=[section(3_001)])) == "invalid_blocks"
    assert await refusal(post(channel="C1", text="x", blocks=[section(1)] * 51)) == "invalid_blocks"
    assert await refusal(post(channel="C1", text="x", blocks=[section(2_900)] * 5)) == "msg_blocks_too_long"
    assert await refusal(update(channel="C1", ts=ts, text="a" * 4_001)) == "msg_too_long"
    assert await refusal(update(channel="C1", ts="1.1", text="a")) == "message_not_found"
    theirs = await slack.people.say("C1", "gout")
    assert await refusal(update(channel="C1", ts=theirs, text="a")) == "cant_update_message"
    assert await refusal(post(channel="C404", text="a")) == "channel_not_found"
    assert await refusal(client.api_call("chat.shout")) == "unknown_method"
    await slack.people.add_channel("C2", with_bot=False)
    assert await refusal(post(channel="C2", text="a")) == "not_in_channel"
    await post(channel="C1", text="a", thread_ts=theirs, blocks=[section(3_000)] * 4)
    with pytest.raises(SlackApiError) as refused:
        await post(channel="C1", text="x", blocks=[section(1), section(0)])
    (line,) = refused.value.response["response_metadata"]["messages"]
    assert line.endswith("[json-pointer:/blocks/1/text/text]")


async def test_a_text_alone_does_not_change_a_message_with_blocks(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    posted = await client.chat_postMessage(channel="C1", text="searching", blocks=[section(9)])
    await client.chat_update(channel="C1", ts=posted["ts"], text="answer")
    assert "a" * 9 in slack.transcript("C1")
    await client.chat_update(channel="C1", ts=posted["ts"], text="answer", blocks=[])
    assert slack.transcript("C1").splitlines()[-1] == "carecite: answer"


async def test_a_message_a_second_and_channel() -> None:
    async with SlackServer() as slack:
        client = AsyncWebClient(slack.bot_token, base_url=slack.base_url)
        await client.chat_postMessage(channel="C1", text="one")
        with pytest.raises(SlackApiError) as refused:
            await client.chat_postMessage(channel="C1", text="two")
        assert refused.value.response.status_code == 429
        assert refused.value.response.headers["Retry-After"] == "1"
        assert refused.value.response["error"] == "ratelimited"
        await client.chat_postMessage(channel="U1", text="elsewhere")
        patient = AsyncWebClient(slack.bot_token, base_url=slack.base_url)
        patient.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=3))
        await patient.chat_postMessage(channel="C1", text="two")
        obeyed = [throttle.obeyed for throttle in slack.ledger.throttles]
        assert obeyed == [False, True]  # the first wait was ignored, the second kept
        assert len(slack.ledger.ignored) == 1


async def test_ordered_faults(slack: SlackServer, client: AsyncWebClient) -> None:
    await slack.fail(kind="error", value="internal_error", method="chat.postMessage", after=1)
    await client.chat_postMessage(channel="C1", text="one")
    assert await refusal(client.chat_postMessage(channel="C1", text="two")) == "internal_error"
    await slack.fail(kind="throttle", value=34, method="chat.update")
    with pytest.raises(SlackApiError) as refused:
        await client.chat_update(channel="C1", ts="1.1", text="x")
    assert refused.value.response.headers["Retry-After"] == "34"
    await slack.fail(kind="lose", method="chat.postMessage", where={"channel": "C1"})
    client.retry_handlers.clear()
    with pytest.raises(Exception, match=r"Server disconnected|reset"):
        await client.chat_postMessage(channel="C1", text="three")
    await slack.fail(kind="status", status=503, method="users.info")
    with pytest.raises(SlackApiError, match="503"):
        await client.users_info(user="U1")
    assert [one.text for one in slack.workspace.messages()] == ["one", "three"]


async def test_statuses_lapse_with_the_answer(slack: SlackServer, client: AsyncWebClient) -> None:
    channel = slack.workspace.channels["C1"]
    first, second = [await slack.people.say("C1", text) for text in ("gout", "asthma")]
    for ts in (first, second):
        await client.assistant_threads_setStatus(channel_id="C1", thread_ts=ts, status="searching…")
    await client.chat_postMessage(channel="C1", thread_ts=first, text="answer")
    assert (channel.status(first), channel.status(second)) == ("", "searching…")
    await client.agents_sessions_setStatus(
        channel_id="C1", thread_ts=second, status="processing", title="Asthma"
    )
    streamer = await client.chat_stream(
        channel="C1", thread_ts=second, recipient_user_id="U1", recipient_team_id="T1", buffer_size=1
    )
    await streamer.append(markdown_text="Inhal")
    await slack.people.stop("C1", second)
    stopped = slack.deliveries.all[-1].payload["event"]
    assert (stopped["type"], stopped["streaming_message_ts"]) == ("agent_session_stopped", [streamer.ts])
    assert channel.sessions[second] == "processing"  # the app has to end it
    prompt = {"title": "Dose", "message": "What is the usual dose?"}
    direct = await client.conversations_open(users="U1")
    where = {"channel_id": direct["channel"]["id"]}
    await client.assistant_threads_setSuggestedPrompts(**where, prompts=[prompt] * 4)
    too_many = client.assistant_threads_setSuggestedPrompts(**where, prompts=[prompt] * 5)
    assert await refusal(too_many) == "invalid_arguments"


async def test_files_and_home(slack: SlackServer, client: AsyncWebClient) -> None:
    uploaded = await client.files_upload_v2(
        channel="C1", filename="export.json", content='{"a": 1}', initial_comment="Your data"
    )
    assert slack.workspace.files[uploaded["file"]["id"]].content == b'{"a": 1}'
    assert slack.transcript("C1").splitlines()[-2:] == ["carecite: Your data", "  [file export.json]"]
    blocks = [{"type": "actions", "elements": [button("delete")]}]
    await client.views_publish(user_id="U1", view={"type": "home", "blocks": blocks})
    await slack.people.open_home(user="U1")
    assert slack.deliveries.all[-1].payload["event"]["type"] == "app_home_opened"
    assert slack.workspace.homes["U1"].content["blocks"] == blocks
    home = {"type": "home", "blocks": [section(3_001)]}
    assert await refusal(client.views_publish(user_id="U1", view=home)) == "invalid_arguments"
    shown = await client.users_info(user="U1", include_locale=True)
    assert shown["user"]["locale"] == "en-US"


def button(action: str) -> dict[str, Any]:
    return {"type": "button", "action_id": action, "text": {"type": "plain_text", "text": action}}
