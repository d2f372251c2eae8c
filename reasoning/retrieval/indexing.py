"""Articles into the corpus: what changed is cut, encoded and stored, batch by batch (cases F16, F20, F21)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from reasoning.encoders import BadVector, Encoder, TitledText
from reasoning.retrieval.segmentation import SeosParams, document_text, segment_many
from storage.corpus import Corpus, CutArticle, clean_article
from storage.documents import Article

Run = Callable[[Callable[[], list[CutArticle]]], Awaitable[list[CutArticle]]]

BATCH = 128  # articles a transaction: what an interrupted load loses at most


@dataclass(slots=True)
class IndexReport:
    """What a load did; `unsearchable` are ids of passages that only lexical search can find."""

    stored: int = 0
    unchanged: int = 0
    passages: int = 0
    without_text: int = 0
    unsearchable: list[str] = field(default_factory=list)

    @property
    def seen(self) -> int:
        return self.stored + self.unchanged


def cut_for(encoder: Encoder) -> str:
    """What passages were cut for: they fit this window, by this tokenizer."""
    limit, target = encoder.budget
    return f"{encoder.manifest.name}/{limit}/{target}"


async def index_articles(
    articles: Iterable[Article],
    corpus: Corpus,
    encoder: Encoder,
    *,
    refresh: bool = False,
    run: Run | None = None,
) -> AsyncIterator[IndexReport]:
    """Load articles, yielding the running report after each batch; unchanged ones cost one look-up.

    With `refresh`, all are cut and encoded anew. Blocking work runs beside the event loop; `run` says where
    the encoder works, for one that others use at the same time.
    """
    report = IndexReport()
    cut = cut_for(encoder)
    source = iter(articles)
    while batch := await asyncio.to_thread(lambda: list(islice(source, BATCH))):
        batch = await asyncio.to_thread(clean_batch, batch)
        same = set() if refresh else await corpus.unchanged(batch, cut)
        changed = [article for article in batch if article.doc_id not in same]
        report.unchanged += len(batch) - len(changed)
        while changed:
            ready = await (run or asyncio.to_thread)(partial(cut_articles, changed, encoder))
            stored = await corpus.replace(ready, cut)
            report.stored += len(changed)
            report.passages += stored.passages
            report.unsearchable += stored.unsearchable
            report.without_text += sum(not article.sections for article in changed)
            found = [await corpus.read_article(doc_id) for doc_id in stored.revived]
            changed = [article for article in found if article]
        yield report


def clean_batch(batch: Iterable[Article]) -> list[Article]:
    """Cleaned before they are hashed, cut and embedded; the last of several with one doc_id."""
    return list({article.doc_id: article for article in map(clean_article, batch)}.values())


def cut_articles(articles: list[Article], encoder: Encoder) -> list[CutArticle]:
    """Segment and encode: sentences for the cuts, then [title, passage] for the index."""
    limit, target = encoder.budget
    pieces = segment_many(articles, encoder, SeosParams(b_max=limit, b=target))
    titled = [
        (article.title, passage.text)
        for article, passages in zip(articles, pieces, strict=True)
        for passage in passages
    ]
    vectors = encode_all(encoder, titled)
    rows: Iterator[np.ndarray] = iter(vectors)
    return [
        CutArticle(
            article,
            document_text(article),
            passages,
            np.array([next(rows) for _ in passages], dtype=np.float32),
        )
        for article, passages in zip(articles, pieces, strict=True)
    ]


def encode_all(encoder: Encoder, titled: Sequence[TitledText]) -> NDArray[np.float32]:
    """[n, dimensions]; a text that the model gives no usable vector leaves its row unusable, and storing
    reports it by id: the rest of the batch is good (case F20). Raises TextTooLong, CountMismatch."""
    if not titled:
        return np.zeros((0, encoder.manifest.dimensions), dtype=np.float32)
    try:
        return encoder.encode_passages(titled)
    except BadVector as error:
        return error.vectors
