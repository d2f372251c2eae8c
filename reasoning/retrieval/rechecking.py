"""The standing of cached and cited PubMed records, read again before it grows old (case F12.4).

First what kept answers cite, then what the corpus holds, each with the oldest check first and a batch at a
time. A batch is stored before the next is asked for, so a run that ends early loses nothing, and the next one
goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from reasoning.literature import FetchReply
from storage.corpus import Corpus
from storage.documents import Article, Standing
from storage.history import GONE, CitedArticle, CitedStanding, History

BATCH = 200  # PMIDs a request (methods.md 5.1)
_ALL = 1_000_000  # more than any history cites


@dataclass(frozen=True, slots=True)
class Door:
    """`fetch` asks PubMed itself, however young a stored record is; `store` keeps what came, or raises."""

    fetch: Callable[[Sequence[str]], Awaitable[FetchReply]]
    store: Callable[[Sequence[Article]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Change:
    """`was` None: nothing was known of it, as where PubMed had lost it for a while."""

    pmid: str
    title: str
    was: Standing | None
    now: Standing


@dataclass(slots=True)
class Recheck:
    """What a run did; grows from batch to batch.

    `failed` did not come, or could not be read; `reason` says why the run ended before its end; `left` are
    PMIDs still due after it; `overtaken` are kept answers that cite what is retracted by now.
    """

    due: int = 0
    checked: int = 0
    changes: list[Change] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    left: int = 0
    reason: str | None = None
    overtaken: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.checked + len(self.missing) + len(self.failed)

    def changed_to(self, *standings: Standing) -> list[Change]:
        return [change for change in self.changes if change.now in standings]


async def recheck_standing(
    corpus: Corpus, history: History, door: Door, older_than: timedelta, batch: int = BATCH
) -> AsyncIterator[Recheck]:
    """Read again what was last checked longer ago, yielding the running report after each batch.

    Raises StorageError; what was stored until then stays.
    """
    before, report = await corpus.now() - older_than, Recheck()
    checking = _Checking(corpus, history, door, before, report)
    report.due = await checking.count_due()
    yield report
    while report.reason is None and (cited := await history.due_citations(before, report.failed, batch)):
        await checking.ask_cited(cited)
        yield report
    while report.reason is None and (keys := await corpus.due_standings(before, report.failed, batch)):
        stored = await corpus.read_standings(keys)
        await checking.ask(keys, {pmid: found.standing for pmid, found in stored.items()})
        yield report
    report.left = await checking.count_due()
    report.overtaken = await history.find_overtaken_runs()
    yield report


@dataclass(frozen=True, slots=True)
class _Checking:
    """One run: where it reads and stores, what counts as old, and what it has done."""

    corpus: Corpus
    history: History
    door: Door
    before: datetime
    report: Recheck

    async def count_due(self) -> int:
        """PMIDs to ask for, those that failed included; what is cited and stored is counted once."""
        cited = [article.pmid for article in await self.history.due_citations(self.before, (), _ALL)]
        elsewhere = len(cited) - len(await self.corpus.existing(cited))
        return elsewhere + await self.corpus.count_due_standings(self.before)

    async def ask_cited(self, cited: Sequence[CitedArticle]) -> None:
        """What the corpus knows from a young check need not be asked for."""
        known = {article.pmid: _as_standing(article.standing) for article in cited}
        stored = await self.corpus.read_standings(list(known))
        known |= {pmid: found.standing for pmid, found in stored.items()}
        fresh = {pmid: found for pmid, found in stored.items() if found.checked_at >= self.before}
        await self.history.note_standings(
            [CitedStanding(pmid, found.standing.value, found.checked_at) for pmid, found in fresh.items()]
        )
        await self.ask([pmid for pmid in known if pmid not in fresh], known)

    async def ask(self, pmids: Sequence[str], known: Mapping[str, Standing | None]) -> None:
        """The standing of each as PubMed tells it; what it does not have any more is GONE.

        Where a reply was cut short, the rest waits for the next run; where nothing came, this run ends.
        """
        if not pmids:
            return
        reply = await self.door.fetch(pmids)
        told = {pmid: reply.articles[pmid] for pmid in pmids if pmid in reply.articles}
        gone = [pmid for pmid in reply.missing if pmid in known]
        await self.door.store(list(told.values()))
        await self.corpus.note_checks(gone)
        now = max(datetime.now(UTC), self.before)  # the clocks of two servers
        standings = {pmid: article.standing.value for pmid, article in told.items()}
        standings |= dict.fromkeys(gone, GONE)
        await self.history.note_standings(
            [CitedStanding(pmid, standing, now) for pmid, standing in standings.items()]
        )
        self.report.changes += [
            Change(pmid, article.title, known.get(pmid), article.standing)
            for pmid, article in told.items()
            if article.standing is not (known.get(pmid) or Standing.OK)
        ]
        self.report.checked += len(told)
        self.report.missing += gone
        if standings:
            self.report.failed += [pmid for pmid in pmids if pmid not in standings]
        else:
            self.report.reason = reply.reason or reply.state


def _as_standing(text: str) -> Standing | None:
    return None if text == GONE else Standing(text)
