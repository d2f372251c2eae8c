"""Several workspaces: pages where somebody allows the app (OAuth), by slack-bolt. Tokens go to the chat
store, sealed; only workspaces that the settings name may install it."""

from __future__ import annotations

import hmac
import logging
import secrets
import time
from typing import Any

from slack_bolt.error import BoltError
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.accounts import Accounts
from config.settings import Slack
from storage.errors import StorageError

_log = logging.getLogger(__name__)
SCOPES = (
    *("app_mentions:read", "assistant:write", "channels:history", "channels:read", "chat:write", "commands"),
    *("files:write", "groups:history", "groups:read", "im:history", "im:write", "mpim:history"),
    "users:read",
)
ANY = "*"
_STATE_SECONDS = 600  # from the page to its return


def make_flow(settings: Slack, accounts: Accounts, client: AsyncWebClient) -> AsyncOAuthFlow:
    """`/slack/install`, which leads to Slack, and `/slack/oauth_redirect`, to which it leads back."""
    assert settings.client_id is not None
    assert settings.client_secret is not None
    assert settings.workspaces is not None
    allowed = frozenset(one.strip() for one in settings.workspaces.split(","))
    own = AsyncOAuthSettings(
        client_id=settings.client_id,
        client_secret=settings.client_secret.get_secret_value(),
        scopes=SCOPES,
        user_scopes=[],
        authorization_url=settings.authorize_url,
        installation_store=_Installations(accounts, allowed),
        state_store=_States(),
        state_expiration_seconds=_STATE_SECONDS,
    )
    return AsyncOAuthFlow(client=client, settings=own)


class _Installations(AsyncInstallationStore):
    """Only for saving: who we are in a workspace is asked of `Accounts`."""

    def __init__(self, accounts: Accounts, allowed: frozenset[str]) -> None:
        self._accounts = accounts
        self._allowed = allowed

    @property
    def logger(self) -> logging.Logger:
        return _log

    async def async_save(self, installation: Installation) -> None:
        """Raises BoltError where the workspace may not have it, or it cannot be kept."""
        team, user, token = installation.team_id, installation.bot_user_id, installation.bot_token
        if not team or not user or not token or not (self._allowed & {team, ANY}):
            _log.warning("a workspace that is not in CARECITE_SLACK_WORKSPACES was refused")
            raise BoltError("This workspace may not install the app.")
        try:
            await self._accounts.install(team, user, installation.bot_id, token)
        except StorageError as error:
            _log.warning("an installation was not kept (%s)", type(error).__name__)
            raise BoltError("The installation could not be kept.") from None
        _log.info("a workspace has installed the app")


class _States(AsyncOAuthStateStore):
    """What ties the return to the page: signed by a key of this process, and good once."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._used: dict[str, float] = {}

    @property
    def logger(self) -> logging.Logger:
        return _log

    async def async_issue(self, *args: Any, **kwargs: Any) -> str:
        told = f"{int(time.time()) + _STATE_SECONDS}-{secrets.token_hex(16)}"
        return f"{told}-{self._sign(told)}"

    async def async_consume(self, state: str) -> bool:
        told, _, signature = str(state).rpartition("-")
        ends, now = told.partition("-")[0], time.time()
        self._used = {one: end for one, end in self._used.items() if end > now}
        if not hmac.compare_digest(signature, self._sign(told)) or float(ends) < now or told in self._used:
            return False
        self._used[told] = float(ends)
        return True

    def _sign(self, told: str) -> str:
        return hmac.new(self._key, told.encode(), "sha256").hexdigest()
