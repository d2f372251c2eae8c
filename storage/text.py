"""One way to clean text, used before it is stored, hashed, embedded or used as a key (case F20)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Any

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\ufeff]")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """NFC, control characters to blanks, lone surrogates to U+FFFD; tabs and newlines stay."""
    if text.isascii() and text.isprintable():
        return text
    if _LONE_SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFC", _CONTROL.sub(" ", _LONE_SURROGATE.sub("\ufffd", text)))


def clean_json(value: Any) -> Any:
    """A JSON value with all of its texts cleaned, names of fields too: jsonb takes no NUL either."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(key): clean_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [clean_json(inner) for inner in value]
    return value


def text_hash(*parts: str) -> str:
    """SHA-256 over cleaned parts, with a separator so that moving text between parts changes it."""
    return hashlib.sha256("\x1f".join(clean_text(part) for part in parts).encode()).hexdigest()
