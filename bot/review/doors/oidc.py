"""Signing in by OpenID Connect, with any provider that has a discovery document: authorization code with
PKCE, state and nonce, by Authlib. Issuer and subject say who it is here, and nothing else of the token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from bot.review.errors import OidcRefused
from config.review import Review

if TYPE_CHECKING:
    from authlib.integrations.starlette_client import StarletteOAuth2App

_PATIENCE = 10.0  # seconds for the provider to answer


class Subject(NamedTuple):
    """Somebody, as their provider names them."""

    issuer: str
    subject: str


class Provider:
    """The provider of the settings. State, nonce and verifier wait in the signed cookie of the door."""

    def __init__(self, client: StarletteOAuth2App, back: str) -> None:
        self._client = client
        self._back = back

    async def begin(self, request: Request) -> Response:
        """To the provider's page. Raises OidcRefused."""
        from authlib.integrations.base_client import OAuthError
        from httpx import HTTPError

        try:
            response: Response = await self._client.authorize_redirect(request, self._back)
        except (OAuthError, HTTPError, ValueError, RuntimeError, KeyError):
            raise OidcRefused from None  # their words may hold a secret
        return response

    async def finish(self, request: Request) -> Subject:
        """Who came back. Raises OidcRefused."""
        from authlib.integrations.base_client import OAuthError
        from httpx import HTTPError
        from joserfc.errors import JoseError

        try:
            metadata: dict[str, Any] = await self._client.load_server_metadata()
            claims = {
                "iss": {"essential": True, "value": metadata["issuer"]},
                "aud": {"essential": True, "value": self._client.client_id},
            }
            token = await self._client.authorize_access_token(request, claims_options=claims)
            found = token["userinfo"]
            return Subject(str(found["iss"]), str(found["sub"]))
        except (OAuthError, JoseError, HTTPError, ValueError, RuntimeError, KeyError, TypeError):
            raise OidcRefused from None


def open_provider(settings: Review, address: str) -> Provider | None:
    """None where none is configured. Nothing is asked of it yet."""
    if settings.oidc_url is None:
        return None
    from authlib.integrations.starlette_client import OAuth

    assert settings.oidc_client_secret is not None
    client = OAuth().register(
        "staff",
        server_metadata_url=f"{settings.oidc_url.rstrip('/')}/.well-known/openid-configuration",
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret.get_secret_value(),
        client_kwargs={"scope": "openid", "code_challenge_method": "S256", "timeout": _PATIENCE},
    )
    return Provider(client, f"{address}/sign-in/oidc/back")
