"""MarkdownV2, as td reads it: what is reserved must be escaped, what is opened must be closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.emulators.telegram.links import is_link
from tests.emulators.telegram.refusals import Unparsable, utf16_length

RESERVED = "_*[]()~`>#+-=|{}.!"
_NAMES = {
    "bold": "Bold",
    "italic": "Italic",
    "underline": "Underline",
    "strikethrough": "Strikethrough",
    "spoiler": "Spoiler",
    "code": "Code",
    "pre": "Pre",
    "text_link": "TextUrl",
    "custom_emoji": "CustomEmoji",
    "blockquote": "BlockQuote",
    "expandable_blockquote": "ExpandableBlockQuote",
}
_MARKS = {
    "bold": "*",
    "italic": "_",
    "underline": "__",
    "strikethrough": "~",
    "spoiler": "||",
    "code": "`",
    "pre": "```",
    "text_link": "]",
    "custom_emoji": "]",
}
_QUOTES = ("blockquote", "expandable_blockquote")


@dataclass(slots=True)
class _Open:
    kind: str
    offset: int
    byte: int
    more: dict[str, Any]


def parse_markdown_v2(source: str) -> tuple[str, list[dict[str, Any]]]:
    """The plain text and its entities, in UTF-16 units; raises Unparsable."""
    reader = _Reader(source)
    while reader.at < len(source):
        reader.read()
    reader.end_quote()
    if reader.open:
        last = reader.open[-1]
        raise Unparsable(f"Can't find end of {_NAMES[last.kind]} entity at byte offset {last.byte}")
    return "".join(reader.text), reader.entities


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.text: list[str] = []
        self.offset = 0
        self.open: list[_Open] = []
        self.entities: list[dict[str, Any]] = []

    def read(self) -> None:
        """One character, mark or escape."""
        character = self.source[self.at]
        following = self.source[self.at + 1 : self.at + 2]
        top = self.open[-1].kind if self.open else None
        if character == "\\" and following and ord(following) <= 126:
            self._emit(following, 2)
        elif top in ("code", "pre") and character != "`":
            self._emit(character)
        elif character == "\n":
            self._end_line()
        elif character not in RESERVED:
            self._emit(character)
        elif self._closes(top):
            self._close()
        else:
            self._begin(character, following)

    def _emit(self, character: str, width: int = 1) -> None:
        self.text.append(character)
        self.offset += utf16_length(character)
        self.at += width

    def _closes(self, top: str | None) -> bool:
        if top is None or top in _QUOTES:
            return False
        if top == "italic" and self.source.startswith("__", self.at):
            return False
        return self.source.startswith(_MARKS[top], self.at)

    def _begin(self, character: str, following: str) -> None:
        starts = self.source.startswith
        line_start = self.at == 0 or self.source[self.at - 1] == "\n"
        more: dict[str, Any] = {}
        quoted = any(one.kind in _QUOTES for one in self.open)
        if character == "_":
            kind = "underline" if following == "_" else "italic"
        elif starts("**>", self.at) and line_start and not quoted:
            self._push("expandable_blockquote", 3, more)
            return
        elif character == "*":
            kind = "bold"
        elif character == "~":
            kind = "strikethrough"
        elif starts("||", self.at):
            after = self.source[self.at + 2 : self.at + 3]
            if self.open and self.open[-1].kind == "expandable_blockquote" and after in ("", "\n"):
                self.at += 2
                return
            kind = "spoiler"
        elif character == "[":
            self._push("text_link", 1, more)
            return
        elif starts("![", self.at):
            self._push("custom_emoji", 2, more)
            return
        elif starts("```", self.at):
            self._begin_pre()
            return
        elif character == "`":
            kind = "code"
        elif character == ">" and line_start and not quoted:
            self._push("blockquote", 1, more)
            return
        else:
            raise Unparsable(
                f"Character '{character}' is reserved and must be escaped with the preceding '\\'"
            )
        self._push(kind, len(_MARKS[kind]), more)

    def _push(self, kind: str, width: int, more: dict[str, Any]) -> None:
        byte = len(self.source[: self.at].encode())
        self.open.append(_Open(kind, self.offset, byte, more))
        self.at += width

    def _begin_pre(self) -> None:
        rest = self.source[self.at + 3 :]
        word = next((rest[:n] for n, one in enumerate(rest) if one.isspace() or one == "`"), "")
        named = bool(word) and rest[len(word)] != "`"
        self._push("pre", 3 + (len(word) if named else 0), {"language": word} if named else {})
        if self.source[self.at : self.at + 1] == "\n":
            self.at += 1

    def _close(self) -> None:
        top = self.open.pop()
        self.at += len(_MARKS[top.kind])
        if top.kind in ("text_link", "custom_emoji"):
            address = self._read_address(top)
            if top.kind == "custom_emoji" and not address.startswith("tg://emoji?id="):
                raise Unparsable("Custom emoji entity must contain a tg://emoji URL")
            if top.kind == "text_link":
                top.more["url"] = address
            else:
                top.more["custom_emoji_id"] = address.removeprefix("tg://emoji?id=")
        self._add(top)

    def _read_address(self, top: _Open) -> str:
        if self.source[self.at : self.at + 1] != "(":
            return "".join(self.text).encode("utf-16-le")[2 * top.offset :].decode("utf-16-le")
        begin, self.at, found = self.at, self.at + 1, []
        while self.at < len(self.source) and self.source[self.at] != ")":
            escaped = self.source[self.at] == "\\" and self.at + 1 < len(self.source)
            self.at += escaped
            found.append(self.source[self.at])
            self.at += 1
        if self.at >= len(self.source):
            where = len(self.source[:begin].encode())
            raise Unparsable(f"Can't find end of a URL at byte offset {where}")
        self.at += 1
        return "".join(found)

    def _add(self, top: _Open) -> None:
        length = self.offset - top.offset
        if length and (top.kind != "text_link" or is_link(top.more["url"])):
            self.entities.append({"type": top.kind, "offset": top.offset, "length": length} | top.more)

    def _end_line(self) -> None:
        if self.source[self.at + 1 : self.at + 2] == ">" and any(one.kind in _QUOTES for one in self.open):
            self._emit("\n", 2)
            return
        self.end_quote()
        self._emit("\n")

    def end_quote(self) -> None:
        """A quote ends with its last line; what was opened inside must be closed by then."""
        if self.open and self.open[-1].kind in _QUOTES:
            self._add(self.open.pop())
