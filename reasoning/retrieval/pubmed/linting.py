"""What is wrong with a query's text, before it is sent (methods.md 5.3)."""

from __future__ import annotations

import re
from enum import StrEnum

from reasoning.retrieval.pubmed.errors import QuerySyntaxError
from reasoning.retrieval.pubmed.parsing import LONGEST, parse_query
from reasoning.retrieval.pubmed.tags import DATES, FIELDS, FILTERS, fold_tag
from storage.query import SHORTEST_PREFIX, words_of
from storage.words import IDEOGRAPH

MOST_WILDCARDS = 256  # reported by others (methods.md 5.3)
_QUOTED = re.compile(r'"[^"]*"')
_TAG = re.compile(r"\[[^\[\]]*\]")
_STAR = re.compile(r"([^\s()\[\]\":]*)\*(\w?)")


class Problem(StrEnum):
    """The value says it in words."""

    CURLY_QUOTES = "Its quotes are not straight."
    UNBALANCED = "Quotes or brackets do not match."
    UNKNOWN_TAG = "It has a tag that PubMed does not know."
    FOREIGN_SCRIPT = "It has Chinese, Japanese or Korean characters."
    SHORT_PREFIX = "A star stands within a word or behind fewer than four letters."
    TOO_MANY_WILDCARDS = "It has too many stars."
    TOO_LONG = "It is too long."
    NO_SEARCH_WORD = "It has no search word."
    NO_QUERY = "It cannot be read as a query."


def lint(text: str) -> list[Problem]:
    """Everything that is wrong with a text; empty if it may be sent."""
    stars = [(word, after) for word, after in _STAR.findall(_TAG.sub("", text))]
    checks = {
        Problem.CURLY_QUOTES: bool(re.search("[“”„‟«»]", text)),
        Problem.UNBALANCED: not _is_balanced(text),
        Problem.UNKNOWN_TAG: any(not _is_known(tag) for tag in _TAG.findall(_QUOTED.sub("", text))),
        Problem.FOREIGN_SCRIPT: bool(IDEOGRAPH.search(text)),
        Problem.SHORT_PREFIX: any(len(word) < SHORTEST_PREFIX or after for word, after in stars),
        Problem.TOO_MANY_WILDCARDS: len(stars) > MOST_WILDCARDS,
        Problem.TOO_LONG: len(text) > LONGEST,
    }
    found = [problem for problem, seen in checks.items() if seen]
    if Problem.TOO_LONG in found:
        return found
    try:
        query = parse_query(text)
    except QuerySyntaxError:
        empty = not re.search(r"\w", re.sub(r"\b(?:AND|OR|NOT)\b", "", _TAG.sub("", text)))
        return found or [Problem.NO_SEARCH_WORD if empty else Problem.NO_QUERY]
    return found if words_of(query) else [*found, Problem.NO_SEARCH_WORD]


def _is_balanced(text: str) -> bool:
    if text.count('"') % 2:
        return False
    bare = _TAG.sub("", _QUOTED.sub("", text))
    opened = 0
    for bracket in re.findall(r"[()]", bare):
        opened += 1 if bracket == "(" else -1
        if opened < 0:
            return False
    return opened == 0 and not re.search(r"[\[\]]", bare)


def _is_known(tag: str) -> bool:
    name = fold_tag(tag)
    near = re.fullmatch(r"(.+):~\d+", name)
    return (near.group(1) if near else name) in {*FIELDS, *DATES, *FILTERS}
