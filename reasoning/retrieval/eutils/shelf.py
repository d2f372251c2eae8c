"""What was fetched before, and where the fetched goes: the corpus grows by use (architecture 2)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from config.errors import CareciteError
from storage.documents import Article

Store = Callable[[Sequence[Article]], Awaitable[None]]
_log = logging.getLogger(__name__)


class Records(Protocol):
    """The corpus, for whole articles by doc_id."""

    async def read_checked(
        self, doc_ids: Sequence[str], source: str, checked_since: datetime | None
    ) -> dict[str, Article]: ...


@dataclass(frozen=True, slots=True)
class Shelf:
    """A corpus that fails costs requests, never the answer."""

    records: Records | None
    store: Store | None
    age: timedelta  # of a standing that need not be read anew

    async def find(self, ids: Sequence[str], source: str, *, any_age: bool = False) -> dict[str, Article]:
        """What came through this door before, in one look-up."""
        if not ids or self.records is None:
            return {}
        since = None if any_age else datetime.now(UTC) - self.age
        try:
            return await self.records.read_checked(ids, source, since)
        except CareciteError as error:
            _log.warning("Stored records cannot be read (%s).", type(error).__name__)
            return {}

    async def put(self, articles: Sequence[Article]) -> None:
        if not articles or self.store is None:
            return
        try:
            await self.store(articles)
        except CareciteError as error:
            _log.warning("%d fetched articles could not be stored (%s).", len(articles), type(error).__name__)
