"""The standing of cached and cited PubMed records, asked of PubMed again: `ingest --refresh`, the worker."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

from bot.app import Workshop
from config import Settings
from reasoning.retrieval.eutils import PubMedDoor
from reasoning.retrieval.indexing import index_articles
from reasoning.retrieval.rechecking import Change, Door, Recheck, recheck_standing
from storage.documents import Article, Standing
from storage.history import History


async def refresh_standing(
    workshop: Workshop, history: History, settings: Settings, older_than: timedelta
) -> AsyncIterator[Recheck]:
    """The running report after each batch. Raises StorageError and EncoderError."""

    async def store(articles: Sequence[Article]) -> None:
        async for _ in index_articles(articles, workshop.corpus, workshop.encoder):
            pass

    door = PubMedDoor(settings.eutils, settings.ncbi)  # with nothing stored to look up first
    try:
        ask = Door(door.for_ingest().fetch, store)
        async for report in recheck_standing(workshop.corpus, history, ask, older_than):
            yield report
    finally:
        await door.aclose()


_KINDS = {
    "retracted": (Standing.RETRACTED, Standing.RETRACTION_NOTICE),
    "concern": (Standing.CONCERN,),
    "corrected": (Standing.CORRECTED,),
    "superseded": (Standing.SUPERSEDED,),
    "restored": (Standing.OK,),
}


def changes_by_kind(report: Recheck) -> dict[str, list[Change]]:
    """What changed, by its new standing; `restored` is in good standing again."""
    return {kind: report.changed_to(*standings) for kind, standings in _KINDS.items()}


def as_json(report: Recheck) -> dict[str, Any]:
    """The report as `ingest --refresh --json` prints it."""
    changes = {
        kind: [{"pmid": change.pmid, "title": change.title} for change in found]
        for kind, found in changes_by_kind(report).items()
    }
    return {
        "checked": report.checked,
        **changes,
        "missing": report.missing,
        "failed": report.failed,
        "left": report.left,
        "reason": report.reason,
        "overtaken": report.overtaken,
    }
