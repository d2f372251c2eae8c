"""Whether everything that was stored is what is shown (chat.md 6, text integrity).

Compared exactly, by tokens: numbers, words and signs. So every number, unit, operator and negation of the
stored text stands in the shown one, in order, and nothing stands between the tokens of a paragraph that was
not there. Values are not normalised: 5*10^9/L shown as 510^9/L is a change, and so is 1,000 shown as 1 000.
"""

from __future__ import annotations

import regex

from bot.render.directions import without_isolates
from bot.render.spoken import clean

_TOKEN = regex.compile(r"\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}]+|[^\s\p{L}\p{M}\p{N}]")
_BORDER = "\x1f"  # stands in no clean text


def find_change(stored: str, shown: str) -> str | None:
    """The first paragraph of `stored` that `shown` does not hold whole and in its place, or None."""
    there, position = _tokens(shown), 0
    for paragraph in stored.split("\n\n"):
        wanted = _tokens(paragraph)
        if wanted == _BORDER:
            continue
        found = there.find(wanted, position)
        if found < 0:
            return paragraph
        position = found + len(wanted) - 1  # the border may be shared with the next
    return None


def _tokens(text: str) -> str:
    found = _TOKEN.findall(without_isolates(clean(text)))
    return "".join((_BORDER, *(token + _BORDER for token in found)))
