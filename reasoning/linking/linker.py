"""The entity linker: equal names, then letters, then meaning, each for what the one before left (issue 5).

text -> spans -> equal names ------------------------------------------> links
                   left over -> phrases -> misspelt -> letters -------->
                                       -> the rest -> meaning --------->  unlinked, with what came near
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from reasoning.encoders.errors import EncoderError
from reasoning.encoders.interface import QueryVector
from reasoning.linking.equality import Named, find_named, link_equal
from reasoning.linking.likeness import MEANT_BY, link_by
from reasoning.linking.phrases import Phrase, find_phrases, has_strange_word
from reasoning.linking.types import Link
from reasoning.routing.words import Word, split_words
from storage.corpus.graph import Graph

_log = logging.getLogger(__name__)
_NEAR = 8  # names that are read for a phrase
_WORTH_TELLING = 0.6  # score from which an unlinked phrase is told of


class QueryEncoder(Protocol):
    """What encodes phrases; those that wait together are one batch."""

    async def encode_query(self, text: str) -> QueryVector: ...


class GraphLinker:
    """A `Linker` over all stored graphs. At most three SQL statements and one batch of the encoder a text.

    Without an encoder, with another than the embedded one, whose floor is known, and for other languages than
    its English, it compares names and letters only.
    """

    def __init__(self, graph: Graph, encoder: QueryEncoder | None = None) -> None:
        self._graph = graph
        self._encoder = encoder

    @property
    def compares_meanings(self) -> bool:
        """Whether there is an encoder whose likeness has a known floor."""
        return self._encoder is not None and self._graph.manifest.name == MEANT_BY

    async def link(self, text: str, language: str) -> tuple[Link, ...]:
        """See `Linker`. Raises StorageError; an encoder that fails only ends the third stage."""
        words = split_words(text)
        named = find_named(text, words)
        if not named:
            return ()
        found = await self._graph.find_names({name for one in named for name in one.names})
        links, missing = link_equal(text, named, found)
        phrases = _left_over(text, words, links, missing)
        links += await self._by_letters(phrases, words)
        phrases = [one for one in phrases if not _covered(one, links)]
        if language == "en" and self.compares_meanings:
            links += await self._by_meaning(phrases, words)
        return tuple(sorted(links, key=lambda link: link.start))

    async def _by_letters(self, phrases: Sequence[Phrase], words: Sequence[Word]) -> list[Link]:
        """Stage 2, for phrases with a drug or a word that nobody knows; told of even if nothing links.

        A drug that is listed and in no graph only gets its look-alikes as runners-up.
        """
        strange = [phrase for phrase in phrases if has_strange_word(phrase, words)]
        if not strange:
            return []
        matches = await self._graph.search_all([phrase.said for phrase in strange], _NEAR)
        links = [link_by("lexical", phrase, near) for phrase, near in zip(strange, matches, strict=True)]
        chosen = _apart([link for link in links if link.entity])
        lone = [link for phrase, link in zip(strange, links, strict=True) if phrase.last - phrase.first == 1]
        return chosen + [link for link in lone if not _covered(link, chosen)]

    async def _by_meaning(self, phrases: Sequence[Phrase], words: Sequence[Word]) -> list[Link]:
        """Stage 3; of phrases that overlap the best."""
        plain = [phrase for phrase in phrases if not has_strange_word(phrase, words)]
        if not plain or self._encoder is None:
            return []
        try:
            encoded = await asyncio.gather(*(self._encoder.encode_query(phrase.said) for phrase in plain))
        except EncoderError as error:
            _log.warning("names are compared by letters only: the encoder failed (%s)", type(error).__name__)
            return []
        matches = await self._graph.nearest_all([query.vector for query in encoded], _NEAR)
        links = [link_by("embedding", phrase, near) for phrase, near in zip(plain, matches, strict=True)]
        chosen = _apart([link for link in links if link.entity])
        told = [
            link
            for phrase, link in zip(plain, links, strict=True)
            if (phrase.whole or link.score >= _WORTH_TELLING) and not _covered(link, chosen)
        ]
        return chosen + _apart(told)


def _left_over(
    text: str, words: Sequence[Word], links: Sequence[Link], missing: Sequence[Named]
) -> list[Phrase]:
    """Phrases beside what is linked; concepts that no graph has by name stand as they are."""
    taken = {
        at
        for at, word in enumerate(words)
        if any(link.start < word.end and word.start < link.end for link in links)
    }
    whole = [
        Phrase(span.first, span.last, span.start, span.end, text[span.start : span.end], whole=True)
        for span in (one.span for one in missing)
    ]
    taken |= {at for one in missing for at in range(one.span.first, one.span.last)}
    return [*whole, *find_phrases(text, words, taken)]


def _covered(one: Phrase | Link, links: Sequence[Link]) -> bool:
    return any(link.start < one.end and one.start < link.end for link in links)


def _apart(links: Sequence[Link]) -> list[Link]:
    """None overlaps another, the surest first."""
    chosen: list[Link] = []
    for link in sorted(links, key=lambda link: (-link.score, link.start - link.end)):
        if not _covered(link, chosen):
            chosen.append(link)
    return chosen
