"""An OpenID provider on loopback: discovery, authorisation with PKCE, signed id tokens, and its keys.

Whoever comes is signed in as `subject` at once. It is as strict as providers are, and `spoil` makes it
misbehave: what a token says, or who signed it, is then not as it should be.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.emulators.loopback import Loopback

CLIENT, SECRET = "carecite", "a-secret-of-the-client"


class OidcServer(Loopback):
    def __init__(self) -> None:
        super().__init__(type("Handler", (_Handler,), {"provider": self}))
        self.subject = "ann"
        self.spoil: dict[str, Any] = {}
        self.stranger = False  # signs with a key that is not published
        self.asked: list[dict[str, str]] = []
        self._key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self._other = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self._codes: dict[str, dict[str, str]] = {}

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            "code_challenge_methods_supported": ["S256"],
        }

    def jwks(self) -> dict[str, Any]:
        return {"keys": [self._key.as_dict(private=False)]}

    def authorize(self, asked: dict[str, str]) -> str | None:
        """Where the browser goes on; None for a request that is refused."""
        self.asked.append(asked)
        wanted = {"client_id": CLIENT, "response_type": "code", "code_challenge_method": "S256"}
        if any(asked.get(name) != value for name, value in wanted.items()):
            return None
        if "openid" not in asked.get("scope", "").split() or not asked.get("state") or not asked.get("nonce"):
            return None
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """A code is good once, for its client, its redirect and who knows its verifier."""
        asked = self._codes.pop(form.get("code", ""), None)
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if asked is None or authorization != f"Basic {basic}":
            return None
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if challenge != asked["code_challenge"] or form.get("redirect_uri") != asked["redirect_uri"]:
            return None
        now = int(time.time())
        claims: dict[str, Any] = {"iss": self.issuer, "sub": self.subject, "aud": CLIENT, "iat": now}
        claims |= {"exp": now + 300, "nonce": asked["nonce"]} | self.spoil
        key = self._other if self.stranger else self._key
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)
        return {"access_token": secrets.token_urlsafe(16), "token_type": "Bearer", "id_token": signed}


class _Handler(BaseHTTPRequestHandler):
    provider: OidcServer

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/.well-known/openid-configuration":
            self._reply(200, self.provider.discovery())
        elif parts.path == "/jwks":
            self._reply(200, self.provider.jwks())
        elif parts.path == "/authorize":
            target = self.provider.authorize(_single(parts.query))
            self._reply(400 if target is None else 302, {}, target)
        else:
            self._reply(404, {})

    def do_POST(self) -> None:
        form = _single(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode())
        found = self.provider.token(form, self.headers.get("Authorization", ""))
        self._reply(200 if found else 400, found or {"error": "invalid_grant"})

    def _reply(self, status: int, value: dict[str, Any], location: str | None = None) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """The tests' output stays clean."""


def _single(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
