"""How often words occur in the articles at hand, as far as a question needs to know: input of a pure rule."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from reasoning.retrieval.subject import zipf
from storage.words import STOP_WORDS, split_words

_EVERYWHERE = ("of", "and")  # words of every abstract: so many articles there are
_WORDS_AN_ARTICLE = 150
_SMALL = 2_000  # articles: in fewer, a word that is missing says nothing


class Words(Protocol):
    """What is asked of the corpus; `storage.corpus.Corpus` has it."""

    async def known_terms(self, words: Collection[str]) -> dict[str, int]: ...

    async def similar_terms(self, word: str, limit: int = 5) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`counts`: folded word -> articles; `similar`: unknown word -> words spelled almost like it, the
    likeliest first; `articles`: how many there are."""

    counts: Mapping[str, int] = field(default_factory=dict)
    similar: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    articles: int = 0

    @property
    def is_large(self) -> bool:
        return self.articles >= _SMALL

    def count(self, word: str) -> int:
        """Articles with the word, as it is folded for the index."""
        return min((self.counts.get(part, 0) for part in split_words(word)), default=0)

    def rarity(self, name: str) -> float:
        """-log10 of the share of articles with the rarest word of a name; 0 for a name without words.

        Where the corpus does not know a word, its frequency in general English stands in.
        """
        words = [word for word in split_words(name) if word not in STOP_WORDS]
        return max((self._rarity_of(word) for word in words), default=0.0)

    def keyness(self, word: str) -> float:
        """log10 of how much more often a word is in these articles than general English would have it."""
        expected = min(1.0, _WORDS_AN_ARTICLE * 10 ** (zipf(word) - 9))
        return math.log10((self.count(word) + 0.5) / (self.articles + 1) / max(expected, 1e-6))

    def _rarity_of(self, word: str) -> float:
        count = self.counts.get(word, 0)
        if count and self.articles:
            return math.log10((self.articles + 1) / count)
        return min(6.0, max(0.0, 6.5 - zipf(word)))


@dataclass(frozen=True, slots=True)
class RewriteInputs:
    """`language` is ISO 639-1; `known` are the English names that the lexicons found, as help for a model."""

    question: str
    language: str = "en"
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    known: tuple[str, ...] = ()


async def count_words(texts: Collection[str], words: Words) -> Vocabulary:
    """The vocabulary of some texts, without what is spelled like them."""
    asked = {word for text in texts for word in split_words(text)} - STOP_WORDS
    counts = await words.known_terms(sorted(asked | set(_EVERYWHERE)))
    return Vocabulary(counts, {}, max((counts.get(word, 0) for word in _EVERYWHERE), default=0))
