"""Words as PubMed's index has them, and those that it ignores."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_GREEK = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "ζ": "zeta",
    "η": "eta",
    "θ": "theta",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "µ": "mu",
    "π": "pi",
    "σ": "sigma",
    "τ": "tau",
    "φ": "phi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
}
_LIGATURES = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"}
_FOLDED = str.maketrans(_GREEK | _LIGATURES)

# Stop words of PubMed's help pages, and the operators in small letters, which are no operators.
_STOP_LIST = """
a about again all almost also although always among an and another any are as at be because been
before being between both but by can could did do does done due during each either enough especially
etc for found from further had has have having here how however i if in into is it its itself just kg
km made mainly make may mg might ml mm most mostly must nearly neither no nor not obtained of often on
or our overall perhaps pmid quite rather really regarding s seem seen several should show showed shown
shows significantly since so some such than that the their theirs them then there therefore these they
this those through thus to upon use used using various very was we were what when which while with
within without would
"""
STOP = frozenset(_STOP_LIST.split())


def fold(text: str) -> str:
    """Small letters without accents; Greek letters are spelt out, as NLM does it."""
    text = text.lower()
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKD", text.translate(_FOLDED))
    return _ACCENTS.sub("", plain).translate(_FOLDED)


def split_words(text: str) -> list[str]:
    """Words in order; hyphens, apostrophes and points part them."""
    return _WORD.findall(fold(text))


def key_of(text: str) -> str:
    """The form under which a phrase is looked up: its words, one blank between."""
    return " ".join(split_words(text))


def americanise(word: str) -> str:
    """The American spelling, roughly: term mapping finds both (tumour, oedema, randomised)."""
    if len(word) < 6:
        return word
    word = word.replace("ae", "e").replace("oe", "e")
    word = re.sub(r"our(s|ed|ing|al)?$", r"or\1", word)
    return re.sub(r"is(e|ed|es|ing|ation|ations)$", r"iz\1", word)
