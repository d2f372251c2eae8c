"""What people wrote, out of Slack's form of it (docs.slack.dev, formatting message text)."""

from __future__ import annotations

import re

_MARK = re.compile(r"<([^<>]*)>")


def words_of(text: str, me: str) -> str:
    """As it was typed: links by their label, channels by their name, mentions of people left out. Numbers,
    signs and stars stay as they are."""

    def read(match: re.Match[str]) -> str:
        inside, _, label = match[1].partition("|")
        if inside.startswith("@"):
            return " "
        if inside.startswith("#"):
            return f"#{label}" if label else " "
        if inside.startswith("!"):
            return label or " "
        return label or inside.removeprefix("mailto:").removeprefix("tel:")

    plain = _MARK.sub(read, text.replace(f"<@{me}>", " "))
    plain = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return re.sub(r"[ \t]{2,}", " ", plain).strip()


def mentions(text: str, person: str) -> bool:
    return f"<@{person}>" in text or f"<@{person}|" in text


def is_for_somebody_else(text: str, me: str) -> bool:
    """It begins with a mention, and none is of us: in a thread it is no follow-up."""
    return text.lstrip().startswith("<@") and not mentions(text, me)
