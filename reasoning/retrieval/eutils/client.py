"""PubMed and PMC as a source of literature: live, paced, kept, and never raising for the server's sake."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from config.settings import Eutils, Ncbi
from reasoning.literature import Door, FetchReply, FullTexts, NoFullText, SearchReply, State
from reasoning.retrieval.eutils.allowance import Allowance
from reasoning.retrieval.eutils.dropping import words_asked
from reasoning.retrieval.eutils.fetching import fetch_full_texts, fetch_records, one_form
from reasoning.retrieval.eutils.keeping import (
    KeptSearch,
    SearchCache,
    find_kept,
    reply_from_json,
    reply_to_json,
    search_key,
)
from reasoning.retrieval.eutils.searching import correct_spelling, find_headings, search_pubmed
from reasoning.retrieval.eutils.session import Session
from reasoning.retrieval.eutils.shelf import Records, Shelf, Store
from reasoning.retrieval.eutils.transport import Transport
from reasoning.retrieval.pubmed import Problem, lint, print_query
from reasoning.retrieval.reading import normalise_pmcid, normalise_pmid
from storage.query import Query, Term, words_of


class PubMedDoor:
    """The way to one E-utilities server, for one event loop and as long as the process lives.

    `cache` finds search replies of earlier questions, `records` is the corpus, `store` puts fetched articles
    into it; each may be left out.
    """

    def __init__(
        self,
        eutils: Eutils,
        ncbi: Ncbi,
        *,
        cache: SearchCache | None = None,
        records: Records | None = None,
        store: Store | None = None,
    ) -> None:
        self.cache = cache
        self.search_age = timedelta(hours=eutils.search_hours)
        self.shelf = Shelf(records, store, timedelta(days=eutils.record_days))
        self.transport = Transport(eutils, ncbi)
        self._seconds = eutils.deadline

    def for_question(self) -> PubMed:
        """PubMed within the time that a question may spend there."""
        return PubMed(self, Allowance(self._seconds))

    def for_ingest(self) -> PubMed:
        """PubMed without a limit of time."""
        return PubMed(self, Allowance(None))

    async def aclose(self) -> None:
        await self.transport.aclose()


class PubMed:
    """One question's view of PubMed (`reasoning.literature.Literature`).

    `calls` counts requests by endpoint; `kept` holds the search replies it used by key, to be stored with
    the run.
    """

    def __init__(self, door: PubMedDoor, allowance: Allowance) -> None:
        self._door = door
        self._session = Session(door.transport, allowance)
        self.calls = self._session.calls
        self.kept = self._session.kept

    @property
    def door(self) -> Door:
        return "pubmed"

    async def search(self, query: Query, limit: int) -> SearchReply:
        term = print_query(query)
        if problems := lint(term):  # case F05.2
            return SearchReply("permanent", "pubmed", sent=term, reason=f"refused: {' '.join(problems)}")
        return await self._search(term, words_asked(query), limit)

    async def search_text(self, text: str, limit: int) -> SearchReply:
        """In whatever script: what PubMed makes of it is its own affair."""
        query = Term(text)
        term = print_query(query)
        if not words_of(query):  # case F05.3
            return SearchReply("permanent", "pubmed", sent=term, reason=f"refused: {Problem.NO_SEARCH_WORD}")
        return await self._search(term, words_asked(query), limit)

    async def _search(self, term: str, asked: Collection[str], limit: int) -> SearchReply:
        key = self._key("search", term, str(limit))
        if (kept := await self._find(key)) and (reply := _readable(kept)):
            return reply
        reply = await search_pubmed(self._session, term, asked, limit)
        if not reply.failed:
            self._keep(key, reply_to_json(reply))
        return reply

    async def verify_headings(self, names: Sequence[str]) -> frozenset[str]:
        asked = sorted({name for name in names if any(map(str.isalnum, name)) and not set(name) & set('"[]')})
        if not asked:
            return frozenset()
        keys = {name: self._key("mesh", name) for name in asked}
        kept = {name: found.reply for name, key in keys.items() if (found := await self._find(key))}
        if open_ones := [name for name in asked if name not in kept]:
            headings, complete = await find_headings(self._session, open_ones)
            verdicts = {name: {"heading": name in headings} for name in open_ones}
            for name in open_ones if complete else headings:
                self._keep(keys[name], verdicts[name])
            kept |= verdicts
        return frozenset(name for name, reply in kept.items() if reply.get("heading"))

    async def suggest_spelling(self, text: str) -> str | None:
        key = self._key("spelling", text)
        if kept := await self._find(key):
            return str(kept.reply["text"]) if "text" in kept.reply else None
        suggestion = await correct_spelling(self._session, text)
        if suggestion:
            self._keep(key, {"text": suggestion})
        return suggestion

    async def fetch(self, keys: Sequence[str]) -> FetchReply:
        """Records by PMID. Where PubMed cannot be asked, records of any age stand in, and `state` tells."""
        pmids, bad = one_form(keys, normalise_pmid)
        known = await self._door.shelf.find(pmids, "pubmed")
        fetched = await fetch_records(self._session, [each for each in pmids if each not in known])
        await self._door.shelf.put(list(fetched.articles.values()))
        known |= await self._door.shelf.find(fetched.failed, "pubmed", any_age=True)
        articles = known | fetched.articles
        state: State = fetched.state if fetched.reason or articles else "empty"
        reason = fetched.reason or (f"refused: {'; '.join(bad.values())}" if bad else None)
        return FetchReply(articles, (*fetched.absent, *bad), state, reason, fetched.calls)

    async def read_full_texts(self, pmcids: Sequence[str]) -> FullTexts:
        """Full texts by PMCID, with a body of their own (case F13.1); front matter alone is none."""
        asked, bad = one_form(pmcids, normalise_pmcid)
        known = await self._door.shelf.find(asked, "pmc")
        known = {pmcid: article for pmcid, article in known.items() if article.full_text}
        fetched = await fetch_full_texts(self._session, [each for each in asked if each not in known])
        whole = {pmcid: article for pmcid, article in fetched.articles.items() if article.full_text}
        await self._door.shelf.put(list(whole.values()))
        absent: dict[str, NoFullText] = dict.fromkeys(bad, "no_pmcid")
        absent |= dict.fromkeys(fetched.absent, "not_open")
        absent |= dict.fromkeys(fetched.failed, "fetch_error")
        absent |= dict.fromkeys(set(fetched.articles) - set(whole), "publisher_blocked")
        return FullTexts(known | whole, absent, fetched.calls)

    def _key(self, *asked: str) -> str:
        return search_key(self._door.transport.base_url, *asked)

    async def _find(self, key: str) -> KeptSearch | None:
        door = self._door
        kept = self.kept.get(key) or await find_kept(door.cache, key, door.search_age)
        if kept:
            self.kept[key] = kept
        return kept

    def _keep(self, key: str, reply: dict[str, Any]) -> None:
        self.kept[key] = KeptSearch(reply, datetime.now(UTC))


def _readable(kept: KeptSearch) -> SearchReply | None:
    try:
        return replace(reply_from_json(kept.reply), kept_since=kept.kept_at)
    except ValueError:
        return None
