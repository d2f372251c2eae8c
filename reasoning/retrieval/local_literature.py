"""The local corpus, asked as PubMed is: for `--offline`, an outage, and a private mirror (issue 4.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from reasoning.literature import Door, FetchReply, FullTexts, SearchReply
from reasoning.retrieval.pubmed import print_query
from storage.corpus import EVERYTHING, Corpus, Filters
from storage.errors import StorageError
from storage.query import Query, Term, normalise, words_of
from storage.words import STOP_WORDS, split_words

DOOR: Door = "corpus"
_WORD = re.compile(r"\w+")


class LocalLiterature:
    """What is here of the literature, within `filters`. Nothing of it counts as a call."""

    def __init__(self, corpus: Corpus, filters: Filters = EVERYTHING) -> None:
        self._corpus = corpus
        self._filters = filters

    @property
    def door(self) -> Door:
        return DOOR

    async def search(self, query: Query, limit: int) -> SearchReply:
        """Up to `limit` keys by BM25 of the query's words. `dropped` are words that no text here has; unlike
        PubMed, the search did not go on without them: an AND with one finds nothing."""
        normal = normalise(query)
        if normal is None or not words_of(normal):
            return SearchReply("permanent", DOOR, reason="There is no search word.")
        sent = print_query(normal)
        try:
            found = await self._corpus.search_boolean(normal, limit, self._filters)
        except StorageError as error:
            return SearchReply(_failure(error), DOOR, sent=sent, reason=type(error).__name__)
        return SearchReply(
            "results" if found.count else "empty",
            DOOR,
            keys=found.keys,
            count=found.count,
            sent=sent,
            translation=sent,
            dropped=found.unknown,
        )

    async def search_text(self, text: str, limit: int) -> SearchReply:
        """All words anywhere; those that no article here has are dropped, as PubMed does, and named."""
        words = list(dict.fromkeys(word for word in split_words(text) if word not in STOP_WORDS))
        try:
            known = await self._corpus.known_terms(words)
        except StorageError as error:
            return SearchReply(_failure(error), DOOR, sent=" ".join(words), reason=type(error).__name__)
        dropped = tuple(word for word in words if not known[word])
        kept = [word for word in words if known[word]]
        if words and not kept:
            return SearchReply("empty", DOOR, sent=" ".join(words), dropped=dropped)
        reply = await self.search(Term(" ".join(kept)), limit)
        return replace(reply, sent=" ".join(words), dropped=dropped)

    async def verify_headings(self, names: Sequence[str]) -> frozenset[str]:
        """Those that an article here has; others may be headings too."""
        try:
            return await self._corpus.known_headings(names)
        except StorageError:
            return frozenset()

    async def suggest_spelling(self, text: str) -> str | None:
        """The text with each word that no article here has in the spelling that one has; None if none was
        changed."""
        words = [word for word in dict.fromkeys(_WORD.findall(text)) if word.lower() not in STOP_WORDS]
        try:
            known = await self._corpus.known_terms(words)
            likest = {word: await self._corpus.similar_terms(word, 1) for word in words if not known[word]}
        except StorageError:
            return None
        changes = {word: found[0] for word, found in likest.items() if found}
        changed = _WORD.sub(lambda word: changes.get(word.group(), word.group()), text)
        return changed if changes else None

    async def fetch(self, keys: Sequence[str]) -> FetchReply:
        try:
            found = await self._corpus.read_records(keys)
        except StorageError as error:
            return FetchReply(state=_failure(error), reason=type(error).__name__)
        return FetchReply(found, tuple(key for key in dict.fromkeys(keys) if key not in found))

    async def read_full_texts(self, pmcids: Sequence[str]) -> FullTexts:
        """Those that are here; of the others it cannot be told whether they are open."""
        try:
            found = await self._corpus.read_full_texts(pmcids)
        except StorageError:
            return FullTexts(absent=dict.fromkeys(pmcids, "fetch_error"))
        return FullTexts(found, {pmcid: "not_held" for pmcid in pmcids if pmcid not in found})


def _failure(error: StorageError) -> Literal["transient", "permanent"]:
    return "transient" if error.retryable else "permanent"
