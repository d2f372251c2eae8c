"""Slack on loopback. What it holds is plain data: `workspaces`, `ledger`, `deliveries`, `sockets`.

async with SlackServer() as slack:
    client = AsyncWebClient(slack.bot_token, base_url=slack.base_url)
    ...
    await slack.people.say("C1", "What is the dose of aspirin?", mention=True)
    await slack.settle()
"""

from __future__ import annotations

from typing import Any

from aiohttp import web

from tests.emulators.chat.control import add_control, verbs_of
from tests.emulators.chat.faults import Fault, Faults
from tests.emulators.chat.ledger import Ledger
from tests.emulators.chat.service import Service
from tests.emulators.slack.calls import Calls
from tests.emulators.slack.deliveries import Deliveries, Redelivery
from tests.emulators.slack.events import callback
from tests.emulators.slack.installation import Installation
from tests.emulators.slack.people import People
from tests.emulators.slack.responses import Responses
from tests.emulators.slack.sockets import Sockets
from tests.emulators.slack.state import Channel, Clock, Person, Workspace
from tests.emulators.slack.tiers import Windows
from tests.emulators.slack.transcript import render_channel

APP_TOKEN, BOT_TOKEN, SIGNING_SECRET = "xapp-1-A1-4711", "xoxb-bot-4711", "signing-secret-4711"


class SlackServer(Service):
    """One app, one or more workspaces; the first is T1, with the channel C1 and the people U1 to U3."""

    def __init__(
        self,
        port: int = 0,
        *,
        windows: Windows | None = None,
        redelivery: Redelivery | None = None,
        stream_lifetime: float = 300.0,
        echo: bool = True,
    ) -> None:
        super().__init__(port)
        self.windows = windows or Windows()
        self.stream_lifetime = stream_lifetime
        self.echo = echo  # the bot's own posts come back as events
        self.app_token, self.signing_secret = APP_TOKEN, SIGNING_SECRET
        self.clock = Clock()
        self.ledger, self.faults = Ledger(), Faults()
        self.workspaces: dict[str, Workspace] = {}
        self.triggers: dict[str, tuple[str, float, bool]] = {}  # trigger id -> person, when, used
        self.installation = Installation("client-4711", "client-secret-4711", self.workspaces)
        self.sockets = Sockets()
        self.deliveries = Deliveries(
            self.sockets, self.spawn, redelivery or Redelivery(), self.signing_secret
        )
        self.responses = Responses(self)
        self.people = People(self)
        self.add_workspace("T1", BOT_TOKEN)
        self.web.router.add_route("*", "/api/{method}", Calls(self).serve)
        self.web.router.add_get("/link", self.sockets.serve)
        self.web.router.add_post("/response/{id}", self.responses.serve)
        self.web.router.add_post("/upload/{team}/{file}", self._upload)
        self.web.router.add_get("/oauth/v2/authorize", self.installation.authorize)
        verbs = verbs_of(self.people, self.sockets) | {
            name: getattr(self, name) for name in ("fail", "heal", "settle", "expire_streams", "request_url")
        }
        for name in ("serve", "send", "next_link", "hang_up"):
            verbs.pop(name)
        add_control(self.web, verbs, self.state, self.transcript)

    def add_workspace(self, team: str, token: str) -> Workspace:
        """One more workspace where the app is installed, with a channel and people of its own."""
        suffix = team.removeprefix("T") if team != "T1" else ""
        bot = Person(f"UBOT{suffix}", "carecite", bot=True)
        workspace = Workspace(team, f"workspace-{team.lower()}", token, bot.id, f"B{suffix or 1}")
        people = [Person(f"U{number}{suffix and f'-{suffix}'}", f"person {number}") for number in (1, 2, 3)]
        workspace.people = {person.id: person for person in (*people, bot)}
        channel = Channel(f"C1{suffix and f'-{suffix}'}", "channel", "general", set(workspace.people))
        workspace.channels[channel.id] = channel
        self.workspaces[team] = workspace
        return workspace

    @property
    def workspace(self) -> Workspace:
        """The first."""
        return next(iter(self.workspaces.values()))

    @property
    def bot_token(self) -> str:
        return self.workspace.token

    @property
    def base_url(self) -> str:
        """For AsyncWebClient."""
        return f"{self.address}/api/"

    def state(self) -> dict[str, Any]:
        """All that it holds, for the control plane."""
        return {
            "workspaces": self.workspaces,
            "ledger": self.ledger,
            "deliveries": self.deliveries.all,
            "sockets": self.sockets,
            "faults": self.faults,
        }

    def transcript(self, channel: str, team: str | None = None) -> str:
        """A channel as text; see `transcript.py`."""
        for workspace in self.workspaces.values():
            if team in (None, workspace.id) and channel in workspace.channels:
                return render_channel(workspace, workspace.channels[channel])
        raise LookupError(f"no channel {channel}")

    def emit(self, workspace: Workspace, event: dict[str, Any]) -> None:
        """An event goes out."""
        if workspace.installed:
            self.deliveries.start("events_api", callback(workspace, event))

    def uninstalled(self, workspace: Workspace) -> None:
        """Both events come, and the token is void."""
        self.emit(workspace, {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [workspace.bot_user]}})
        self.emit(workspace, {"type": "app_uninstalled"})
        workspace.installed = False

    async def fail(self, **fault: Any) -> None:
        """Order a failure; the fields of `faults.Fault`."""
        self.faults.order(Fault(**fault))

    async def heal(self) -> None:
        self.faults.ordered.clear()

    async def settle(self, seconds: float = 10.0) -> bool:
        """Whether nothing is on its way any more, within seconds."""
        return await self.until(lambda: not self.deliveries.open, seconds)

    async def expire_streams(self) -> int:
        """Close all open streams, as Slack does after about five minutes."""
        streams = [one.stream for space in self.workspaces.values() for one in space.messages() if one.stream]
        opened = [stream for stream in streams if stream.state == "open"]
        for stream in opened:
            stream.state = "expired"
        return len(opened)

    async def request_url(self, url: str | None) -> None:
        """Events and interactions go there by signed HTTP; None: by Socket Mode again."""
        self.deliveries.url = url

    async def _hang_up(self) -> None:
        await self.sockets.hang_up()
        await self.deliveries.hang_up()

    async def _upload(self, request: web.Request) -> web.Response:
        file = self.workspaces[request.match_info["team"]].files[request.match_info["file"]]
        file.content = await request.read()
        return web.Response(text=f"OK - {len(file.content)}")
