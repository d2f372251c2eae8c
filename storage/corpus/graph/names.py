"""Finding entities by their names: equal, spelled alike, and near by vector (F22.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.dense import QueryVector, as_halfvec
from storage.corpus.graph.naming import fold_entity, trigrams
from storage.corpus.graph_tables import names_table
from storage.corpus.registry import FINGERPRINT, read_fingerprint, refuse_other
from storage.corpus.schema import distance_operator
from storage.encoders import EncoderManifest
from storage.graph import Entity, NameMatch

LEAST_ALIKE = 0.3  # of trigrams; pg_trgm's default. Also bounds how many names are looked at

_OF_GRAPHS = "(CAST(:only AS text[]) IS NULL OR g.name = ANY(CAST(:only AS text[])))"
_COLUMNS = "e.id, e.name, e.kinds, e.degree, g.name AS graph, n.name AS matched"
_JOINED = "JOIN entities e ON e.id = n.entity_id JOIN graphs g ON g.id = e.graph_id"
_EQUAL = f"""
SELECT {_COLUMNS}, n.folded FROM entity_names n {_JOINED} WHERE n.folded = ANY(:folded) AND {_OF_GRAPHS}
ORDER BY n.role <> 'name', e.degree DESC, g.name, e.id
"""
# Names whose number of trigrams differs too much cannot reach the least.
_ALIKE = f"""
SELECT * FROM (
  SELECT DISTINCT ON (e.id) {_COLUMNS}, shared.n::float8 / (cardinality(n.grams) + :size - shared.n) AS score
  FROM entity_names n {_JOINED},
    LATERAL (SELECT count(*) AS n FROM unnest(n.grams) gram WHERE gram = ANY(CAST(:grams AS text[]))) shared
  WHERE n.grams && CAST(:grams AS text[]) AND cardinality(n.grams) BETWEEN :least * :size AND :size / :least
    AND {_OF_GRAPHS}
  ORDER BY e.id, score DESC, n.id
) best WHERE score >= :least ORDER BY score DESC, degree DESC, name COLLATE "C", id LIMIT :limit
"""
# An entity with several near names takes several places: more names are read than are asked for.
_NEAREST = f"""
WITH near AS MATERIALIZED (
  SELECT v.name_id, v.embedding {{op}} CAST(:query AS halfvec) AS distance FROM {{table}} v
  {{within}} ORDER BY v.embedding {{op}} CAST(:query AS halfvec) LIMIT :names
)
SELECT {_COLUMNS}, near.distance, ({FINGERPRINT}) AS fingerprint
FROM near JOIN entity_names n ON n.id = near.name_id {_JOINED}
ORDER BY near.distance, e.degree DESC, n.id
"""
_WITHIN = f"JOIN entity_names n ON n.id = v.name_id {_JOINED} WHERE {_OF_GRAPHS}"
_NAMES_AN_ENTITY = 4

Only = Collection[str] | None


def _matched(row: Any, score: float) -> NameMatch:
    return NameMatch(Entity(row.id, row.name, tuple(row.kinds), row.graph, row.degree), row.matched, score)


async def find_names(
    connection: AsyncConnection, names: Collection[str], only: Only
) -> dict[str, list[NameMatch]]:
    """See `Graph.find_names`."""
    folded = {name: fold_entity(name) for name in names}
    query = {"folded": sorted(set(folded.values())), "only": _listed(only)}
    found: dict[str, dict[int, NameMatch]] = defaultdict(dict)
    for row in (await connection.execute(text(_EQUAL), query)).all():
        found[row.folded].setdefault(row.id, _matched(row, 1.0))
    return {name: list(found[key].values()) for name, key in folded.items() if key in found}


async def search_names(connection: AsyncConnection, asked: str, limit: int, only: Only) -> list[NameMatch]:
    """See `Graph.search_names`."""
    grams = trigrams(asked)
    if not grams:
        return []
    query = {"grams": grams, "size": len(grams), "least": LEAST_ALIKE, "limit": limit, "only": _listed(only)}
    rows = (await connection.execute(text(_ALIKE), query)).all()
    return [_matched(row, float(row.score)) for row in rows]


async def nearest_names(
    connection: AsyncConnection, manifest: EncoderManifest, vector: QueryVector | None, limit: int, only: Only
) -> list[NameMatch]:
    """See `Graph.nearest`."""
    query = None if vector is None else as_halfvec(vector, manifest.dimensions)
    if query is None:
        return []
    statement = _NEAREST.format(
        op=distance_operator(manifest), table=names_table(manifest), within="" if only is None else _WITHIN
    )
    params = {"query": query, "names": limit * _NAMES_AN_ENTITY, "name": manifest.name, "only": _listed(only)}
    if only is None:
        del params["only"]
    rows = (await connection.execute(text(statement), params)).all()
    made_by = await read_fingerprint(connection, manifest.name) if not rows else rows[0].fingerprint
    refuse_other(made_by, manifest)
    most = 1.0 if manifest.distance == "cosine" else 0.0
    found: dict[int, NameMatch] = {}
    for row in rows:
        found.setdefault(row.id, _matched(row, most - float(row.distance)))
    return list(found.values())[:limit]


def _listed(only: Only) -> Sequence[str] | None:
    return None if only is None else sorted(only)
