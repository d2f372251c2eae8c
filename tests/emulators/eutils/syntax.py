"""PubMed's query language: text to an expression. Nothing is refused; what cannot be read is passed over.

    Expression = Words | Tagged | Range | History | Joined

Operators count in capitals only and are worked off from left to right; terms side by side are joined by AND.
A tag holds for the words before it, back to the last operator, bracket, quote or tag.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.emulators.eutils.fields import Field, Kind, find_field

_LEXEME = re.compile(
    r"""(?P<open>\() | (?P<close>\)) | (?P<tag>\[[^\[\]"()]*\]) | "(?P<quoted>[^"]*)"
      | (?P<colon>:(?=\s*["(]|\s*\d))
      | (?P<symbol>[&|]) | (?P<number>\#\d+) | (?P<word>[^\s()\[\]"&|]+) | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_DATE = r"(\d{1,4}(?:/\d{1,2}(?:/\d{1,2})?)?)"
_RANGE = re.compile(rf"{_DATE}\s*:\s*{_DATE}$")
_NEAR = re.compile(r"(?P<field>.*?)\s*:\s*~\s*(?P<distance>\d+)$")
_OPERATORS = {"AND", "OR", "NOT"}


@dataclass(frozen=True, slots=True)
class Words:
    """Text without a tag, left to term mapping; or a phrase in quotes."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Tagged:
    """Text with a tag as it was written. `field` is None where PubMed knows none of that name."""

    text: str
    quoted: bool
    tag: str
    field: Field | None
    alone: bool = False  # :noexp
    near: int | None = None


@dataclass(frozen=True, slots=True)
class Range:
    first: str
    last: str
    field: Field


@dataclass(frozen=True, slots=True)
class History:
    number: int


@dataclass(frozen=True, slots=True)
class Joined:
    left: Expression
    operator: str
    right: Expression


Expression = Words | Tagged | Range | History | Joined


@dataclass(frozen=True, slots=True)
class _Lexeme:
    kind: str
    text: str


def _lex(query: str) -> list[_Lexeme]:
    found = []
    for match in _LEXEME.finditer(query):
        kind = match.lastgroup or ""
        text = match.group(kind)
        if kind == "symbol":
            found.append(_Lexeme("operator", "AND" if text == "&" else "OR"))
        elif kind == "word" and text in _OPERATORS:
            found.append(_Lexeme("operator", text))
        elif kind == "tag":
            found.append(_Lexeme("tag", text[1:-1].strip()))
        elif kind != "other":
            found.append(_Lexeme(kind, text))
    return found


def parse(query: str) -> Expression | None:
    """The expression; None where no search word is in the query."""
    return _Parser(_lex(query)).group()


class _Parser:
    def __init__(self, lexemes: list[_Lexeme]) -> None:
        self._lexemes = lexemes
        self._at = 0

    def _peek(self, ahead: int = 0) -> _Lexeme | None:
        at = self._at + ahead
        return self._lexemes[at] if at < len(self._lexemes) else None

    def group(self, inner: bool = False) -> Expression | None:
        """Up to the closing bracket, or the end. A closing bracket that none opened is passed over."""
        result: Expression | None = None
        operator = ""
        while lexeme := self._peek():
            if lexeme.kind == "close":
                self._at += 1
                if inner:
                    return result
            elif lexeme.kind == "operator":
                self._at += 1
                operator = lexeme.text
            elif (part := self._part(lexeme)) is not None:
                if result is None and operator != "NOT":
                    result = part
                else:
                    result = Joined(result or Words(""), operator or "AND", part)
                operator = ""
        return result

    def _part(self, lexeme: _Lexeme) -> Expression | None:
        self._at += 1
        if lexeme.kind == "open":
            return self.group(inner=True)
        if lexeme.kind == "quoted":
            return self._term(lexeme.text, quoted=True)
        if lexeme.kind == "number":
            return History(int(lexeme.text[1:]))
        if lexeme.kind in ("word", "colon"):
            words = [lexeme.text]
            while (following := self._peek()) and following.kind in ("word", "colon"):
                words.append(following.text)
                self._at += 1
            return self._term(" ".join(words), quoted=False)
        return None  # a tag without a term

    def _term(self, text: str, quoted: bool) -> Expression | None:
        following = self._peek()
        tag = following.text if following and following.kind == "tag" else None
        if tag is None:
            return Words(text, quoted) if text.strip(" :") else None
        self._at += 1
        field, alone, near = _read_tag(tag)
        if field and field.kind is Kind.DATE:
            if whole := _RANGE.match(text.strip()):
                return Range(whole.group(1), whole.group(2), field)
            return self._range(text, field)
        if not text.strip():
            return None
        return Tagged(text.strip(), quoted, tag, field, alone, near)

    def _range(self, first: str, field: Field) -> Range:
        """A date, or one and another after a colon, each with its tag."""
        last = self._peek(1)
        if (colon := self._peek()) and colon.kind == "colon" and last and last.kind in ("quoted", "word"):
            self._at += 2
            if (tag := self._peek()) and tag.kind == "tag":
                self._at += 1
            return Range(first.strip(), last.text.strip(), field)
        return Range(first.strip(), first.strip(), field)


def _read_tag(tag: str) -> tuple[Field | None, bool, int | None]:
    if near := _NEAR.match(tag):
        field = find_field(near["field"])
        return field, False, int(near["distance"]) if field and field.near else None
    name, _, option = tag.partition(":")
    alone = option.strip().lower() == "noexp"
    return find_field(name), alone, None
