"""A query that a model drafted, repaired: parsed for what it says and built anew (case F05).

Models put curly quotes, leave out brackets, make up tags, wrap the query in a fence, and talk around it.
"""

from __future__ import annotations

import re

from reasoning.retrieval.pubmed.parsing import DEEPEST, LONGEST, depth, parse_draft
from storage.query import AllOf, AnyOf, Query, Term, Without, all_of, any_of, normalise, words_of
from storage.text import clean_text
from storage.words import IDEOGRAPH

_STRAIGHT = str.maketrans("“”„‟«»″＂‘’‚‛＇（）［］｛｝：＊\u00a0", '""""""""\'\'\'\'\'()[]{}:* ')
_FENCE = re.compile(r"```[ \t]*\w*[ \t]*\n?(.*?)(?:```|\Z)", re.S)
_INLINE = re.compile(r"`([^`]+)`")
_LABEL = re.compile(
    r'^[^()"\[\]]{0,80}\b(?:query|search|string|terms?|pubmed|draft)\b[^()"\[\]:]{0,40}:\s*', re.IGNORECASE
)
_BULLET = re.compile(r"^\s*(?:[-*•>]+|\d+[.)])\s+")
_COMMENT = re.compile(r"\s*(?:--|//|;|\.(?=\s)|#\s).*$", re.S)  # after the last bracket or quote
_SYNTAX = re.compile(r'[()\[\]"]|\b(?:AND|OR|NOT)\b|\w\*')
_MARK = re.compile(r'[()\]"]')
_OUTSIDE = re.compile(r'"[^"]*"|\[[^\[\]]*\]|\b(and|or|not)\b')
_JOINS = re.compile(r"^\s*(?:AND|OR|NOT)\b|^\s*\)|\b(?:AND|OR|NOT)\s*$|\(\s*$")
_MOST_LINES = 200


def repair(draft: str) -> Query | None:
    """The query in a draft, in normal form. None where it has no search word; never raises."""
    text = clean_text(draft)[:LONGEST].translate(_STRAIGHT)
    text = _balance(_raise_operators(_find_query(text)))
    query = parse_draft(text)
    query = _without_ideographs(query) if query else None
    return query if query and words_of(query) else None


def _find_query(text: str) -> str:
    """What of a reply is the query: the fence if there is one, else the first statement that has syntax."""
    for marked in (_FENCE, _INLINE):
        if (found := marked.search(text)) and re.search(r"\w", found.group(1)):
            text = found.group(1)
    statements = _statements(text.replace("`", " "))
    return next((line for line in statements if _SYNTAX.search(line)), statements[0] if statements else "")


def _statements(text: str) -> list[str]:
    """Lines without label, bullet and comment; one that goes on in the next is joined with it."""
    found: list[str] = []
    for line in text.splitlines()[:_MOST_LINES]:
        line = _LABEL.sub("", _BULLET.sub("", line)).strip()
        if not line:
            continue
        goes_on = found and (
            _JOINS.search(found[-1]) or _JOINS.search(line) or found[-1].count("(") > found[-1].count(")")
        )
        if goes_on:
            found[-1] += f" {line}"
        else:
            found.append(line)
    return [_without_comment(line) for line in found]


def _without_comment(line: str) -> str:
    """The line without a remark behind its last bracket or quote."""
    marks = [mark.end() for mark in _MARK.finditer(line)]
    end = marks[-1] if marks else len(line)
    return line[:end] + _COMMENT.sub("", line[end:])


def _raise_operators(text: str) -> str:
    """In what is written as a query, and, or and not between terms are meant as operators."""
    text = text.replace("&&", " AND ").replace("||", " OR ")
    if not _SYNTAX.search(text):
        return text
    return _OUTSIDE.sub(lambda found: found.group().upper() if found.group(1) else found.group(), text)


def _balance(text: str) -> str:
    """Every quote and bracket has its other half: strays go, missing ones are added at the end."""
    if text.count('"') % 2:
        place = text.rindex('"')
        text = f"{text[:place]} {text[place + 1 :]}"
    if depth(text) > DEEPEST:
        text = re.sub(r"[()]", " ", text)
    kept: list[str] = []
    opened = 0
    for token in re.findall(r'"[^"]*"|\[[^\[\]"()]*\]|[()\[\]{}]|[^"()\[\]{}]+|"', text):
        if token == ")":
            opened -= 1
        if opened < 0 or token in "[]{}":
            opened = max(0, opened)
            token = " "
        opened += token == "("
        kept.append(token)
    return "".join(kept) + ")" * opened


def _without_ideographs(query: Query) -> Query | None:
    """PubMed has no Chinese words: such terms would empty the search (methods.md 5.3)."""
    match query:
        case Term(text):
            return None if IDEOGRAPH.search(text) else query
        case AllOf(parts):
            return all_of(*map(_without_ideographs, parts))
        case AnyOf(parts):
            return any_of(*map(_without_ideographs, parts))
        case Without(base, unwanted):
            kept, removed = _without_ideographs(base), _without_ideographs(unwanted)
            return normalise(Without(kept, removed)) if kept and removed else kept
        case _:
            return query
