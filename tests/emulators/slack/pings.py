"""What a message would do beside being read: whom it pings, and where its links lead. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_PING = re.compile(
    r"<!(?:channel|here|everyone|subteam\^[A-Z0-9]+)(?:\|[^>]*)?>|<@[UW][A-Z0-9-]+(?:\|[^>]*)?>"
)
_LINK = re.compile(r"<((?:https?|mailto|tel):[^|>]*)(?:\|[^>]*)?>")
_MARKED = re.compile(r"\]\(\s*<?((?:https?|mailto):(?:[^()\s<>]|\([^()\s]*\))*)")
_BARE = re.compile(r"(?<![(<|])\bhttps?://[^\s<>|]+")


def texts_of(text: str | None, blocks: Sequence[Mapping[str, Any]] = ()) -> Iterator[str]:
    """All that Slack reads markup in: the text, and each string of the blocks that is no plain text."""
    if text:
        yield text
    yield from _marked_strings(list(blocks))


def _marked_strings(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        if value.get("type") == "plain_text":
            return
        for name, part in value.items():
            if name == "text" and isinstance(part, str):
                yield part
            else:
                yield from _marked_strings(part)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for part in value:
            yield from _marked_strings(part)


def find_pings(text: str | None, blocks: Sequence[Mapping[str, Any]] = ()) -> list[str]:
    """Mentions of channels, groups and people, also in markdown blocks (not known to be harmless there)."""
    marked = [found.group() for part in texts_of(text, blocks) for found in _PING.finditer(part)]
    return [*marked, *_rich_pings(list(blocks))]


def _rich_pings(value: object) -> Iterator[str]:
    """Elements of rich text that ping."""
    if isinstance(value, Mapping):
        if value.get("type") in ("broadcast", "user", "usergroup"):
            yield str(value.get("range") or value.get("user_id") or value.get("usergroup_id"))
        for part in value.values():
            yield from _rich_pings(part)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for part in value:
            yield from _rich_pings(part)


def find_links(text: str | None, blocks: Sequence[Mapping[str, Any]] = ()) -> list[str]:
    """Addresses that a reader can open: of mrkdwn, of markdown, of buttons, and bare ones."""
    found = [
        address.replace("&amp;", "&")
        for part in texts_of(text, blocks)
        for pattern in (_LINK, _MARKED, _BARE)
        for address in pattern.findall(part)
    ]
    return [*dict.fromkeys([*found, *_addresses(list(blocks))])]


def _addresses(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name in ("url", "image_url", "title_url") and isinstance(part, str):
                yield part
            else:
                yield from _addresses(part)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for part in value:
            yield from _addresses(part)
