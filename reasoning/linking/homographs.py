"""Words with several meanings: the context decides, or nobody does (methods.md 2.8, case F22)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from config.resources import read_toml

# What may follow a phrase that ends its noun: "a cold and fever", not "a cold drink".
_FOLLOWED = (
    r"(?=\W*$|[^\w\s]|\s+(?:and|or|for|with|since|that|but|last|this|now|because|is|was|after|in|on|by|so)\b)"
)


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning, by the name under which graphs may have it."""

    name: str
    signs: re.Pattern[str]


def senses_of(written: str) -> tuple[Sense, ...]:
    """The meanings of a word as it is written; abbreviations only in capitals. Empty for any other word.

    An article before the word makes no difference.
    """
    written = re.sub(r"^(?:an?|the)\s+", "", written, flags=re.IGNORECASE)
    if found := _senses().get(written):
        return found
    return _senses().get(written.casefold(), ())


def decide(senses: tuple[Sense, ...], text: str, start: int, end: int) -> Sense | None:
    """The one meaning of which the rest of the text, or a phrase that holds the word, has a sign."""
    folded = text.casefold()
    fitting = [
        sense
        for sense in senses
        if any(
            not (start <= sign.start() and sign.end() <= end) or " " in sign.group()
            for sign in sense.signs.finditer(folded)
        )
    ]
    return fitting[0] if len(fitting) == 1 else None


@cache
def _senses() -> dict[str, tuple[Sense, ...]]:
    read = read_toml("lexicons/homographs.toml")
    return {
        word: tuple(Sense(name, _compile(signs)) for name, signs in meanings.items())
        for word, meanings in read.items()
    }


def _compile(signs: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_sign, signs.split('|')))})(?!\w)")


def _sign(written: str) -> str:
    sign = re.escape(written.casefold().rstrip("$")).replace(r"\*", r"\w*")
    return sign + _FOLLOWED if written.endswith("$") else sign
