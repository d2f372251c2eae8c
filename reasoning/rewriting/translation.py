"""Chinese and Spanish questions by tables of concepts, the longest name first (methods.md 6, row 10).

Words of the Latin alphabet in a Chinese text, and names of drugs and genes in a Spanish one, are read as
English. What the tables do not know is left out, but for names of drugs, which are said to be unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from reasoning.meanings import (
    Meaning,
    Mention,
    find_mentions,
    meaning_of,
    read_rows,
)
from reasoning.routing.phrases import Phrases
from reasoning.routing.words import Word

LANGUAGES = ("zh", "es")
_SHARED = ("drug", "gene", "variant")  # kinds whose names Spanish shares with English


def find_translated(text: str, words: Sequence[Word], language: str) -> list[Mention]:
    """Mentions by their English meaning, in the order of the text."""
    spans = [(found.first, found.last, found.value) for found in _table(language).find(words) if found.exact]
    taken = {place for first, last, _ in spans for place in range(first, last)}
    mentions = []
    for first, last, meaning in spans:
        start, end = words[first].start, words[last - 1].end
        mentions.append(Mention(meaning, text[start:end], start, end, frozenset(range(first, last))))
    for mention in find_mentions(text, words):
        latin = all(words[place].key.isascii() for place in mention.words)
        shared = language == "zh" or mention.meaning.kind in _SHARED
        if latin and shared and taken.isdisjoint(mention.words):
            mentions.append(mention)
    return sorted(mentions, key=lambda mention: mention.start)


@cache
def _table(language: str) -> Phrases[Meaning]:
    return Phrases(_names(language))


def _names(language: str) -> Iterator[tuple[str, Meaning]]:
    for names, english, kind in read_rows(f"concepts_{language}.tsv"):
        known = meaning_of(english)
        meaning = known if known is not None and known.kind == kind else Meaning(english, kind)
        for name in names.split("|"):
            yield name, meaning
            if language == "es" and name[-1] in "lrnzdj":  # plurals that folding does not undo
                yield name + "es", meaning
