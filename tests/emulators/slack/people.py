"""What people do: each verb is a coroutine, here and on the control plane."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tests.emulators.slack import events
from tests.emulators.slack.interactions import Interactions
from tests.emulators.slack.replies import as_json
from tests.emulators.slack.state import Channel, Message, Person, Version, Workspace

if TYPE_CHECKING:
    from tests.emulators.slack.server import SlackServer


def escape(text: str) -> str:
    """As Slack stores what people type."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class People(Interactions):
    """Texts are as a person types them; with `raw` they are as Slack stores them."""

    def __init__(self, server: SlackServer) -> None:
        super().__init__(server)

    async def say(
        self,
        channel: str,
        text: str,
        *,
        user: str = "U1",
        thread_ts: str | None = None,
        mention: bool = False,
        raw: bool = False,
        file: str | None = None,
        subtype: str | None = None,
        team: str = "T1",
    ) -> str:
        """Post in a channel (an id, or "dm") and return the ts. A mention comes as two events.

        `file` uploads a file of that name with the text.
        """
        workspace = self._workspace(team)
        place = workspace.direct(user) if channel == "dm" else self._channel(workspace, channel)
        if user not in place.members:
            raise LookupError(f"{user} is not in {channel}")
        words = text if raw else escape(text)
        if mention:
            words = f"<@{workspace.bot_user}> {words}"
        message = Message(self._server.clock.stamp(), place.id, user, words, time.monotonic())
        message.thread_ts, message.subtype = thread_ts, subtype
        if file is not None:
            message.files, message.subtype = [self._add_file(workspace, file)], "file_share"
        self._post(workspace, place, message)
        return message.ts

    def _post(self, workspace: Workspace, channel: Channel, message: Message) -> None:
        channel.messages.append(message)
        if workspace.bot_user not in channel.members:
            return
        if channel.kind != "im" and f"<@{workspace.bot_user}>" in message.text:
            self._server.emit(workspace, events.mentioned(workspace, channel, message))
        self._server.emit(workspace, events.posted(workspace, channel, message))

    async def bot_says(
        self,
        channel: str,
        text: str,
        *,
        thread_ts: str | None = None,
        mention: bool = False,
        team: str = "T1",
    ) -> str:
        """Another app posts; with `mention` it mentions ours."""
        workspace = self._workspace(team)
        place = self._channel(workspace, channel)
        words = f"<@{workspace.bot_user}> {text}" if mention else text
        message = Message(self._server.clock.stamp(), place.id, "UOTHER", words, time.monotonic())
        message.thread_ts, message.bot_id = thread_ts, "B2"
        self._post(workspace, place, message)
        return message.ts

    async def edit(self, channel: str, ts: str, text: str, *, team: str = "T1", raw: bool = False) -> None:
        """Change one's own message."""
        workspace, place, message = self._find(team, channel, ts)
        before = as_json(workspace, message)
        message.edits.append(Version(message.text, message.blocks, time.monotonic()))
        message.text = text if raw else escape(text)
        event = events.changed(workspace, place, before, message, self._server.clock.stamp())
        self._server.emit(workspace, event)

    async def unfold(self, channel: str, ts: str, *, team: str = "T1") -> None:
        """Slack unfolds a link: an event as of an edit, with the same text."""
        workspace, place, message = self._find(team, channel, ts)
        event = events.changed(
            workspace, place, as_json(workspace, message), message, self._server.clock.stamp()
        )
        event["message"]["attachments"] = [{"id": 1, "title": "Link"}]
        self._server.emit(workspace, event)

    async def delete(self, channel: str, ts: str, *, team: str = "T1") -> None:
        workspace, place, message = self._find(team, channel, ts)
        message.deleted = True
        event = events.deleted(workspace, place, message, self._server.clock.stamp())
        self._server.emit(workspace, event)

    async def react(self, channel: str, ts: str, name: str, *, user: str = "U1", team: str = "T1") -> None:
        workspace, place, message = self._find(team, channel, ts)
        message.reactions.setdefault(name, []).append(user)
        item = {"type": "message", "channel": place.id, "ts": ts}
        event = {"type": "reaction_added", "user": user, "reaction": name, "item": item}
        self._server.emit(workspace, event | {"event_ts": self._server.clock.stamp()})

    async def open_home(self, *, user: str = "U1", tab: str = "home", team: str = "T1") -> None:
        """Open the app: `tab` is home, or messages where a conversation with the agent starts."""
        workspace = self._workspace(team)
        event: dict[str, Any] = {"type": "app_home_opened", "user": user, "tab": tab}
        event |= {"channel": workspace.direct(user).id, "event_ts": self._server.clock.stamp()}
        self._server.emit(workspace, event)

    async def look_at(self, channel: str, *, user: str = "U1", team: str = "T1") -> None:
        """The person has another channel open beside the agent."""
        workspace = self._workspace(team)
        context = {"entities": [{"type": "slack#/types/channel_id", "value": channel, "team_id": team}]}
        event: dict[str, Any] = {"type": "app_context_changed", "user": user, "context": context}
        event |= {"channel": workspace.direct(user).id, "event_ts": self._server.clock.stamp()}
        self._server.emit(workspace, event)

    async def stop(self, channel: str, thread_ts: str, *, user: str = "U1", team: str = "T1") -> None:
        """The stop button of a session: running streams end, and the app is told."""
        workspace = self._workspace(team)
        place = self._channel(workspace, channel)
        running = [
            one
            for one in place.messages
            if one.thread == thread_ts and one.stream and one.stream.state == "open"
        ]
        for message in running:
            if message.stream:
                message.stream.state = "closed"
        event = {"type": "agent_session_stopped", "channel": channel, "thread_ts": thread_ts, "user": user}
        streams = {"streaming_message_ts": [one.ts for one in running]}
        self._server.emit(workspace, event | streams | {"event_ts": self._server.clock.stamp()})

    async def push(self, event: dict[str, Any], *, team: str = "T1") -> None:
        """Any event, as it is."""
        self._server.emit(self._workspace(team), event)

    async def push_payload(self, payload: Any, *, kind: str = "events_api") -> None:
        """A whole payload as it is, also one that no library can read."""
        self._server.deliveries.start(kind, payload)

    async def redeliver(self, ts: str, *, times: int = 3) -> int:
        """The events of a message once more, with the same ids, though they were acknowledged."""
        known = [one for one in self._server.deliveries.all if _is_about(one.payload, ts)]
        for delivery in known:
            for number in range(1, times + 1):
                await self._server.deliveries.repeat(delivery, number)
        return len(known)

    async def forge(self, ts: str, *, secret: str = "wrong", age: int = 0) -> int:
        """The event of a message by HTTP, wrongly signed or `age` seconds old; the status it gets."""
        known = [one for one in self._server.deliveries.all if _is_about(one.payload, ts)]
        sent = await self._server.deliveries.post("events_api", known[0].payload, {}, age=age, secret=secret)
        return sent[0]

    async def verify_url(self) -> str:
        """What the request URL answers to Slack's challenge."""
        challenge = {"type": "url_verification", "challenge": "challenge-4711", "token": events.VERIFICATION}
        return (await self._server.deliveries.post("events_api", challenge, {}))[1]

    async def add_channel(
        self, channel: str, *, kind: str = "channel", with_bot: bool = True, team: str = "T1"
    ) -> None:
        """A channel with all people of a workspace; `kind` is channel, group or mpim."""
        workspace = self._workspace(team)
        members = set(workspace.people) - (set() if with_bot else {workspace.bot_user})
        workspace.channels[channel] = Channel(channel, kind, channel.lower(), members)

    async def invite(self, channel: str, *, user: str = "U1", team: str = "T1") -> None:
        """The bot joins a channel."""
        workspace = self._workspace(team)
        place = self._channel(workspace, channel)
        place.members.add(workspace.bot_user)
        event = {"type": "member_joined_channel", "user": workspace.bot_user, "channel": channel}
        more = {"channel_type": "C", "team": team, "inviter": user, "event_ts": self._server.clock.stamp()}
        self._server.emit(workspace, event | more)

    async def add_person(self, user: str, *, locale: str = "en-US", team: str = "T1") -> None:
        """Who is in all public channels."""
        workspace = self._workspace(team)
        workspace.people[user] = Person(user, f"person {user}", locale)
        for channel in workspace.channels.values():
            if channel.kind != "im":
                channel.members.add(user)

    async def add_workspace(self, team: str, token: str = "") -> str:
        """One more workspace; its bot token. Its ids end with its number: C1-2, U1-2, UBOT2."""
        return self._server.add_workspace(team, token or f"xoxb-{team}-4711").token

    async def allow(self, *, user: str = "U1", team: str = "T1") -> str:
        """Somebody allows the app: the code that its redirect address gets."""
        return self._server.installation.code(team, user)

    async def uninstall(self, *, team: str = "T1") -> None:
        """The app is removed from a workspace."""
        self._server.uninstalled(self._workspace(team))


def _is_about(payload: Any, ts: str) -> bool:
    event = payload.get("event") if isinstance(payload, dict) else None
    return isinstance(event, dict) and event.get("ts") == ts
