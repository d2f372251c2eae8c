"""Articles whose evidence experts marked, as `carecite eval segmentation` and `eval depth` use them.

Of `fulltext/passage_questions` the field `evidence` is read here, for measuring only.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasoning.evaluation.questions import is_held_out, open_set, read_rows
from reasoning.retrieval.reading import read_documents
from reasoning.retrieval.segmentation import document_text
from storage.documents import Article

Range = tuple[int, int]  # characters of an article's text, end exclusive


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """`evidence` are the marked sentences in the article's text; none where they were not found in it."""

    qid: str
    pmcid: str
    text: str
    evidence: tuple[Range, ...]
    quotes: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        """By article, so that no article is in both halves."""
        return is_held_out(self.pmcid)


@dataclass(frozen=True, slots=True)
class MarkedArticle:
    """One article as it is read, its one text, and the questions whose evidence was found in it."""

    article: Article
    text: str
    questions: tuple[MarkedQuestion, ...]

    @property
    def pmcid(self) -> str:
        return self.article.pmcid or self.article.doc_id


@dataclass(frozen=True, slots=True)
class MarkedSet:
    """`lost` counts questions left out since their evidence is not in the article's text word for word."""

    articles: tuple[MarkedArticle, ...]
    lost: int

    @property
    def questions(self) -> list[MarkedQuestion]:
        return [question for each in self.articles for question in each.questions]


def read_marked(folder: Path, limit: int | None = None) -> MarkedSet:
    """The first `limit` articles that have questions, by the SHA-1 sum of the PMCID. Raises DataMissing."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in read_rows(open_set(folder / "fulltext", "passage_questions")):
        rows.setdefault(row["pmcid"], []).append(row)
    chosen = set(in_fixed_order(rows)[:limit])
    marked, lost = [], 0
    for article in read_articles(folder, chosen):
        text = document_text(article)
        asked = [mark(row, text) for row in rows[article.pmcid or article.doc_id]]
        found = tuple(question for question in asked if question.evidence)
        lost += len(asked) - len(found)
        if found:
            marked.append(MarkedArticle(article, text, found))
    place = {pmcid: number for number, pmcid in enumerate(in_fixed_order(chosen))}
    return MarkedSet(tuple(sorted(marked, key=lambda each: place[each.pmcid])), lost)


def in_fixed_order(pmcids: Sequence[str] | set[str] | dict[str, Any]) -> list[str]:
    """By SHA-1 sum: a choice that nobody made."""
    return sorted(pmcids, key=lambda pmcid: hashlib.sha1(pmcid.encode()).hexdigest())


def read_articles(folder: Path, pmcids: set[str]) -> Iterator[Article]:
    """Through the product's own door. Raises DataMissing."""
    for document in read_documents(open_set(folder / "fulltext", "articles")):
        if isinstance(document, Article) and (document.pmcid or document.doc_id) in pmcids:
            yield document


def mark(row: dict[str, Any], text: str) -> MarkedQuestion:
    """The question with its evidence found in the text; blanks may differ, nothing else."""
    quotes = tuple(dict.fromkeys(item["text"] for item in row["evidence"]))
    ranges = [find_quote(text, quote) for quote in quotes]
    found = tuple(place for place in ranges if place) if all(ranges) else ()
    return MarkedQuestion(str(row["qid"]), row["pmcid"], row["question"], found, quotes)


def find_quote(text: str, quote: str) -> Range | None:
    """Where a quote stands first in a text."""
    words = quote.split()
    place = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return place.span() if place else None
