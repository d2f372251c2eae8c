"""Telegram's HTML: a short list of tags. Any `<` that opens none of them is refused, as in `dose <5 mg`."""

from __future__ import annotations

import re
from typing import Any

from tests.emulators.telegram.links import is_link
from tests.emulators.telegram.refusals import Unparsable, utf16_length

TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "tg-emoji": "custom_emoji",
    "a": "text_link",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
}
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(lt|gt|amp|quot))(?:;|(?![A-Za-z0-9]))")
_NAME = re.compile(r"[^\s>]*")
_ATTRIBUTE = re.compile(r"""\s+([^\s=>]+)(?:\s*=\s*("[^"]*"|'[^']*'|[A-Za-z0-9.\-]+))?""")
_SPACE = re.compile(r"\s*")


def parse_html(source: str) -> tuple[str, list[dict[str, Any]]]:
    """The plain text and its entities, in UTF-16 units; raises Unparsable."""
    text: list[str] = []
    entities: list[dict[str, Any]] = []
    opened: list[tuple[str, int, dict[str, str]]] = []
    at = offset = 0
    while at < len(source):
        if source[at] == "<":
            byte = len(source[:at].encode())
            if source.startswith("</", at):
                if not opened:
                    raise Unparsable(f"Unexpected end tag at byte offset {byte}")
                tag, begin, attributes = opened.pop()
                at = _end_tag(source, at, byte, tag)
                words = "".join(text).encode("utf-16-le")[2 * begin :].decode("utf-16-le")
                entities += _entities(tag, begin, offset - begin, attributes, words, inside=_inside(opened))
            else:
                tag, attributes, at = _start_tag(source, at, byte)
                opened.append((tag, offset, attributes))
            continue
        reference = _REFERENCE.match(source, at) if source[at] == "&" else None
        character, at = (_decode(reference), reference.end()) if reference else (source[at], at + 1)
        text.append(character)
        offset += utf16_length(character)
    if opened:
        raise Unparsable(f'Can\'t find end tag corresponding to start tag "{opened[-1][0]}"')
    return "".join(text), entities


def _decode(reference: re.Match[str]) -> str:
    hexadecimal, decimal, name = reference.groups()
    if name:
        return _NAMED[name]
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    plain = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if plain else reference.group()


def _start_tag(source: str, at: int, byte: int) -> tuple[str, dict[str, str], int]:
    unclosed = Unparsable(f"Unclosed start tag at byte offset {byte}")
    name = _match(_NAME, source, at + 1)
    tag, end = name.group().lower(), name.end()
    if end >= len(source):
        raise unclosed
    if tag not in TAGS:
        raise Unparsable(f'Unsupported start tag "{tag}" at byte offset {byte}')
    attributes: dict[str, str] = {}
    while found := _ATTRIBUTE.match(source, end):
        value = (found.group(2) or "").strip("\"'")
        attributes[found.group(1).lower()] = _REFERENCE.sub(_decode, value)
        end = found.end()
    end = _match(_SPACE, source, end).end()
    if source[end : end + 1] != ">":
        raise unclosed
    if tag == "span" and attributes.get("class") != "tg-spoiler":
        raise Unparsable(f'Tag "span" must have class "tg-spoiler" at byte offset {byte}')
    return tag, attributes, end + 1


def _match(pattern: re.Pattern[str], source: str, at: int) -> re.Match[str]:
    found = pattern.match(source, at)
    assert found is not None  # both patterns match the empty string
    return found


def _end_tag(source: str, at: int, byte: int, tag: str) -> int:
    name = _match(_NAME, source, at + 2)
    end = _match(_SPACE, source, name.end()).end()
    if source[end : end + 1] != ">":
        raise Unparsable(f"Unclosed end tag at byte offset {byte}")
    if name.group() and name.group().lower() != tag:
        raise Unparsable(
            f'Unmatched end tag at byte offset {byte}, expected "</{tag}>", found "</{name.group().lower()}>"'
        )
    return end + 1


def _inside(opened: list[tuple[str, int, dict[str, str]]]) -> str:
    return opened[-1][0] if opened else ""


def _entities(
    tag: str, offset: int, length: int, attributes: dict[str, str], words: str, *, inside: str
) -> list[dict[str, Any]]:
    entity: dict[str, Any] = {"type": TAGS[tag], "offset": offset, "length": length}
    if not length:
        return []
    if tag == "a":
        entity["url"] = attributes.get("href") or words
        return [entity] if is_link(entity["url"]) else []
    if tag == "blockquote" and "expandable" in attributes:
        entity["type"] = "expandable_blockquote"
    if tag == "tg-emoji":
        entity["custom_emoji_id"] = attributes.get("emoji-id", "")
    if tag == "code" and inside == "pre":
        return []  # a class of it names the language of the block around
    return [entity]
