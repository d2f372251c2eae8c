"""OAuth: the page where a workspace allows the app, codes that are good once, and tokens."""

from __future__ import annotations

import base64
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from aiohttp import web

from tests.emulators.slack.replies import Arguments, Refused
from tests.emulators.slack.state import Workspace

SCOPES = "app_mentions:read,chat:write,im:history,assistant:write,commands"


@dataclass(slots=True)
class Installation:
    """`codes` are good once each, for a workspace and a person in it."""

    client_id: str
    client_secret: str
    workspaces: dict[str, Workspace]
    codes: dict[str, tuple[str, str]] = field(default_factory=dict)
    _numbers: Any = field(default_factory=lambda: itertools.count(1))

    def code(self, team: str, user: str) -> str:
        """What Slack gives to the redirect address after somebody allowed the app."""
        if team not in self.workspaces:
            raise LookupError(f"no workspace {team}")
        code = f"code-{next(self._numbers)}"
        self.codes[code] = team, user
        return code

    async def authorize(self, request: web.Request) -> web.Response:
        """The page, with the button already clicked by `user` of `team` (both in the query, for tests)."""
        query = request.query
        if query.get("client_id") != self.client_id or not query.get("redirect_uri"):
            return web.Response(status=400, text="invalid_client_id or bad_redirect_uri")
        team = query.get("team") or next(iter(self.workspaces))
        answer = {"code": self.code(team, query.get("user", "U1")), "state": query.get("state", "")}
        raise web.HTTPFound(f"{query['redirect_uri']}?{urlencode(answer)}")

    def access(self, arguments: Arguments, headers: Mapping[str, str]) -> dict[str, Any]:
        """oauth.v2.access: the workspace gets a new token, and its old one is void."""
        workspace, user = self._redeem(arguments, headers)
        workspace.token = f"xoxb-{workspace.id}-{next(self._numbers)}"
        workspace.installed = True
        return {
            "app_id": "A1",
            "authed_user": {"id": user},
            "scope": SCOPES,
            "token_type": "bot",
            "access_token": workspace.token,
            "bot_user_id": workspace.bot_user,
            "team": {"id": workspace.id, "name": workspace.name},
            "enterprise": None,
            "is_enterprise_install": False,
        }

    def identify(self, arguments: Arguments, headers: Mapping[str, str]) -> dict[str, Any]:
        """openid.connect.token: who signed in. The id_token is not signed."""
        workspace, user = self._redeem(arguments, headers)
        claims = {"sub": user, "https://slack.com/team_id": workspace.id, "aud": self.client_id}
        parts = [
            base64.urlsafe_b64encode(json.dumps(one).encode()).decode() for one in ({"alg": "none"}, claims)
        ]
        return {
            "access_token": f"xoxp-{workspace.id}-{user}",
            "token_type": "Bearer",
            "id_token": f"{parts[0].rstrip('=')}.{parts[1].rstrip('=')}.",
        }

    def whois(self, token: str) -> dict[str, Any]:
        """openid.connect.userInfo."""
        _, _, named = token.partition("xoxp-")
        team, _, user = named.partition("-")
        if team not in self.workspaces or user not in self.workspaces[team].people:
            raise Refused("invalid_auth")
        names = {"https://slack.com/user_id": user, "https://slack.com/team_id": team}
        return {"sub": user, "name": self.workspaces[team].people[user].name} | names

    def _redeem(self, arguments: Arguments, headers: Mapping[str, str]) -> tuple[Workspace, str]:
        given = (arguments.get("client_id"), arguments.get("client_secret"))
        if headers.get("Authorization", "").startswith("Basic "):
            basic = base64.b64decode(headers["Authorization"].removeprefix("Basic ")).decode()
            client, _, secret = basic.partition(":")
            given = client, secret
        if given[0] != self.client_id:
            raise Refused("invalid_client_id")
        if given[1] != self.client_secret:
            raise Refused("bad_client_secret")
        team, user = self.codes.pop(str(arguments.get("code")), ("", ""))
        if not team:
            raise Refused("invalid_code")
        return self.workspaces[team], user
