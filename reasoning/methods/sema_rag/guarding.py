"""Options never enter a query (methods.md 1.7, 3.1): what names one that the stem does not name stays out."""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.exams.stems import read_exam
from reasoning.routing import Option
from storage.corpus.terms import terms_of
from storage.words import STOP_WORDS


def names_option(text: str, stem: str, options: Sequence[Option]) -> bool:
    """Whether a text names an option, in whatever form of its words, and the stem does not.

    Yes, no and maybe are words of every question; "all of the above" says nothing of itself.
    """
    exam = read_exam(stem, tuple(options))
    if exam.verdicts:
        return False
    said, asked = _terms(text), _terms(stem)
    return any(_names(text, said, one) and not _names(stem, asked, one) for one in exam.plain(options))


def _names(text: str, said: frozenset[str], option: Option) -> bool:
    terms = _terms(option.text)
    if terms:
        return terms <= said
    whole = option.text.strip(" .。").casefold()
    return len(whole) > 1 and whole in text.casefold()


def _terms(text: str) -> frozenset[str]:
    return frozenset(term for term in terms_of(text) if term not in STOP_WORDS)
