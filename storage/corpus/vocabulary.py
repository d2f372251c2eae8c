"""The words and headings that articles here have, for spelling and for checking what a model made up."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.word_index import fold_name
from storage.words import split_words

MOST_ARTICLES = 50_000  # the newest: enough to know a word, and reading them takes seconds at most
MOST_COUNTED = 20_000
# Letters: shorter words are too alike to guess at, long ones may differ in two places.
_SHORTEST, _LONG = 4, 8

_WORDS = f"""
SELECT word, ndoc FROM ts_stat(
  'SELECT words FROM article_words ORDER BY article_id DESC LIMIT {MOST_ARTICLES}'
) WHERE position('=' IN word) = 0
"""
# The limit is written out: as a parameter it leads the plan for all calls to read the whole table.
_COUNTS = f"""
SELECT asked.entry, (
  SELECT count(*) FROM (
    SELECT FROM article_words WHERE words @@ CAST(asked.entry AS tsquery) LIMIT {MOST_COUNTED}
  ) found
) AS articles FROM unnest(CAST(:entries AS text[])) AS asked(entry)
"""


async def read_words(connection: AsyncConnection) -> dict[str, int]:
    """Word, unstemmed -> articles that have it."""
    return {row.word: row.ndoc for row in (await connection.execute(text(_WORDS))).all()}


def similar_words(word: str, vocabulary: Mapping[str, int], limit: int) -> list[str]:
    """Words one edit away (two, of long words), the nearest first, then the most frequent.

    A letter put in, left out, changed, or two changed over count as one edit each.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    folded = " ".join(split_words(word))
    if len(folded) < _SHORTEST:
        return []
    edits = 2 if len(folded) >= _LONG else 1
    near = process.extract(
        folded, list(vocabulary), scorer=OSA.distance, score_cutoff=edits, limit=None, processor=None
    )
    ranked = sorted((int(distance), -vocabulary[found], found) for found, distance, _ in near)
    return [found for _, _, found in ranked if found != folded][:limit]


async def known_headings(connection: AsyncConnection, names: Collection[str]) -> frozenset[str]:
    entries = {name: f"'mh={folded}'" for name in names if (folded := fold_name(name))}
    counts = await _count(connection, entries.values())
    return frozenset(name for name, entry in entries.items() if counts[entry])


async def count_words(connection: AsyncConnection, words: Collection[str]) -> dict[str, int]:
    """How many articles have each word as it is written, up to MOST_COUNTED; of one with several
    parts, all of them."""
    entries = {word: " & ".join(f"'{part}'" for part in split_words(word)) for word in words}
    counts = await _count(connection, [entry for entry in entries.values() if entry])
    return {word: counts.get(entry, 0) for word, entry in entries.items()}


async def _count(connection: AsyncConnection, entries: Collection[str]) -> dict[str, int]:
    params = {"entries": list(dict.fromkeys(entries))}
    rows = (await connection.execute(text(_COUNTS), params)).all() if entries else []
    return {row.entry: row.articles for row in rows}
