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
# All texts in one statement. Names whose number of trigrams differs too much cannot reach the least.
_ALIKE = f"""
WITH q AS MATERIALIZED (
  SELECT string_to_array(joined, chr(31)) AS grams, place
  FROM unnest(CAST(:grams AS text[])) WITH ORDINALITY AS listed(joined, place)
)
SELECT q.place, best.* FROM q, LATERAL (
  SELECT * FROM (
    SELECT DISTINCT ON (e.id) {_COLUMNS},
      shared.n::float8 / (cardinality(n.grams) + cardinality(q.grams) - shared.n) AS score
    FROM entity_names n {_JOINED},
      LATERAL (SELECT count(*) AS n FROM unnest(n.grams) gram WHERE gram = ANY(q.grams)) shared
    WHERE n.grams && q.grams
      AND cardinality(n.grams) BETWEEN :least * cardinality(q.grams) AND cardinality(q.grams) / :least
      AND {_OF_GRAPHS}
    ORDER BY e.id, score DESC, n.id
  ) each_once WHERE score >= :least ORDER BY score DESC, degree DESC, name COLLATE "C", id LIMIT :limit
) best ORDER BY q.place, best.score DESC, best.degree DESC, best.name COLLATE "C", best.id
"""
# All vectors in one statement, each with its own walk of the index; each is read from its text once, not for
# every name. An entity with several near names takes several places: more names are read than are asked for.
_NEAREST = f"""
WITH asked AS MATERIALIZED (
  SELECT CAST(written AS halfvec) AS query, place
  FROM unnest(CAST(:queries AS text[])) WITH ORDINALITY AS listed(written, place)
)
SELECT near.place, {_COLUMNS}, near.distance, ({FINGERPRINT}) AS fingerprint
FROM (
  SELECT asked.place, walk.* FROM asked, LATERAL (
    SELECT v.name_id, v.embedding {{op}} asked.query AS distance FROM {{table}} v
    {{within}} ORDER BY v.embedding {{op}} asked.query LIMIT :names
  ) walk
) near JOIN entity_names n ON n.id = near.name_id {_JOINED}
ORDER BY near.place, near.distance, e.degree DESC, n.id
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


async def search_names(
    connection: AsyncConnection, asked: Sequence[str], limit: int, only: Only
) -> list[list[NameMatch]]:
    """See `Graph.search_names`; one list a text, in their order."""
    grams = ["\x1f".join(trigrams(text)) for text in asked]
    found: list[list[NameMatch]] = [[] for _ in asked]
    if any(grams):
        query = {"grams": grams, "least": LEAST_ALIKE, "limit": limit, "only": _listed(only)}
        for row in (await connection.execute(text(_ALIKE), query)).all():
            found[row.place - 1].append(_matched(row, float(row.score)))
    return found


async def nearest_names(
    connection: AsyncConnection,
    manifest: EncoderManifest,
    vectors: Sequence[QueryVector | None],
    limit: int,
    only: Only,
) -> list[list[NameMatch]]:
    """See `Graph.nearest`; one list a vector, in their order."""
    halves = [None if vector is None else as_halfvec(vector, manifest.dimensions) for vector in vectors]
    places = [place for place, half in enumerate(halves) if half is not None]
    if not places:
        return [[] for _ in vectors]
    statement = _NEAREST.format(
        op=distance_operator(manifest), table=names_table(manifest), within="" if only is None else _WITHIN
    )
    queries = [str(half.to_list()) for half in halves if half is not None]
    params = {"queries": queries, "names": limit * _NAMES_AN_ENTITY, "name": manifest.name}
    if only is not None:
        params["only"] = _listed(only)
    rows = (await connection.execute(text(statement), params)).all()
    made_by = await read_fingerprint(connection, manifest.name) if not rows else rows[0].fingerprint
    refuse_other(made_by, manifest)
    most = 1.0 if manifest.distance == "cosine" else 0.0
    found: list[dict[int, NameMatch]] = [{} for _ in vectors]
    for row in rows:
        found[places[row.place - 1]].setdefault(row.id, _matched(row, most - float(row.distance)))
    return [list(matches.values())[:limit] for matches in found]


def _listed(only: Only) -> Sequence[str] | None:
    return None if only is None else sorted(only)
