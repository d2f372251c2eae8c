"""What was retrieved, and every name in it, is data (issue 3.5; methods 6, row 17; OWASP LLM 01 and 10).

On the way into a prompt:  fence(text, source); which_instruct(sentences) where sentences are numbered
On the way out of a model: without_foreign_links(text, urls of the retrieved sources)

`neutralise` takes from a text what a model could take for a turn, a call or a place to send things to;
`fence` does that too, so a text in a fence is neutral. Clinical text passes unchanged.
"""

from __future__ import annotations

import hashlib
import re

from reasoning.safety.folding import Folded, fold, replace, without_invisible
from reasoning.safety.instructions import OMITTED, is_instruction, which_instruct, without_instructions
from reasoning.safety.links import is_foreign_link, without_foreign_links
from reasoning.safety.turns import TOKEN

__all__ = [
    "OMITTED",
    "fence",
    "is_foreign_link",
    "is_instruction",
    "neutralise",
    "plain_name",
    "which_instruct",
    "without_foreign_links",
    "without_instructions",
]

_LONGEST_NAME = 300  # characters
_NO_BRACKETS = str.maketrans("<>", "()")
_PASSES = 6  # our choice: tokens hidden in tokens deeper than this are nobody's accident


def neutralise(text: str) -> str:
    """The text without control tokens, role marks, tool calls, hidden addresses, and the invisible.

    Idempotent; never raises. What a link showed stays, its address goes; `Human:` loses its colon. All other
    characters stay as they are, so a quote without such marks is still a verbatim span of its source.
    """
    text = without_invisible(text)
    for _ in range(_PASSES):
        cleaned = replace(TOKEN, text, _plain)
        if cleaned == text:
            return text
        text = cleaned
    return "".join(" " if set(fold(character).text) & set("<>&[]:#") else character for character in text)


def _plain(match: re.Match[str], folded: Folded) -> str:
    """What stays of a token: what a link shows, a role's name; for the rest one blank."""
    if match["role"]:
        return f"{folded.read(match, 'role')} "
    return folded.read(match, "shown") or folded.read(match, "named") or " "


def plain_name(name: str) -> str:
    """A title or name from outside, as it may be shown: neutral, without instructions and addresses."""
    return without_foreign_links(neutralise(without_instructions(name)), ())


def fence(text: str, source: str) -> str:
    """The neutral text between two lines that it cannot contain: their key is made from the text itself.

    Deterministic, so that a prompt can be found again in the replay cache. Sentences that speak to a model
    are left out of the text and of `source`, which stands on one line, cut, without angle brackets.
    """
    inside = neutralise(without_instructions(text))
    name = " ".join(plain_name(source).translate(_NO_BRACKETS).split())[:_LONGEST_NAME]
    key, seed = "", f"{name}\n{inside}"
    while not key or key in inside:
        seed += "\n"
        key = hashlib.sha256(seed.encode("utf-8", "replace")).hexdigest()[:16]
    return f"<<source {name} {key}>>\n{inside}\n<<end of {name} {key}>>"
