"""The workspaces where we are installed: who we are there, and what we call with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from slack_sdk.web.async_client import AsyncWebClient

from storage.history.chat import Chat


@dataclass(frozen=True, slots=True)
class Account:
    """`workspace` is the row in the store, `team` Slack's id of it; `user` and `bot` are we."""

    workspace: int
    team: str
    user: str
    bot: str | None
    client: AsyncWebClient = field(repr=False)


class Accounts:
    """Those that are known, and those that another process has installed meanwhile. `make` gives a client for
    a token. Methods raise StorageError."""

    def __init__(self, chat: Chat, make: Callable[[str], AsyncWebClient]) -> None:
        self._chat = chat
        self._make = make
        self._known: dict[int, Account] = {}
        self._own: int | None = None

    def known(self) -> list[Account]:
        return list(self._known.values())

    async def add_own(self, team: str, user: str, bot: str | None, client: AsyncWebClient) -> None:
        """The workspace of the token in the settings, which is not stored."""
        row = await self._chat.workspaces.install("slack", team)
        self._own = row.id
        self._known[row.id] = Account(row.id, team, user, bot, client)

    async def install(self, team: str, user: str, bot: str | None, token: str) -> None:
        """One that somebody allowed; its token is sealed."""
        tokens = {"team": team, "user": user, "bot": bot, "token": token}
        row = await self._chat.workspaces.install("slack", team, tokens)
        if row.id != self._own:
            self._known.pop(row.id, None)

    async def of_team(self, team: str | None) -> Account | None:
        for account in self._known.values():
            if account.team == team:
                return account
        found = await self._chat.workspaces.find("slack", team) if team else None
        return await self.of_row(found.id) if found else None

    async def of_row(self, workspace: int) -> Account | None:
        """None for one that is not installed, or was by a token that is no longer in the settings."""
        if workspace not in self._known:
            tokens = await self._chat.workspaces.tokens(workspace)
            if tokens is None or not {"team", "user", "bot", "token"} <= tokens.keys():
                return None
            client = self._make(tokens["token"])
            self._known[workspace] = Account(workspace, tokens["team"], tokens["user"], tokens["bot"], client)
        return self._known[workspace]

    def forget(self, workspace: int) -> None:
        """Its token is void: it may have another one in the store."""
        if workspace != self._own:
            self._known.pop(workspace, None)
