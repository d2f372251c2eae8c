"""What a model wrote as a citation, read generously but closed over what it was given (case F27)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reasoning.grounding.passages import GivenPassage
from reasoning.verify import clean_citations
from storage.corpus.terms import terms_of

_REF = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,3})(?:\s*[-–]\s*(?:(\d{1,2})\.)?(\d{1,3}))?(?![\d.])")
_WHOLE = re.compile(r"^\D{0,3}(\d{1,2})\D{0,2}$")
_MARK = re.compile(r"\s*[\[(【]\s*((?:\d{1,2}\.\d{1,3}(?:\s*[-–,;、，]\s*)?)+)\s*[\])】]")


def read_references(
    text: str, cites: Sequence[str], passages: Sequence[GivenPassage]
) -> tuple[str, list[str]]:
    """(sentence without its marks, numbers of the source sentences it rests on, each once).

    A mark in the text is taken for a citation only where all of it names given sentences: "[1.2, 3.4]" may be
    an interval. A bare passage number stands for the sentence of that passage that shares most words.
    """
    known = {sentence.ref: sentence for given in passages for sentence in given.sentences}
    found: list[str] = []

    def take(match: re.Match[str]) -> str:
        refs = _expand(match[1])
        if not refs or any(ref not in known for ref in refs):
            return match[0]
        found.extend(refs)
        return ""

    for cite in cites:
        refs = [ref for ref in _expand(cite) if ref in known]
        whole = _WHOLE.match(cite.strip())
        if not refs and whole:
            refs = _nearest(text, int(whole[1]), passages)
        found += refs
    written = clean_citations(_MARK.sub(take, text), len(passages), _pmids(passages))
    plain = " ".join(piece.text for piece in written)
    for n in dict.fromkeys(n for piece in written for n in piece.cited):
        found += _nearest(plain, n, passages)
    return plain, list(dict.fromkeys(found))


def _pmids(passages: Sequence[GivenPassage]) -> dict[str, int]:
    """PMID -> the first passage of that record."""
    records = {given.evidence.source.article.pmid: given.n for given in reversed(passages)}
    return {pmid: n for pmid, n in records.items() if pmid}


def _expand(written: str) -> list[str]:
    """ "1.2-4" and "1.2-1.4" are 1.2, 1.3, 1.4; within one passage only."""
    refs: list[str] = []
    for passage, first, other, last in _REF.findall(written):
        end = int(last) if last and other in ("", passage) else int(first)
        refs += [f"{int(passage)}.{place}" for place in range(int(first), min(end, int(first) + 20) + 1)]
    return refs


def _nearest(text: str, n: int, passages: Sequence[GivenPassage]) -> list[str]:
    mine = set(terms_of(text))
    for given in passages:
        if given.n == n:
            best = max(given.sentences, key=lambda sentence: len(mine & set(terms_of(sentence.text))))
            return [best.ref]
    return []
