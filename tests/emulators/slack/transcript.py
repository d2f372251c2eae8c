"""A channel as plain text, from what it holds: who said what, in threads, as it reads now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.emulators.slack.state import Channel, Message, Workspace

_LINK = re.compile(r"<(https?://[^|>]+)\|([^>]+)>")
_MARKED = re.compile(r"\[([^\]]+)\]\((https?://[^)]+)\)")


def render_channel(workspace: Workspace, channel: Channel) -> str:
    """Top-level messages in order, replies indented below theirs."""
    place = f"direct message with {channel.name}" if channel.private else f"#{channel.name}"
    lines = [f"── {place} ──"]
    roots = [one for one in channel.messages if one.thread_ts in (None, one.ts)]
    known = {one.ts for one in roots}
    for message in roots:
        lines += _render(workspace, channel, message, "")
        for reply in channel.messages:
            if reply.thread_ts == message.ts and reply is not message:
                lines += _render(workspace, channel, reply, "    ")
        if status := channel.status(message.ts):
            lines.append(f"    … {status}")
    for message in channel.messages:
        if message.thread_ts and message.thread_ts not in known:
            lines += _render(workspace, channel, message, "    ")
    lines += [f"  ▸ {prompt['title']}" for prompt in channel.prompts]
    return "\n".join(lines) + "\n"


def _render(workspace: Workspace, channel: Channel, message: Message, indent: str) -> Iterator[str]:
    person = workspace.people.get(message.author)
    name = person.name if person else message.author
    marks = [f"only visible to {message.ephemeral_to}"] if message.ephemeral_to else []
    marks += ["edited"] if message.edits and not message.bot_id else []
    marks += ["streaming"] if message.stream and message.stream.state == "open" else []
    note = f" ({', '.join(marks)})" if marks else ""
    if message.deleted:
        yield f"{indent}{name}: [deleted]"
        return
    body = [*_texts(message)]
    for at, line in enumerate("\n".join(body).split("\n") or [""]):
        start = f"{indent}{name}{note}: " if at == 0 else f"{indent}  "
        yield (start + _plain(line)).rstrip()
    for file in message.files:
        yield f"{indent}  [file {workspace.files[file].name}]"
    for reaction, people in message.reactions.items():
        if people:
            yield f"{indent}  :{reaction}: {len(people)}"


def _texts(message: Message) -> Iterator[str]:
    """What is seen: the blocks where there are some, and before them what was streamed."""
    if message.text and (not message.blocks or message.stream):
        yield message.text
    for block in message.blocks:
        yield from _block(block)


def _block(block: dict[str, Any]) -> Iterator[str]:
    kind, text = block.get("type"), block.get("text")
    if kind == "divider":
        yield "────"
    elif kind == "rich_text":
        yield from (_rich(element) for element in block.get("elements") or [])
        return
    elif kind == "table":
        yield from (" | ".join(map(_rich, row)) for row in block.get("rows") or [])
        return
    elif kind == "markdown" and isinstance(text, str):
        yield text
    elif isinstance(text, dict):
        yield text["text"]
    for part in block.get("fields") or []:
        yield part["text"]
    buttons = []
    for element in block.get("elements") or []:
        if element.get("type") in ("mrkdwn", "plain_text"):
            yield element["text"]
        elif element.get("type") == "feedback_buttons":
            buttons += [element[one]["text"]["text"] for one in ("positive_button", "negative_button")]
        elif isinstance(element.get("text"), dict):
            buttons.append(element["text"]["text"])
    if buttons:
        yield "  ".join(f"[ {label} ]" for label in buttons)


def _rich(element: dict[str, Any]) -> str:
    """An element of rich text, or a cell."""
    parts = [_rich(part) for part in element.get("elements") or []]
    if element.get("type") == "rich_text_list":
        return "\n".join(f"• {part}" for part in parts)
    if element.get("type") == "link":
        return f"{element.get('text') or element['url']} ‹{element['url']}›"
    return "".join(parts) or str(element.get("text") or element.get("name") or element.get("user_id") or "")


def _plain(line: str) -> str:
    line = _MARKED.sub(r"\1 ‹\2›", _LINK.sub(r"\2 ‹\1›", line))
    return line.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
