"""The text of an XML element with inline markup, as plain text on one line (case F07).

Raised text becomes `^x`, so that `10<sup>9</sup>` is never 109; lowered text is joined to a letter as
chemistry and pharmacology print it (H2O, HbA1c, Cmax) and becomes `_x` elsewhere. Charges, ordinals and
signs are joined (CD4+, 1st, ®). No join ever makes a new number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Literal

from lxml.etree import _Element

from reasoning.retrieval.reading.entities import entity_text
from reasoning.retrieval.reading.mathml import math_text
from storage.text import clean_text

Kind = Literal["", "^", "_", "math"]
Token = tuple[Kind, str]
Special = Callable[[_Element], list[Token] | None]

_BREAKS = frozenset(
    {"p", "br", "break", "title", "list", "list-item", "li", "label", "disp-formula", "DispFormula"}
)
_CHARGE = re.compile(r"[1-9][+\-−–]")
_OPENS_NUMBER = re.compile(r"\d|[.,]\d")
_SIMPLE = re.compile(r"[+\-−–]?[\w.,∗*†‡§+\-−–]+")
_ESCAPED = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_LITERAL_TAG = re.compile(
    r"<(/?)(?:jats:)?(sup|sub|inf|i|b|u|em|strong|italic|bold|p|br|title|sec|scp|underline)(?:\s[^<>]{0,80})?/?>",
    re.I,
)


def element_text(element: _Element | None, special: Special | None = None) -> str:
    """All text of `element` in order, cleaned, blanks folded, no tags.

    `special` may render a child element in its own way (an empty list leaves it out, its tail stays);
    None from it means: as usual.
    """
    if element is None:
        return ""
    if len(element):
        return fold(render(tokens(element, special)))
    return fold(element.text) if element.text else ""


def fold(text: str) -> str:
    """One line: cleaned, with runs of blanks and line breaks as one blank, and escaped markup undone."""
    text = " ".join(text.split())
    if "&" in text:
        text = _ESCAPED.sub(lambda found: unescape(found.group()), text)
    if "<" in text and _LITERAL_TAG.search(text):
        text = " ".join(render(_literal_tokens(text)).split())
    return clean_text(text)


def tokens(element: _Element, special: Special | None = None) -> list[Token]:
    """The text of `element` as runs of plain, raised and lowered text and formulas."""
    found: list[Token] = []
    if element.text:
        found.append(("", element.text))
    for child in element:
        found.extend(child_tokens(child, special))
        if child.tail:
            found.append(("", child.tail))
    return found


def child_tokens(child: _Element, special: Special | None = None) -> list[Token]:
    """The runs of one child, without the text that follows it."""
    if not isinstance(child.tag, str):
        return [("", entity_text(child))]
    own = special(child) if special else None
    if own is not None:
        return own
    name = child.tag.rpartition("}")[2]
    if name == "math":
        return [("math", math_text(child))]
    inside = tokens(child, special)
    if name == "sup" or name == "sub":
        return script("^" if name == "sup" else "_", render(inside))
    return [("", " "), *inside, ("", " ")] if name in _BREAKS else inside


def script(kind: Literal["^", "_"], text: str) -> list[Token]:
    """Raised or lowered text without its outer blanks; one that followed it stays outside."""
    content = " ".join(text.split())
    if not content:
        return [("", text)]
    blank: list[Token] = [("", " ")] if text[-1].isspace() else []
    return [(kind, content), *blank]


def render(found: list[Token]) -> str:
    """Join runs so that raised and lowered text stays recognisable and no number changes its value."""
    runs: list[Token] = []
    for kind, text in found:
        if not text:
            continue
        if runs and runs[-1][0] == kind != "math":
            runs[-1] = (kind, runs[-1][1] + text)
        else:
            runs.append((kind, text))
    line = ""
    for place, (kind, text) in enumerate(runs):
        after = runs[place + 1] if place + 1 < len(runs) else ("", "")
        following = "" if after[0] in ("^", "_") else after[1]
        if kind == "^":
            line += _raised(text, line, following)
        elif kind == "_":
            line += _lowered(text, line, following)
        else:
            meets = kind == "math" or (place > 0 and runs[place - 1][0] == "math")
            line += f" {text}" if meets and line[-1:].isalnum() and text[0].isalnum() else text
    return line


def _raised(text: str, line: str, following: str) -> str:
    before, grows = line[-1:], bool(_OPENS_NUMBER.match(following))
    if text == "TM":
        return "™"
    if not any(sign.isalnum() for sign in text):
        return f"^({text})" if before.isdigit() and grows else text
    if before.isdigit() and text.lower() in ("st", "nd", "rd", "th"):
        return text
    if before.isalpha() and not grows and _CHARGE.fullmatch(text):
        return text
    return _marked("^", text, grows)


def _lowered(text: str, line: str, following: str) -> str:
    before, grows = line[-1:], bool(_OPENS_NUMBER.match(following))
    if text[-1].isdigit() and grows:
        return _marked("_", text, grows)
    attached = before.isalpha() or before in (")", "]") or (text.isalpha() and not before.isdigit())
    if attached or not any(sign.isalnum() for sign in text):
        return text
    return _marked("_", text, grows)


def _marked(sign: str, text: str, grows: bool) -> str:
    return f"{sign}{text}" if _SIMPLE.fullmatch(text) and not grows else f"{sign}({text})"


def _literal_tokens(text: str) -> list[Token]:
    """Tags that a record carries as escaped text, read as the markup they were meant to be."""
    found: list[Token] = []
    kind: Kind = ""
    start = 0
    for tag in _LITERAL_TAG.finditer(text):
        found.append((kind, text[start : tag.start()]))
        start, name = tag.end(), tag.group(2).lower()
        if name in ("sup", "sub", "inf"):
            kind = "" if tag.group(1) else ("^" if name == "sup" else "_")
        elif name in ("p", "br", "title", "sec"):
            found.append(("", " "))
    return [*found, (kind, text[start:])]
