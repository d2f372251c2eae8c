"""Clicks, slash commands, shortcuts and submitted modals: sent once, to be acknowledged in three seconds.

Each verb returns what the person then sees: the acknowledgement's body, or {"error": "operation_timeout"}.
"""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Any

from tests.emulators.slack import events
from tests.emulators.slack.replies import as_json
from tests.emulators.slack.state import Channel, File, Message, View, Workspace
from tests.emulators.slack.view_methods import shown

if TYPE_CHECKING:
    from tests.emulators.slack.server import SlackServer

_triggers = itertools.count(1)


class Interactions:
    def __init__(self, server: SlackServer) -> None:
        self._server = server

    def _workspace(self, team: str) -> Workspace:
        if team not in self._server.workspaces:
            raise LookupError(f"no workspace {team}")
        return self._server.workspaces[team]

    def _channel(self, workspace: Workspace, channel: str) -> Channel:
        if channel not in workspace.channels:
            raise LookupError(f"no channel {channel}")
        return workspace.channels[channel]

    def _find(self, team: str, channel: str, ts: str) -> tuple[Workspace, Channel, Message]:
        workspace = self._workspace(team)
        place = self._channel(workspace, channel)
        message = place.find(ts)
        if message is None:
            raise LookupError(f"no message {ts} in {channel}")
        return workspace, place, message

    def _add_file(self, workspace: Workspace, name: str) -> str:
        file = File(f"F{len(workspace.files) + 1}", name, b"content", name)
        workspace.files[file.id] = file
        return file.id

    def _trigger(self, user: str) -> str:
        trigger = f"trigger-{next(_triggers)}"
        self._server.triggers[trigger] = user, time.monotonic(), False
        return trigger

    async def _send(self, kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        delivery, task = self._server.deliveries.start(kind, payload)
        await task
        if delivery.outcome != "acked":
            return {"error": "operation_timeout"}
        return delivery.reply or {}

    async def click(
        self,
        channel: str,
        ts: str,
        action_id: str,
        *,
        value: str | None = None,
        user: str = "U1",
        team: str = "T1",
    ) -> dict[str, Any]:
        """A button of a message; of feedback buttons, `value` says which."""
        workspace, place, message = self._find(team, channel, ts)
        action = _action(message.blocks, action_id, value)
        container = {"type": "message", "message_ts": ts, "channel_id": channel, "is_ephemeral": False}
        payload = events.interaction(
            workspace,
            user,
            "block_actions",
            actions=[action | {"action_ts": self._server.clock.stamp()}],
            channel={"id": place.id, "name": place.name},
            message=as_json(workspace, message),
            container=container | {"is_ephemeral": message.ephemeral_to is not None},
            trigger_id=self._trigger(user),
            response_url=self._server.responses.url(workspace, place, user, message),
            state={"values": {}},
        )
        return await self._send("interactive", payload)

    async def click_view(
        self, view_id: str, action_id: str, *, value: str | None = None, team: str = "T1"
    ) -> dict[str, Any]:
        """A button of a modal, or of a home tab (whose id is VH and the person's)."""
        workspace, view = self._view(team, view_id)
        action = _action(view.content.get("blocks") or [], action_id, value)
        payload = events.interaction(
            workspace,
            view.user,
            "block_actions",
            actions=[action | {"action_ts": self._server.clock.stamp()}],
            view=shown(workspace, view),
            container={"type": "view", "view_id": view_id},
            trigger_id=self._trigger(view.user),
        )
        return await self._send("interactive", payload)

    async def submit(
        self, view_id: str, values: dict[str, dict[str, Any]] | None = None, *, team: str = "T1"
    ) -> dict[str, Any]:
        """Submit a modal; `values` by block and action, each as Slack has it, {"value": "…"} for a text."""
        workspace, view = self._view(team, view_id)
        told = shown(workspace, view) | {"state": {"values": values or {}}}
        payload = events.interaction(
            workspace,
            view.user,
            "view_submission",
            view=told,
            trigger_id=self._trigger(view.user),
            response_urls=[],
        )
        reply = await self._send("interactive", payload)
        view.errors = reply.get("errors") or {}
        if reply.get("response_action") in ("update", "push"):
            view.content = reply["view"]
        elif "error" not in reply and not view.errors:
            view.closed = True
        return reply

    async def close(self, view_id: str, *, team: str = "T1") -> dict[str, Any]:
        """Close a modal; the app hears of it where it asked to."""
        workspace, view = self._view(team, view_id)
        view.closed = True
        if not view.content.get("notify_on_close"):
            return {}
        payload = events.interaction(
            workspace, view.user, "view_closed", view=shown(workspace, view), is_cleared=False
        )
        return await self._send("interactive", payload)

    async def slash(
        self, channel: str, command: str, text: str = "", *, user: str = "U1", team: str = "T1"
    ) -> dict[str, Any]:
        """A slash command, in a channel or "dm"; only the person sees what the acknowledgement says."""
        workspace = self._workspace(team)
        place = workspace.direct(user) if channel == "dm" else self._channel(workspace, channel)
        url = self._server.responses.url(workspace, place, user)
        payload = events.slash(
            workspace, user, place, command, text, trigger_id=self._trigger(user), response_url=url
        )
        reply = await self._send("slash_commands", payload)
        if reply.get("text") or reply.get("blocks"):
            refusal = self._server.responses.show(workspace, place, user, reply)
            return {"error": refusal} if refusal else reply
        return reply

    async def shortcut(
        self, callback_id: str, channel: str, ts: str, *, user: str = "U1", team: str = "T1"
    ) -> dict[str, Any]:
        """A shortcut on a message."""
        workspace, place, message = self._find(team, channel, ts)
        payload = events.interaction(
            workspace,
            user,
            "message_action",
            callback_id=callback_id,
            channel={"id": place.id, "name": place.name},
            message=as_json(workspace, message),
            message_ts=ts,
            action_ts=self._server.clock.stamp(),
            trigger_id=self._trigger(user),
            response_url=self._server.responses.url(workspace, place, user),
        )
        return await self._send("interactive", payload)

    def _view(self, team: str, view_id: str) -> tuple[Workspace, View]:
        workspace = self._workspace(team)
        homes = {view.id: view for view in workspace.homes.values()}
        view = workspace.views.get(view_id) or homes.get(view_id)
        if view is None or view.closed:
            raise LookupError(f"no open view {view_id}")
        return workspace, view


def _action(blocks: list[dict[str, Any]], action_id: str, value: str | None) -> dict[str, Any]:
    """What a click sends; nobody can click what is not shown."""
    for at, block in enumerate(blocks):
        for element in [*block.get("elements", []), block.get("accessory")]:
            if not isinstance(element, dict) or element.get("action_id") != action_id:
                continue
            sent = {
                "type": element["type"],
                "action_id": action_id,
                "block_id": block.get("block_id", f"b{at}"),
            }
            if element["type"] != "feedback_buttons":
                shown = {name: element[name] for name in ("text", "value", "url") if name in element}
                return sent | shown | ({"value": value} if value is not None else {})
            for button in (element["positive_button"], element["negative_button"]):
                if button["value"] == value:
                    return sent | {"text": button["text"], "value": value}
    raise LookupError(f"no button {action_id} with {value}")
