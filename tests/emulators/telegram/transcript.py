"""A chat as plain text, from what it holds: who said what, with the addresses of links and the buttons."""

from __future__ import annotations

from collections.abc import Iterator

from tests.emulators.telegram.state import Chat, Message, State


def render_chat(state: State, chat: Chat) -> str:
    """All messages in order, then what shows that the bot is at work."""
    place = f"chat with {chat.title}" if chat.private else chat.title
    lines = [f"── {place} ──"]
    for message in chat.messages:
        lines += _render(state, chat, message)
    if chat.drafts and (not chat.messages or chat.drafts[-1].at > chat.messages[-1].at):
        lines.append(f"  … {chat.drafts[-1].text or 'thinking'}")
    return "\n".join(lines) + "\n"


def _render(state: State, chat: Chat, message: Message) -> Iterator[str]:
    marks = [f"topic {chat.topics.get(message.topic, message.topic)}"] if message.topic else []
    marks += ["edited"] if message.edits and message.sender is not state.bot else []
    note = f" ({', '.join(marks)})" if marks else ""
    if message.deleted:
        yield f"{message.sender.first_name}: [deleted]"
        return
    replied = chat.find(message.reply_to) if message.reply_to else None
    if replied is not None:
        first = replied.text.split("\n")[0]
        yield f"  ┌ {first[:60]}{'…' if len(first) > 60 else ''}"
    for at, line in enumerate(_with_links(message).split("\n")):
        yield (f"{message.sender.first_name}{note}: {line}" if at == 0 else f"  {line}").rstrip()
    if message.file:
        yield f"  [file {state.files[message.file].name}]"
    for row in (message.markup or {}).get("inline_keyboard", []):
        yield "  " + "  ".join(f"[ {button['text']} ]" for button in row)


def _with_links(message: Message) -> str:
    """The text, with each address after what links to it."""
    units = message.text.encode("utf-16-le")
    linked = [entity for entity in message.entities if entity["type"] == "text_link"]
    for entity in sorted(linked, key=lambda one: -int(one["offset"])):
        end = 2 * (entity["offset"] + entity["length"])
        units = units[:end] + f" ‹{entity['url']}›".encode("utf-16-le") + units[end:]
    return units.decode("utf-16-le")
