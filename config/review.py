"""Settings of the review in the browser."""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator

from config.fields import LOOPBACK, Group, WebAddress


class Review(Group):
    """Review in the browser, of serve (where a port is set) and review."""

    host: str = Field("127.0.0.1", description="where it listens, behind your proxy")
    port: int | None = Field(
        None, ge=1, le=65535, description="port of it; unset: not in serve, and 8090 for review"
    )
    url: WebAddress | None = Field(None, description="public https address of your proxy")
    proxies: str = Field(
        "127.0.0.1", description="addresses of proxies whose X-Forwarded-For is believed, by commas"
    )
    plain_http: bool = Field(
        False, description="without url: http on this machine alone, for a trial; cookies are not protected"
    )
    oidc_url: WebAddress | None = Field(
        None, description="issuer for signing in, up to /.well-known/openid-configuration; Slack's works, too"
    )
    oidc_client_id: str | None = Field(None, description="of the issuer's registration")
    oidc_client_secret: SecretStr | None = Field(None, description="of it")

    @model_validator(mode="after")
    def _reachable(self) -> Review:
        if self.url is not None and not self.url.startswith("https://"):
            raise ValueError("url begins with https://; for a trial on this machine there is plain_http")
        if self.plain_http and (self.url is not None or self.host not in LOOPBACK):
            raise ValueError("plain_http is for a loopback host without url")
        if self.oidc_url is not None and not (self.oidc_url.startswith("https://") or self._oidc_is_near):
            raise ValueError("oidc_url begins with https://")
        if self.oidc_url is not None and (self.oidc_client_id is None or self.oidc_client_secret is None):
            raise ValueError("oidc_url needs oidc_client_id and oidc_client_secret")
        return self

    @property
    def _oidc_is_near(self) -> bool:
        return urlsplit(self.oidc_url or "").hostname in LOOPBACK
