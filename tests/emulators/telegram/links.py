"""Which addresses Telegram makes a link of."""

from __future__ import annotations

from urllib.parse import urlsplit


def is_link(url: object) -> bool:
    """Whether Telegram takes it as the address of a link."""
    if not isinstance(url, str) or any(character.isspace() for character in url):
        return False
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme in ("tg", "ton"):
        return True
    return parts.scheme in ("http", "https") and "." in host.strip(".")
