"""How much of a question's subject the articles found name: what the gate weighs (our choice)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from reasoning.retrieval.subject import covered_share
from storage.corpus.reading import StoredPassage
from storage.documents import Article

# Chosen on the house's own questions (`tests/acceptance/gate_questions.toml`), not on any benchmark.
LEAST_COVERAGE = 0.60  # of the subject that an article has to name to count as evidence
ONE_SIDE = 0.3  # share of the subject that one side of a comparison names at least


def cover_articles(
    subject: Mapping[str, float], found: Sequence[StoredPassage], *, compared: bool, enough: float = inf
) -> dict[str, float]:
    """Article key -> share of the subject that its heading and retrieved passages name.

    Where a question compares two things, each side may have an article of its own: the best four passages
    count together for every article that names one side.
    """
    articles: dict[str, list[StoredPassage]] = {}
    for item in found:
        articles.setdefault(item.article.key, []).append(item)
    covered = {key: covered_share(subject, *name_sources(items), enough) for key, items in articles.items()}
    if compared:
        together = covered_share(subject, *name_sources(found[:4]), enough)
        return {key: together if share >= ONE_SIDE else share for key, share in covered.items()}
    return covered


def name_sources(items: Sequence[StoredPassage]) -> tuple[str, str]:
    """Heading and body of passages."""
    headings = (heading_of(item.article) for item in items)
    return " ".join(headings), " ".join(item.passage.text for item in items)


def heading_of(article: Article) -> str:
    """Title, keywords and MeSH headings: what an article is about."""
    return " ".join((article.title, *article.keywords, *(term.name for term in article.mesh)))
