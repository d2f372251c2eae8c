"""MathML as one line of plain text: `η_p^2 = 0.14`, `(a + b)/2` (case F07.3)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from lxml.etree import _Element

from reasoning.retrieval.reading.entities import own_text

_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")  # function application, times, comma, plus
_SPACED = frozenset("=<>≤≥≠≈≃≅≡∼∝±∓+−×÷·∗→←↔⇒∈∪∩∧∨|") | {"-", "*", "/", ":="}
_ACCENTS = {
    "¯": "\u0304",
    "‾": "\u0304",
    "ˉ": "\u0304",
    "^": "\u0302",
    "ˆ": "\u0302",
    "~": "\u0303",
    "˜": "\u0303",
}
_ATOM = re.compile(r"[\w.∞]+", re.UNICODE)
_HIDDEN = frozenset(
    {"annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark", "none", "mprescripts"}
)


def math_text(element: _Element) -> str:
    """One line for a `<math>` element; every visible symbol is kept, in reading order."""
    return " ".join(_linear(element).split())


def _local(element: _Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _linear(element: _Element) -> str:
    tag = _local(element)
    if tag in _HIDDEN or not tag:
        return ""
    shape = _SHAPES.get(tag)
    parts = [child for child in element if _local(child)]
    if shape and parts:
        return shape(parts)
    if tag == "mfenced":
        inside = (element.get("separators", ",").strip()[:1] + " ").join(_linear(part) for part in parts)
        return f"{element.get('open', '(')}{inside}{element.get('close', ')')}"
    if parts:
        return _row(parts)
    if tag == "mspace":
        return " "
    text = " ".join(own_text(element).translate(_INVISIBLE).split())
    return f" {text} " if tag == "mo" and text in _SPACED else text


def _row(parts: Sequence[_Element]) -> str:
    """Children side by side; a blank keeps two numbers, or two words, from becoming one.

    A sign that opens a row or follows another operator belongs to its number: no blanks around it.
    """
    line = before = ""
    for part in parts:
        text = _linear(part)
        if (
            _local(part) == "mo"
            and text.strip() in "+−-±∓"
            and (not line.strip() or line[-1] in "([{,= <>≤≥×·")
        ):
            text = text.strip()
        elif _would_merge(before, text):
            text = f" {text}"
        line, before = line + text, text or before
    return line


def _would_merge(before: str, text: str) -> bool:
    """Whether they would read as one number or word: `2 3`, `sin x`; but `2x` and `ab` stay joined."""
    if before[-1:].isdigit() and text[:1].isdigit():
        return True
    return before[-1:].isalpha() and text[:1].isalpha() and len(before.strip()) + len(text.strip()) > 2


def _grouped(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) < 2 or _ATOM.fullmatch(text) or _is_bracketed(text) else f"({text})"


def _is_bracketed(text: str) -> bool:
    """Whether one pair of brackets holds all of it."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if not depth:
            return place == len(text) - 1
    return False


def _script(sign: str, text: str) -> str:
    text = " ".join(text.split())
    simple = _ATOM.fullmatch(text) or re.fullmatch(r"[+−-]\w+|[^\w\s]", text)
    return f"{sign}{text if simple else f'({text})'}" if text else ""


def _scripts(*signs: str) -> Callable[[Sequence[_Element]], str]:
    def shape(parts: Sequence[_Element]) -> str:
        base = _grouped(_linear(parts[0])) if len(parts) > 1 else _linear(parts[0])
        scripts = (_script(sign, _linear(part)) for sign, part in zip(signs, parts[1:], strict=False))
        return base + "".join(scripts) + "".join(f" {_linear(part)}" for part in parts[1 + len(signs) :])

    return shape


def _over(parts: Sequence[_Element]) -> str:
    accent = _ACCENTS.get(_linear(parts[1]).strip()) if len(parts) == 2 else None
    base = _linear(parts[0])
    if accent and len(base) == 1:
        return unicodedata.normalize("NFC", base + accent)
    return _scripts("^")(parts)


def _fraction(parts: Sequence[_Element]) -> str:
    return "/".join(_grouped(_linear(part)) for part in parts)


def _root(parts: Sequence[_Element]) -> str:
    degree = f"^(1/{_linear(parts[1]).strip()})" if len(parts) > 1 else ""
    return f"{_grouped(_linear(parts[0]))}{degree}" if degree else f"√{_grouped(_linear(parts[0]))}"


def _square_root(parts: Sequence[_Element]) -> str:
    return f"√{_grouped(_row(parts))}"


def _multiscripts(parts: Sequence[_Element]) -> str:
    """Base, then pairs of low and high scripts; those after `mprescripts` stand before it (isotopes)."""
    names = [_local(part) for part in parts]
    split = names.index("mprescripts") if "mprescripts" in names else len(parts)
    before, after = parts[split + 1 :], parts[1:split]
    return _pairs(before) + _linear(parts[0]) + _pairs(after)


def _pairs(parts: Sequence[_Element]) -> str:
    return "".join(_script("_^"[place % 2], _linear(part)) for place, part in enumerate(parts))


def _table(parts: Sequence[_Element]) -> str:
    rows = (", ".join(_linear(cell).strip() for cell in row if _local(cell)) for row in parts)
    return "[" + "; ".join(rows) + "]"


def _first(parts: Sequence[_Element]) -> str:
    return _linear(parts[0])


_SHAPES: dict[str, Callable[[Sequence[_Element]], str]] = {
    "msup": _scripts("^"),
    "msub": _scripts("_"),
    "msubsup": _scripts("_", "^"),
    "munder": _scripts("_"),
    "mover": _over,
    "munderover": _scripts("_", "^"),
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "mmultiscripts": _multiscripts,
    "mtable": _table,
    "semantics": _first,
}
