"""Words as a boolean search sees them: folded, not stemmed, as in PubMed's index.

Case and accents go, Greek letters are spelled out, a possessive s is dropped, and any other mark separates
words: "PD-L1" is two. Chinese and Japanese have no spaces: each character counts as a word.
"""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_GREEK = re.compile(r"(?<![α-ω])[α-ω](?![α-ω])")  # one letter; Greek words stay
IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_LONGEST = 64  # characters of a word; PostgreSQL takes 2,046 bytes

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below
    between both but by can cannot could did do does doing down during each few for from further had
    has have having he her here hers him his how i if in into is it its itself just me more most my
    no nor not of off on once only or other our out over own same she should so some such than that
    the their them then there these they this those through to too under until up very was we were
    what when where which while who whom why will with would you your yours s t d ll m re ve don
    doesn didn isn wasn
    """.split()  # noqa: SIM905
)


def split_words(text: str) -> list[str]:
    """Words of a text in order, repeats included."""
    if text.isascii():
        folded = text.lower()
    else:
        folded = unicodedata.normalize("NFKD", text.casefold())
        folded = "".join(c for c in folded if not unicodedata.combining(c)).casefold()
        folded = IDEOGRAPH.sub(r" \g<0> ", unicodedata.normalize("NFC", _GREEK.sub(_spell, folded)))
    return [word[:_LONGEST] for word in _WORD.findall(_POSSESSIVE.sub("", folded))]


def _spell(letter: re.Match[str]) -> str:
    """The name of a Greek letter, set off: TNFα and TNF-alpha are the same two words."""
    name = unicodedata.name(letter.group()).rsplit(" ", 1)[-1].lower()
    return f" {'lambda' if name == 'lamda' else name} "
