"""Text as a reader takes it, whatever it is spelled with, so that rules need one spelling each.

Rules look at the folded text and mend the original: folding itself would harm medicine (10⁹/L becomes 109/L).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

# Letters that NFKD leaves alone and that look like Latin ones (Unicode TS 39, the letters of role names).
_LOOK_ALIKES = dict(
    zip(
        "аеорсухіјѕһԁԛԝкмтнвгзьɑɡıοαενικρτυχѵꓲꓳ｜│ǀ∣‹›⟨⟩〈〉＜＞▁։：ʼ’‘“”„«»",
        'aeopcyxijshdqwkmthbr3bagioaevikptuxvio||||<><><><>_::\'\'\'"""""',
        strict=True,
    )
)

# \x91-\x97 stay: they are Windows' quotes and dashes, in many records.
# Invisible, or a command to the display: controls, zero-width, bidi, fillers, variation selectors, tags.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x90\x98-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def without_invisible(text: str) -> str:
    """The text without what nobody sees; every line ends in a newline, a lone surrogate is U+FFFD."""
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub("", _LINE_END.sub("\n", _LONE_SURROGATE.sub("\ufffd", text)))


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` is in small Latin letters without accents; `places[i]` is where its i-th character came from."""

    original: str
    text: str
    places: Sequence[int]  # one more than characters: the last is the original's length

    def read(self, match: re.Match[str], group: str) -> str:
        """What stands in the original for a group of a match in the folded text; empty for none."""
        return self.original[slice(*self.span(match, group))] if match[group] else ""

    def span(self, match: re.Match[str], group: int | str = 0) -> tuple[int, int]:
        """The span of the original that a match in the folded text stands for."""
        start, end = match.span(group)
        if start == end:
            return self.places[start], self.places[start]
        return self.places[start], max(self.places[end], self.places[end - 1] + 1)


def fold(text: str) -> Folded:
    """Compatibility forms, accents, capitals and look-alikes of other scripts undone."""
    if text.isascii():
        return Folded(text, text.lower(), range(len(text) + 1))
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for folded in _fold_character(character):
            characters.append(folded)
            places.append(place)
    return Folded(text, "".join(characters), [*places, len(text)])


@cache
def _fold_character(character: str) -> str:
    if character.isascii():
        return character.lower()
    first = _LOOK_ALIKES.get(character, character)
    parts = unicodedata.normalize("NFKD", first).casefold()
    return "".join(_LOOK_ALIKES.get(part, part) for part in parts if not unicodedata.combining(part))


def replace(pattern: re.Pattern[str], text: str, new: Callable[[re.Match[str], Folded], str]) -> str:
    """Each match in the folded text replaced in the original by `new(match, folded)`."""
    folded = fold(text)
    parts: list[str] = []
    position = 0
    for match in pattern.finditer(folded.text):
        start, end = folded.span(match)
        if end > start >= position:
            parts += [text[position:start], new(match, folded)]
            position = end
    return "".join([*parts, text[position:]]) if parts else text
