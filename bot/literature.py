"""The doors to the literature: PubMed, and the corpus where PubMed cannot be asked or must not be."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from config import Settings
from reasoning.evidence import Question
from reasoning.literature import Literature
from reasoning.retrieval.local_literature import LocalLiterature
from storage.corpus import Corpus
from storage.documents import Article
from storage.history import History, StoredSearch

if TYPE_CHECKING:
    from bot.app import Workshop
    from reasoning.encoders.model_thread import ModelThread
    from reasoning.retrieval.eutils import PubMedDoor


@dataclass(frozen=True, slots=True)
class Doors:
    """What each question is given; offline it is the corpus alone."""

    corpus: Corpus
    pubmed: PubMedDoor

    def __call__(self, question: Question) -> Sequence[Literature]:
        here = LocalLiterature(self.corpus, question.filters)
        return [here] if question.offline else [self.pubmed.for_question(), here]


@asynccontextmanager
async def open_doors(
    settings: Settings, workshop: Workshop, thread: ModelThread, history: History | None
) -> AsyncIterator[Doors]:
    """PubMed by the settings; what it gives is put into the corpus, encoded in the thread of the models."""
    from bot.replies import HistorySearches
    from reasoning.retrieval.eutils import PubMedDoor
    from reasoning.retrieval.indexing import index_articles

    async def store(articles: Sequence[Article]) -> None:
        run = partial(thread.run, urgent=False)
        async for _ in index_articles(articles, workshop.corpus, workshop.encoder, run=run):
            pass

    pubmed = PubMedDoor(
        settings.eutils,
        settings.ncbi,
        cache=HistorySearches(history) if history else None,
        records=workshop.corpus,
        store=store,
    )
    try:
        yield Doors(workshop.corpus, pubmed)
    finally:
        await pubmed.aclose()


def searches_of(doors: Sequence[Literature]) -> Mapping[str, StoredSearch]:
    """The search replies that a question used, to be kept with its run."""
    from reasoning.retrieval.eutils import PubMed

    kept = [door.kept for door in doors if isinstance(door, PubMed)]
    return {key: StoredSearch(one.reply, one.kept_at) for each in kept for key, one in each.items()}
