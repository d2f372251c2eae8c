"""True BM25 in plain SQL, on an inverted index kept in two tables.

`lexical_postings` holds, for each term and segment, blocks of passages ordered by weight. A search without
a filter reads the first block of each term, so that a frequent term costs no more than a rare one, and scores
the best of those anew with all of their terms; with a filter it reads all blocks. Segments are merged like
those of a log-structured index.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.filters import EVERYTHING, Filters
from storage.corpus.hits import Hit

K1, B = 0.9, 0.4  # the usual values for passages of this length (Anserini's defaults)
# The most a term can cost a search. Of 24,000 abstracts, blocks of 1000 gave 97 % of the true best 50, 2000
# gave 99 %; this leaves room for corpora some times as large.
POSTINGS_PER_BLOCK = 4000
CANDIDATES = 100  # at least; three times the limit otherwise (our choice)
_MERGE_AT = 8

_TERM_WEIGHTS = """
SELECT (SELECT greatest(sum(passages), 1)::float8 FROM lexical_segments) AS n,
       (SELECT greatest(sum(total_length), 1)::float8 FROM lexical_segments) AS total,
       coalesce(array_agg(term), '{}') AS terms, coalesce(array_agg(df), '{}') AS dfs
FROM (
  SELECT term, sum(df)::int AS df FROM lexical_postings WHERE term = ANY(:terms) AND block = 0 GROUP BY term
) found
"""
# tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average)), where k1 + 1 is in the weight, and the constants
# are parameters: floats, since PostgreSQL would take literals for numeric, which is slow.
_WEIGHT = "u.weight * (u.tf / (u.tf + CAST(:base AS float8) + CAST(:slope AS float8) * u.length))"
ASKED = """
WITH asked AS (
  SELECT term, weight FROM unnest(CAST(:terms AS text[]), CAST(:weights AS float8[])) AS t(term, weight)
)"""
# Sets in the select list stream their rows; in FROM each would be put down and read again.
FROM_POSTINGS = f"""
  SELECT u.id, sum({_WEIGHT}) AS score FROM (
    SELECT a.weight, unnest(p.passage_ids) AS id, unnest(p.tfs) AS tf, unnest(p.lengths) AS length
    FROM asked a JOIN lexical_postings p USING (term) {{which}}
  ) u GROUP BY u.id"""
_FROM_DOCUMENTS = f"""
  SELECT u.id, sum({_WEIGHT}) AS score FROM (
    SELECT d.passage_id AS id, d.length, unnest(d.terms) AS term, unnest(d.tfs) AS tf
    FROM lexical_documents d WHERE d.passage_id {{which}}
  ) t JOIN asked a USING (term)
  CROSS JOIN LATERAL (SELECT t.id, t.tf, t.length, a.weight) u GROUP BY u.id"""
_ARTICLES = """
SELECT s.id, a.key, s.score
FROM scored s JOIN passages p ON p.id = s.id JOIN articles a ON a.id = p.article_id
{where} ORDER BY s.score DESC, s.id LIMIT :limit
"""
_SEARCH = f"{ASKED}, scored AS ({FROM_POSTINGS.format(which='')}) {_ARTICLES}"
# Candidates by the heads alone, which count a term only where it weighs most; then each with all its terms.
_SEARCH_HEADS = f"""{ASKED}, candidates AS MATERIALIZED (
  {FROM_POSTINGS.format(which="WHERE p.block = 0")} ORDER BY score DESC, id LIMIT :candidates
), scored AS (
  {_FROM_DOCUMENTS.format(which="IN (SELECT id FROM candidates)")}
) {_ARTICLES.format(where="")}"""
_SCORE = f"{ASKED} {_FROM_DOCUMENTS.format(which='= ANY(:ids)')}"


@dataclass(frozen=True, slots=True)
class WeighedTerms:
    """The terms of a question with their weights in this corpus: idf times how often they were asked.

    `average` is the mean passage length in terms; `ceiling` no passage's score can reach, since a term's
    frequency saturates: it turns scores into shares of what was asked.
    """

    weights: Mapping[str, float]
    unknown: frozenset[str]  # terms of no passage; they count in the ceiling
    average: float
    ceiling: float


async def weigh_terms(connection: AsyncConnection, terms: Mapping[str, int]) -> WeighedTerms:
    """idf = ln(1 + (n - df + 0.5) / (df + 0.5)), as in Lucene: never negative."""
    row = (await connection.execute(text(_TERM_WEIGHTS), {"terms": list(terms)})).one()
    n, found = row.n or 1.0, dict(zip(row.terms, row.dfs, strict=True))
    weights = {
        term: asked * math.log(1 + (n - min(n, found.get(term, 0)) + 0.5) / (found.get(term, 0) + 0.5))
        for term, asked in terms.items()
    }
    return WeighedTerms(
        weights={term: weight for term, weight in weights.items() if term in found},
        unknown=frozenset(term for term in terms if term not in found),
        average=(row.total or 1.0) / n,
        ceiling=(K1 + 1) * sum(weights.values()),
    )


def posting_params(terms: WeighedTerms) -> dict[str, Any]:
    return {
        "terms": list(terms.weights),
        "weights": [weight * (K1 + 1) for weight in terms.weights.values()],
        "base": K1 * (1 - B),
        "slope": K1 * B / terms.average,
    }


async def search_lexical(
    connection: AsyncConnection, terms: WeighedTerms, limit: int, filters: Filters = EVERYTHING
) -> list[Hit]:
    """The `limit` best passages by BM25, best first; ties go to the smaller passage id.

    Scores are exact but for passages deleted since the last merge, which still count in the weights. Without
    a filter a passage may be missed that is in the head of none of its terms: overlap@20 with the exact order
    was 0.99 on 24,000 abstracts.
    """
    if not terms.weights:
        return []
    condition, params = filters.sql()
    params |= posting_params(terms) | {"limit": limit}
    if not condition:
        # Deleted passages are among the candidates; where too few others are left, everything is read.
        candidates = max(CANDIDATES, 3 * limit)
        found = await connection.execute(text(_SEARCH_HEADS), params | {"candidates": candidates})
        if len(rows := found.all()) == limit:
            return _hits(rows)
    where = f"WHERE {condition}" if condition else ""
    return _hits((await connection.execute(text(_SEARCH.format(where=where)), params)).all())


def _hits(rows: Sequence[Any]) -> list[Hit]:
    """In an order that does not hang on the order in which the server added a score up."""
    hits = (Hit(row.id, row.key, float(row.score)) for row in rows)
    return sorted(hits, key=lambda hit: (-round(hit.score, 9), hit.passage_id))


async def score_lexical(
    connection: AsyncConnection, terms: WeighedTerms, passage_ids: Sequence[int]
) -> dict[int, float]:
    """BM25 of given passages; those that share no term with the question are left out."""
    if not terms.weights or not passage_ids:
        return {}
    rows = (await connection.execute(text(_SCORE), posting_params(terms) | {"ids": list(passage_ids)})).all()
    return {row.id: float(row.score) for row in rows}


_POSTINGS = f"""
INSERT INTO lexical_postings (term, segment_id, block, df, passage_ids, tfs, lengths)
SELECT term, :segment, (place - 1) / {POSTINGS_PER_BLOCK}, max(df),
       array_agg(id ORDER BY place), array_agg(tf ORDER BY place), array_agg(length ORDER BY place)
FROM (
  SELECT t.term, d.passage_id AS id, t.tf, d.length, count(*) OVER (PARTITION BY t.term) AS df,
         row_number() OVER (
           PARTITION BY t.term
           ORDER BY t.tf / (t.tf + :base + :slope * d.length / average) DESC, d.passage_id
         ) AS place
  FROM lexical_documents d, unnest(d.terms, d.tfs) AS t(term, tf),
       (SELECT greatest(avg(length), 1)::float8 AS average FROM lexical_documents WHERE segment_id = :segment)
  WHERE d.segment_id = :segment
) ranked
GROUP BY term, (place - 1) / {POSTINGS_PER_BLOCK}
"""
_COUNTS = """
UPDATE lexical_segments s SET passages = d.n, total_length = d.total
FROM (
  SELECT count(*) AS n, coalesce(sum(length), 0) AS total FROM lexical_documents WHERE segment_id = :segment
) d
WHERE s.id = :segment
"""


async def open_segment(connection: AsyncConnection) -> int:
    query = "INSERT INTO lexical_segments (passages, total_length) VALUES (0, 0) RETURNING id"
    return int((await connection.execute(text(query))).scalar_one())


async def seal_segment(connection: AsyncConnection, segment: int) -> None:
    """Build the postings of a segment from its forward index."""
    params = {"segment": segment, "base": K1 * (1 - B), "slope": K1 * B}
    await connection.execute(text(_POSTINGS), params)
    await connection.execute(text(_COUNTS), {"segment": segment})


_SEGMENTS = "SELECT id, passages FROM lexical_segments ORDER BY passages, id"
_LIVE = "SELECT count(*) FROM lexical_documents"


async def merge_segments(connection: AsyncConnection, *, all_of_them: bool = False) -> None:
    """Merge segments of a like size (eight at a time), or all: passages deleted since then drop out."""
    rows = (await connection.execute(text(_SEGMENTS))).all()
    if all_of_them:
        chosen = [row.id for row in rows]
        if len(rows) < 2:
            live = (await connection.execute(text(_LIVE))).scalar_one()
            if live == sum(row.passages for row in rows):
                return
    else:
        tiers: dict[int, list[int]] = {}
        for row in rows:
            tiers.setdefault(row.passages.bit_length() // 3, []).append(row.id)
        chosen = next((ids for _, ids in sorted(tiers.items()) if len(ids) >= _MERGE_AT), [])
        if not chosen:
            return
    segment = await open_segment(connection)
    ids = {"ids": chosen, "segment": segment}
    await connection.execute(
        text("UPDATE lexical_documents SET segment_id = :segment WHERE segment_id = ANY(:ids)"), ids
    )
    await connection.execute(text("DELETE FROM lexical_segments WHERE id = ANY(:ids)"), ids)
    await seal_segment(connection, segment)
