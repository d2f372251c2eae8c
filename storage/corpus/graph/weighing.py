"""What ties entities to a question, by the graph's facts and the stored vectors of its names."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.dense import QueryVector, as_halfvec
from storage.corpus.graph.neighbours import TOUCHED
from storage.corpus.graph_tables import names_table
from storage.corpus.registry import read_fingerprint, refuse_other
from storage.corpus.schema import distance_operator
from storage.encoders import EncoderManifest
from storage.facts import relations
from storage.graph import Weight

SIGNS = (
    3  # of an entity's signs, the likest: whoever is asked about seldom tells more; best on half the items
)

_TOUCH = f"WITH {TOUCHED} SELECT id, touch FROM touched WHERE id = ANY(CAST(:ids AS int[]))"
# A name's vector is looked up by its entity; of several names the nearest counts.
_LIKENESS = """
WITH near AS MATERIALIZED (
  SELECT DISTINCT e.id FROM unnest(CAST(:ids AS int[])) e(id)
  UNION SELECT tail_id FROM facts WHERE head_id = ANY(CAST(:ids AS int[])) AND relation = ANY(:of_tail)
  UNION SELECT head_id FROM facts WHERE tail_id = ANY(CAST(:ids AS int[])) AND relation = ANY(:of_head)
), likeness AS MATERIALIZED (
  SELECT near.id, min(v.embedding {op} CAST(:query AS halfvec)) AS distance
  FROM near JOIN entity_names n ON n.entity_id = near.id JOIN {table} v ON v.name_id = n.id GROUP BY near.id
), signs AS (
  SELECT id, avg(distance) AS distance FROM (
    SELECT f.id, l.distance, row_number() OVER (PARTITION BY f.id ORDER BY l.distance) AS place
    FROM (
      SELECT head_id AS id, tail_id AS sign FROM facts
      WHERE head_id = ANY(CAST(:ids AS int[])) AND relation = ANY(:of_tail)
      UNION SELECT tail_id, head_id FROM facts
      WHERE tail_id = ANY(CAST(:ids AS int[])) AND relation = ANY(:of_head)
    ) f JOIN likeness l ON l.id = f.sign
  ) placed WHERE place <= :most GROUP BY id
)
SELECT e.id, own.distance AS own, signs.distance AS signs
FROM unnest(CAST(:ids AS int[])) e(id)
LEFT JOIN likeness own ON own.id = e.id LEFT JOIN signs ON signs.id = e.id
"""


async def weigh(
    connection: AsyncConnection,
    manifest: EncoderManifest,
    ids: Collection[int],
    about: Collection[int],
    vector: QueryVector | None,
) -> dict[int, Weight]:
    """See `Graph.weigh`."""
    wanted = sorted(set(ids))
    rows = await connection.execute(text(_TOUCH), {"ids": wanted, "about": sorted(set(about))})
    touch = {row.id: row.touch for row in rows.all()}
    near = await _near(connection, manifest, wanted, vector)
    return {each: Weight(touch.get(each, 0), *near.get(each, (None, None))) for each in wanted}


async def _near(
    connection: AsyncConnection, manifest: EncoderManifest, ids: list[int], vector: QueryVector | None
) -> dict[int, tuple[float | None, float | None]]:
    query = None if vector is None else as_halfvec(vector, manifest.dimensions)
    if query is None:
        return {}
    made_by = await read_fingerprint(connection, manifest.name)
    if made_by is None:  # it made no vector here yet
        return {}
    refuse_other(made_by, manifest)
    statement = _LIKENESS.format(op=distance_operator(manifest), table=names_table(manifest))
    said = [one for one in relations().values() if (one.claim, one.polarity) == ("diagnosis", "affirmed")]
    params: dict[str, Any] = {
        "ids": ids,
        "query": query,
        "most": SIGNS,
        "of_tail": [one.name for one in said if one.of == "tail"],
        "of_head": [one.name for one in said if one.of == "head"],
    }
    most = 1.0 if manifest.distance == "cosine" else 0.0
    rows = (await connection.execute(text(statement), params)).all()
    return {row.id: (_turn(row.own, most), _turn(row.signs, most)) for row in rows}


def _turn(distance: float | None, most: float) -> float | None:
    return None if distance is None else most - float(distance)
