"""Which addresses may be opened from an answer: those of its own sources, and only web pages."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_LONGEST = 2000  # characters, our choice: beyond it platforms drop the link or the message
_BROKEN = re.compile(r"[\s\x00-\x1f\x7f<>\"|]")


def opens(url: str | None) -> bool:
    """Whether a platform may make a link of it: http or https, a host with a
    dot (Telegram refuses the whole message for another), nothing that ends it early."""
    if not url or len(url) > _LONGEST or _BROKEN.search(url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and "." in (parts.hostname or "").strip(".")
    except ValueError:  # "http://[": no address at all
        return False
