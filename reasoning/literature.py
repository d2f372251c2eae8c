"""What a method may ask of the literature; PubMed and the local corpus answer alike (architecture 2, ladder
of sources).

    search  a boolean query -> ids, with all that a reader of the trace must know
    fetch   ids -> records, stored in the corpus on the way
    read    PMCIDs -> full texts, or why there is none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from storage.documents import Article
from storage.query import Query

State = Literal["results", "empty", "transient", "permanent"]
Door = Literal["pubmed", "corpus"]


@dataclass(frozen=True, slots=True)
class SearchReply:
    """One search. `empty` is only a count of 0 in a reply that was understood (case F02).

    `keys` are PMIDs (document ids for what the corpus holds without one), best first. `dropped` names words
    that the index did not know and the search went on without (case F04); `clamped`: more match than can be
    had (case F03). `reason` is why it failed, without mark-up, key or search words.
    """

    state: State
    door: Door
    keys: tuple[str, ...] = ()
    count: int = 0
    sent: str = ""  # as the door was asked, in its own syntax
    translation: str = ""  # as the door understood it
    dropped: tuple[str, ...] = ()
    phrases_not_found: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    clamped: bool = False
    reason: str | None = None
    calls: int = 0  # requests, retries included; 0 from the cache and the corpus
    kept_since: datetime | None = None  # of a reply from the cache

    @property
    def failed(self) -> bool:
        return self.state in ("transient", "permanent")


@dataclass(frozen=True, slots=True)
class FetchReply:
    """Records by key; `missing` were asked for and do not exist; a failure says why."""

    articles: Mapping[str, Article] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    state: State = "results"
    reason: str | None = None
    calls: int = 0


NoFullText = Literal["no_pmcid", "publisher_blocked", "not_open", "not_held", "fetch_error"]


@dataclass(frozen=True, slots=True)
class FullTexts:
    """Full texts by PMCID, and for each other why the abstract must do (methods.md 1.5, case F13)."""

    articles: Mapping[str, Article] = field(default_factory=dict)
    absent: Mapping[str, NoFullText] = field(default_factory=dict)
    calls: int = 0


class Literature(Protocol):
    """None of these raise for the door's sake: the reply says what happened."""

    @property
    def door(self) -> Door: ...

    async def search(self, query: Query, limit: int) -> SearchReply:
        """Up to `limit` keys by relevance."""
        ...

    async def search_text(self, text: str, limit: int) -> SearchReply:
        """A plain string, left to automatic term mapping; operators in it are words."""
        ...

    async def verify_headings(self, names: Sequence[str]) -> frozenset[str]:
        """Those that are MeSH headings; none where that cannot be told."""
        ...

    async def suggest_spelling(self, text: str) -> str | None: ...

    async def fetch(self, keys: Sequence[str]) -> FetchReply:
        """Records by key, in good or bad standing; new and changed ones are in the corpus afterwards."""
        ...

    async def read_full_texts(self, pmcids: Sequence[str]) -> FullTexts:
        """Full texts with a body, in the corpus afterwards."""
        ...
