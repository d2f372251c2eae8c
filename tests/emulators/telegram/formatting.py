"""From a text with a parse mode or entities to what Telegram keeps: cleaned, trimmed, entities checked.

Source: what td's `fix_formatted_text` does to a bot's message, in its words, as public reports quote them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.emulators.telegram.html_markup import parse_html
from tests.emulators.telegram.links import is_link
from tests.emulators.telegram.markdown_v2 import parse_markdown_v2
from tests.emulators.telegram.refusals import Refused, utf16_length

Entity = dict[str, Any]
MOST_ENTITIES = 100  # the rest lose their formatting silently
TYPES = {
    *("mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number"),
    *("bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote"),
    *("code", "pre", "text_link", "text_mention", "custom_emoji", "date_time"),
}
_DETECTED = {"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number"}
_REMOVED = {
    "\r",
    *map(chr, range(0x2028, 0x202F)),
    "\u0333",
    "\u033f",
    "\u030a",
}  # what spoils a line's looks


@dataclass(frozen=True, slots=True)
class Formatted:
    """Text and entities as kept; `dropped` are entities beyond the hundredth."""

    text: str
    entities: tuple[Entity, ...] = ()
    dropped: tuple[Entity, ...] = ()


def format_text(
    text: str, entities: Sequence[Entity] | None = None, parse_mode: str | None = None
) -> Formatted:
    """What is kept of a text; raises Refused. A parse mode makes the given entities void."""
    mode = (parse_mode or "").lower()
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise Refused("Bad Request: strings must be encoded in UTF-8")
    if mode == "markdownv2":
        text, entities = parse_markdown_v2(text)
    elif mode == "html":
        text, entities = parse_html(text)
    elif mode:
        raise Refused("Bad Request: unsupported parse_mode")
    return _keep(text, sorted(map(_checked, entities or ()), key=lambda one: (one["offset"], -one["length"])))


def _checked(entity: Entity) -> Entity:
    if not isinstance(entity, dict) or entity.get("type") not in TYPES:
        raise Refused("Bad Request: can't parse MessageEntity: unsupported type specified")
    for key in ("offset", "length"):
        if not isinstance(entity.get(key), int) or entity[key] < (key == "length"):
            raise Refused(f"Bad Request: receive an entity with incorrect {key} {entity.get(key)}")
    if entity["type"] == "text_link" and not is_link(entity.get("url")):
        raise Refused(f"Bad Request: entity URL '{entity.get('url')}' is invalid: Wrong HTTP URL")
    return entity


def _keep(text: str, entities: list[Entity]) -> Formatted:
    moved, cleaned = _clean(text)
    end, left = utf16_length(text), []
    lead = utf16_length(cleaned) - utf16_length(cleaned.lstrip())
    kept = cleaned.strip()
    size = utf16_length(kept)
    for entity in entities:
        start, stop = entity["offset"], entity["offset"] + entity["length"]
        if start > end:
            raise Refused(f"Bad Request: entity begins after the end of the text at UTF-16 offset {start}")
        if start not in moved:
            raise Refused(
                "Bad Request: entity begins in a middle of a UTF-16 symbol at byte offset "
                f"{_byte(text, start)}"
            )
        if stop > end:
            raise Refused(
                f"Bad Request: entity beginning at UTF-16 offset {start} ends after the end of the text at "
                f"UTF-16 offset {stop}"
            )
        if stop not in moved:
            raise Refused(
                f"Bad Request: entity beginning at UTF-16 offset {start} ends in a middle of a UTF-16 symbol "
                f"at byte offset {_byte(text, stop)}"
            )
        first, last = (min(max(moved[at] - lead, 0), size) for at in (start, stop))
        inside = kept.encode("utf-16-le")[2 * first : 2 * last].decode("utf-16-le")
        if inside.strip() and entity["type"] not in _DETECTED:
            left.append(entity | {"offset": first, "length": last - first})
    return Formatted(kept, tuple(left[:MOST_ENTITIES]), tuple(left[MOST_ENTITIES:]))


def _clean(text: str) -> tuple[dict[int, int], str]:
    """UTF-16 offsets before and after control and line-moving characters are taken out."""
    moved, kept, before, after = {0: 0}, [], 0, 0
    for character in text:
        width = 2 if ord(character) > 0xFFFF else 1
        before += width
        if character not in _REMOVED:
            kept.append(" " if character < " " and character != "\n" else character)
            after += width
        moved[before] = after
    return moved, "".join(kept)


def _byte(text: str, middle: int) -> int:
    """Where, in UTF-8, the symbol ends that has a UTF-16 offset in its middle."""
    return len(text.encode("utf-16-le")[: 2 * middle + 2].decode("utf-16-le").encode())
