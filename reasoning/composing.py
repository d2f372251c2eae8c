"""From verified claims to the answer: numbering, citation list, confidence (architecture 2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from reasoning.evidence import Claim, Evidence
from reasoning.types import Citation, Notice, Sentence
from storage.documents import Article, Standing
from storage.history import CitedSource

STALE_YEARS = 10  # our choice; the newest support is older
_STRONG = {"Guideline", "Practice Guideline", "Systematic Review", "Meta-Analysis"}
_SUMMARIES = _STRONG | {"Review", "Patient information", "Patient Education Handout", "Book"}


@dataclass(frozen=True, slots=True)
class Composed:
    sentences: Sequence[Sentence]
    citations: Sequence[Citation]
    sources: Sequence[CitedSource]  # the same, with document ids, for history
    articles: Sequence[Article]


def compose(claims: Sequence[Claim], evidence: Sequence[Evidence]) -> Composed:
    """Number the articles in order of first mention; one article has one number (case F27).

    The quote of a citation is the span from the first to the last sentence taken from its passage.
    """
    known = {item.eid: item for item in evidence}
    numbers: dict[str, int] = {}
    spans: dict[int, tuple[Evidence, int, int]] = {}
    sentences: list[Sentence] = []
    for claim in claims:
        cited: list[int] = []
        for eid, quote in claim.support:
            item = known[eid]
            n = numbers.setdefault(item.source.article.key, len(numbers) + 1)
            begin = item.text.index(quote)
            _, start, end = spans.get(n, (item, begin, begin))
            spans[n] = (item, min(start, begin), max(end, begin + len(quote)))
            cited.append(n)
        sentences.append(Sentence(text=claim.text, citations=sorted(set(cited)), paragraph=claim.paragraph))
    ordered = [spans[n] for n in sorted(spans)]
    citations = [_citation(n, item, item.text[a:b]) for n, (item, a, b) in enumerate(ordered, start=1)]
    sources = [_source(cited, item) for cited, (item, _, _) in zip(citations, ordered, strict=True)]
    return Composed(sentences, citations, sources, [item.source.article for item, _, _ in ordered])


def _citation(n: int, item: Evidence, quote: str) -> Citation:
    article, page = item.source.article, item.source.passage.page
    standing = article.standing if article.standing in (Standing.CONCERN, Standing.CORRECTED) else Standing.OK
    return Citation(
        n=n,
        pmid=article.pmid,
        pmcid=article.pmcid,
        title=article.title,
        journal=article.container,
        year=article.year,
        publication_types=[kind.name for kind in article.publication_types],
        url=f"{article.url}#page={page}" if article.url and page else article.url,
        quote=quote,
        language=article.language,
        standing=standing.value,  # type: ignore[arg-type]
    )


def _source(cited: Citation, item: Evidence) -> CitedSource:
    return CitedSource(
        n=cited.n,
        doc_id=item.source.article.doc_id,
        pmid=cited.pmid,
        title=cited.title,
        url=cited.url,
        quote=cited.quote,
        standing=cited.standing,
    )


def newest_year(articles: Sequence[Article]) -> int | None:
    return max((article.year for article in articles if article.year), default=None)


def is_stale(articles: Sequence[Article]) -> bool:
    newest = newest_year(articles)
    return newest is not None and newest < datetime.now(UTC).year - STALE_YEARS


def confidence_in(articles: Sequence[Article], *, degraded: bool) -> str:
    """High, moderate or low by the number and kind of independent articles; low where there are none."""
    kinds = [{kind.name for kind in article.publication_types} for article in articles]
    if not articles or is_stale(articles):
        return "low"
    if any(article.standing is Standing.CONCERN for article in articles):
        return "low"
    if not degraded and (len(articles) > 1 or kinds[0] & _STRONG):
        return "high"
    return "moderate" if len(articles) > 1 or kinds[0] & _SUMMARIES else "low"


def render_text(sentences: Sequence[Sentence], notices: Sequence[Notice]) -> str:
    """Notices that come first, the sentences with their numbers, the other notices; a paragraph each."""
    first = [notice.text for notice in notices if notice.code in ("emergency", "urgent")]
    rest = [notice.text for notice in notices if notice.code not in ("emergency", "urgent")]
    body = " ".join(f"{s.text} {''.join(f'[{n}]' for n in s.citations)}" for s in sentences)
    return "\n\n".join(part for part in (*first, body, *rest) if part)
