"""How a part goes out to Slack, and what its refusals mean.

Nothing is streamed. An answer is checked as a whole before a word of it is said, so there is no text that
grows; and a stream for words of progress would cost what makes delivery repeatable. chat.startStream takes no
metadata, by which a post is found again after a crash. An open stream cannot be edited, so an answer would
wait for chat.stopStream, of which Slack allows 20 a minute; Slack ends it after some five minutes; and in a
channel only one person sees it grow (docs.slack.dev; chat.md 3, row 9). An edit has none of this.
"""

from __future__ import annotations

import logging
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.render.slack.look import CHOICES
from bot.render.slack.messages import EDIT, POST
from bot.sender import LONGEST_WAIT, Later, Refused, wait_after
from bot.slack.accounts import Accounts
from bot.slack.calls import FAILURES, TOKEN_CODES, TRANSIENT_CODES, code_of, reason_of, status_of, wait_of
from storage.history.chat import Delivery, Pace, Platform, Post
from storage.history.chat.outbox import PROGRESS

_log = logging.getLogger(__name__)
# One message a second and channel (docs.slack.dev, rate limits); a little more, since Slack's clock starts
# when a message arrives there. Edits are counted by method and workspace, of which only a 429 tells.
PACE = Pace(private=1.05, shared=1.05)
_UNKNOWN_TRIES = 5  # of what is refused with a code that is not known here
_FINAL = frozenset(
    {
        *("channel_not_found", "not_in_channel", "is_archived", "user_not_found", "cannot_dm_bot"),
        *("thread_not_found", "restricted_action", "restricted_action_thread_only_channel"),
        *("restricted_action_non_threadable_channel", "restricted_action_read_only_channel"),
        *("restricted_action_thread_locked", "messages_tab_disabled", "message_limit_exceeded"),
        *("msg_too_long", "msg_blocks_too_long", "no_text", "invalid_arguments", "invalid_blocks"),
        *("invalid_blocks_format", "file_not_found", "file_uploads_disabled", "access_denied"),
        *("team_access_not_granted", "user_not_in_channel", "not_allowed", "metadata_too_large"),
    }
)
_GONE = ("message_not_found", "cant_update_message", "edit_window_closed")
_BLOCKS = ("invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long")
_PART = "carecite_part"  # event_type of the metadata by which a post is found again
_ABOUT = "about:"
_FILE = "F"  # begins the id of a file, as digits begin a message's
_LOOKED_AT = 100  # messages behind the question, among which an earlier try is looked for


class SlackDoor:
    platform: Platform = "slack"
    pace: Pace = PACE
    workspace: int | None = None  # it sends for all of them

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def send(self, delivery: Delivery) -> str | None:
        """A post carries the number of its part, so that one that stands already is found and not repeated:
        after a crash, and after a try of which no answer came. A file carries none, and may come twice."""
        account = await self._accounts.of_row(delivery.workspace)
        if account is None:
            raise Refused("no_workspace")
        try:
            return await self._send(account.client, delivery)
        except SlackApiError as error:
            if code_of(error) in TOKEN_CODES:
                self._accounts.forget(delivery.workspace)
            raise _meaning_of(error, delivery) from None
        except FAILURES as error:
            raise Later(wait_after(delivery.attempt), type(error).__name__) from None

    async def take_back(self, post: Post) -> None:
        """Only one of the workspaces knows the channel."""
        for account in self._accounts.known():
            if await delete_post(account.client, post):
                return

    async def _send(self, client: AsyncWebClient, delivery: Delivery) -> str | None:
        if delivery.kind == "file":
            return await self._upload(client, delivery)
        if delivery.kind == "edit" and delivery.message is not None:
            try:
                await _or_plain(client.chat_update, _words_of(delivery) | EDIT | _named(delivery))
                return None
            except SlackApiError as error:
                if code_of(error) not in _GONE or delivery.name == PROGRESS:
                    raise
        if delivery.again or delivery.attempt > 1:
            found = await self._find(client, delivery)
            if found is not None:
                return found
        payload = {"event_type": _PART, "event_payload": {"part": delivery.id}}
        where = {"channel": delivery.place.chat, "thread_ts": delivery.place.thread, "metadata": payload}
        sent = await _or_plain(client.chat_postMessage, _words_of(delivery) | POST | where)
        return str(sent["ts"])

    async def _find(self, client: AsyncWebClient, delivery: Delivery) -> str | None:
        """A post of this part that stands already. Where we may not read, it is posted again."""
        place = delivery.place
        asked: dict[str, Any] = {"channel": place.chat, "include_all_metadata": True, "limit": _LOOKED_AT}
        if delivery.reply_to is not None:
            asked["oldest"] = delivery.reply_to
        try:
            if place.thread is not None:
                reply = await client.conversations_replies(ts=place.thread, **asked)
            else:
                reply = await client.conversations_history(**asked)
        except SlackApiError as error:
            if wait_of(error) is not None or status_of(error) >= 500:
                raise
            _log.info("part %d: an earlier post cannot be looked for (%s)", delivery.id, code_of(error))
            return None
        for message in reply.get("messages") or []:
            metadata = message.get("metadata") or {}
            if metadata.get("event_type") != _PART:
                continue
            if (metadata.get("event_payload") or {}).get("part") == delivery.id:
                return str(message["ts"])
        return None

    async def _upload(self, client: AsyncWebClient, delivery: Delivery) -> str | None:
        place, body = delivery.place, delivery.body
        sent = await client.files_upload_v2(
            channel=place.chat,
            thread_ts=place.thread,
            filename=str(body["file"]),
            title=str(body["file"]),
            content=str(body["content"]),
        )
        return next((str(file["id"]) for file in sent.get("files") or []), None)


async def delete_post(client: AsyncWebClient, post: Post) -> bool:
    """A message or a file of ours; whether it went."""
    try:
        if post.message.startswith(_FILE):
            await client.files_delete(file=post.message)
        else:
            await client.chat_delete(channel=post.place.chat, ts=post.message)
    except FAILURES as error:
        _log.info("a post was not taken back (%s)", reason_of(error))
    else:
        return True
    return False


def about_of(block: object) -> str | None:
    """The message that a reply with choices answers, as the id of their block tells."""
    name = str(block or "")
    return name.removeprefix(_ABOUT) if name.startswith(_ABOUT) else None


def _words_of(delivery: Delivery) -> dict[str, Any]:
    """Choices are told what they are about, since a click says only below what it was."""
    body = dict(delivery.body)
    if delivery.reply_to is not None:
        name = {"block_id": f"{_ABOUT}{delivery.reply_to}"}
        for form in ("blocks", "plain"):
            blocks = body.get(form) or []
            body[form] = [block | name if block["type"] == CHOICES else block for block in blocks]
    return body


def _named(delivery: Delivery) -> dict[str, Any]:
    return {"channel": delivery.place.chat, "ts": delivery.message}


async def _or_plain(call: Any, arguments: dict[str, Any]) -> Any:
    """Where Slack refuses the blocks, the words must arrive (chat.md 3, row 5)."""
    plain = arguments.pop("plain", None)
    try:
        return await call(**arguments)
    except SlackApiError as error:
        if plain is None or code_of(error) not in _BLOCKS:
            raise
        return await call(**arguments | {"blocks": plain})


def _meaning_of(error: SlackApiError, delivery: Delivery) -> Later | Refused:
    """Of posts a channel has its limit, of all other methods the workspace."""
    code, wait = code_of(error), wait_of(error)
    if wait is not None:
        return Later(wait, "ratelimited", everywhere=delivery.kind != "post" or delivery.attempt > 1)
    if code in TOKEN_CODES:
        return Later(LONGEST_WAIT, code, everywhere=True)
    if code in _FINAL or code in _GONE:
        return Refused(code)
    known = code in TRANSIENT_CODES or status_of(error) >= 500
    if known or delivery.attempt < _UNKNOWN_TRIES:
        return Later(wait_after(delivery.attempt), code if known else "unknown")
    return Refused("unknown")
