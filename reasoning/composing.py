"""From verified claims to the answer: numbering, citation list, confidence (architecture 2.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby

from reasoning.evidence import Claim, Evidence
from reasoning.notices import notice
from reasoning.retrieval.segmentation import split_sentences
from reasoning.safety.injection import is_foreign_link, plain_name, which_instruct
from reasoning.types import Choice, Citation, CitedFact, Confidence, Notice, Sentence, Support
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
    articles: Sequence[Article]  # of its passages: a path alone makes no statement sure
    conflicts: Sequence[tuple[Support, Support]] = ()  # spans that say opposite things


def compose(
    claims: Sequence[Claim], evidence: Sequence[Evidence], conflicts: Sequence[tuple[Claim, Claim]] = ()
) -> Composed:
    """Number the articles in order of first mention; one article has one number (case F27).

    The quote of a citation is the span from the first to the last sentence taken from the passage of its
    article that was cited first; each sentence keeps the spans it rests on itself.
    """
    known = {item.eid: item for item in evidence}
    numbers: dict[str, int] = {}
    spans: dict[int, tuple[Evidence, int, int]] = {}
    sentences: list[Sentence] = []
    for claim in claims:
        support: list[Support] = []
        for eid, quote in claim.support:
            item = known[eid]
            n = numbers.setdefault(item.key, len(numbers) + 1)
            begin = item.text.index(quote)
            spoken, start, end = spans.get(n, (item, begin, begin))
            if spoken.eid == eid:
                spans[n] = (item, min(start, begin), max(end, begin + len(quote)))
            support.append(Support(n=n, passage=eid, quote=quote))
        cited = sorted({span.n for span in support})
        sentences.append(
            Sentence(text=claim.text, citations=cited, paragraph=claim.paragraph, support=support)
        )
    ordered = [spans[n] for n in sorted(spans)]
    citations = [
        _citation(n, item, _clean_span(item.text[a:b])) for n, (item, a, b) in enumerate(ordered, start=1)
    ]
    disputed = [(_said(one, numbers, known), _said(other, numbers, known)) for one, other in conflicts]
    sources = [_source(cited, item) for cited, (item, _, _) in zip(citations, ordered, strict=True)]
    articles = [item.source.article for item, _, _ in ordered if not item.facts]
    return Composed(sentences, citations, sources, articles, disputed)


def _said(claim: Claim, numbers: Mapping[str, int], known: Mapping[str, Evidence]) -> Support:
    eid, quote = claim.support[0]
    return Support(n=numbers[known[eid].key], passage=eid, quote=quote)


def _clean_span(span: str) -> str:
    """The span up to a sentence in it that speaks to a model or leads elsewhere; a verbatim one still."""
    pieces = [span[piece.start : piece.end] for piece in split_sentences(span)]
    end = 0
    for piece, instructs in zip(pieces, which_instruct(pieces), strict=True):
        if end and (instructs or is_foreign_link(piece, ())):
            break
        end += len(piece)
    return span[:end].rstrip()


def _citation(n: int, item: Evidence, quote: str) -> Citation:
    article, page = item.source.article, item.source.passage.page
    standing = article.standing if article.standing in (Standing.CONCERN, Standing.CORRECTED) else Standing.OK
    return Citation(
        n=n,
        kind="path" if item.facts else "passage",
        facts=[CitedFact(**asdict(fact)) for fact in item.facts],
        pmid=article.pmid,
        pmcid=article.pmcid,
        title=plain_name(article.title),
        journal=article.container,
        year=article.year,
        publication_types=[kind.name for kind in article.publication_types],
        url=f"{article.url}#page={page}" if article.url and page else article.url,
        quote=quote,
        language=article.language,
        standing=standing.value,  # type: ignore[arg-type]
        standing_checked=item.source.standing_checked if article.pmid or article.pmcid else None,
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


def is_stale(articles: Sequence[Article], years: int | None = None) -> bool:
    """Whether the newest support is older than `years`, by default STALE_YEARS."""
    newest = newest_year(articles)
    return newest is not None and newest < datetime.now(UTC).year - (years or STALE_YEARS)


def confidence_in(composed: Composed, *, degraded: bool, stale_after: int | None = None) -> Confidence:
    """High, moderate or low by the number and kind of independent articles; low where they disagree."""
    articles = composed.articles
    kinds = [{kind.name for kind in article.publication_types} for article in articles]
    if not articles or is_stale(articles, stale_after) or composed.conflicts:
        return "low"
    if any(article.standing is Standing.CONCERN for article in articles):
        return "low"
    if not degraded and (len(articles) > 1 or kinds[0] & _STRONG):
        return "high"
    return "moderate" if len(articles) > 1 or kinds[0] & _SUMMARIES else "low"


def paragraphs_of(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    """The sentences by paragraph, in order; empty paragraphs are none."""
    return [list(group) for _, group in groupby(sentences, key=lambda sentence: sentence.paragraph)]


def say_choice(choice: Choice | None, language: str) -> str:
    """The chosen option as a line of the answer; empty where none was chosen."""
    return f"{notice('heading_answer', language)}: {choice.label}) {choice.text}" if choice else ""


def render_text(sentences: Sequence[Sentence], notices: Sequence[Notice], chosen: str = "") -> str:
    """Notices that come first, the chosen option, the sentences with their numbers, the other notices; a
    paragraph each."""
    first = [notice.text for notice in notices if notice.code in ("emergency", "urgent")]
    rest = [notice.text for notice in notices if notice.code not in ("emergency", "urgent")]
    body = [
        " ".join(f"{s.text} {''.join(f'[{n}]' for n in s.citations)}" for s in paragraph)
        for paragraph in paragraphs_of(sentences)
    ]
    return "\n\n".join(part for part in (*first, chosen, *body, *rest) if part)
