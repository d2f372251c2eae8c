"""The statements of a path search (`paths`).

Rank: how many of the question's entities the inner ones are or touch, then fewer facts at the inner ones
(rarer hubs), then names from the first end on. It is a sum over the inner entities; so at four hops only the
best halves of each middle are joined, and no half that is cut belongs to a kept path.

`(x IN (SELECT ...)) IS TRUE` is a look-up in a hash table. As a join, which the planner would make of it
otherwise, its guess of how many entities are near decides whether every one is compared with every other.
"""

from __future__ import annotations

from sqlalchemy import text

from storage.corpus.graph.neighbours import TOUCHED

# One side: the entities next to its ends, with what they add to a path's rank.
_SIDE = """
{side} AS MATERIALIZED (
  SELECT near.id, e.degree, e.name, coalesce(t.touch, 0) AS touch
  FROM (
    SELECT tail_id AS id FROM facts WHERE head_id = ANY(CAST(:{side} AS int[]))
    UNION SELECT head_id FROM facts WHERE tail_id = ANY(CAST(:{side} AS int[]))
  ) near JOIN entities e ON e.id = near.id LEFT JOIN touched t ON t.id = near.id
)
"""
_SIDES = f"WITH {TOUCHED}, {_SIDE.format(side='a')}, {_SIDE.format(side='b')}"
# Entities that a fact joins to one of a side's.
_NEXT_TO = """
SELECT tail_id AS id FROM facts WHERE head_id = {side}.id
UNION SELECT head_id FROM facts WHERE tail_id = {side}.id
"""

# Whether the ends are known and joined, how large the sides are, and the entities in both.
UP_TO_TWO = text(f"""
{_SIDES}
SELECT sizes.*, found.* FROM (
  SELECT (SELECT count(*) FROM entities
          WHERE id = ANY(CAST(:a AS int[]) || CAST(:b AS int[]) || CAST(:both AS int[]))) AS known,
         EXISTS (SELECT FROM a WHERE id = ANY(CAST(:b AS int[]))) AS direct,
         (SELECT count(*) FROM a) AS near_a, (SELECT coalesce(sum(degree), 0) FROM a) AS facts_a,
         (SELECT count(*) FROM b) AS near_b, (SELECT coalesce(sum(degree), 0) FROM b) AS facts_b
) sizes LEFT JOIN (
  SELECT id AS x, touch AS coverage, degree AS hubs FROM a WHERE (id IN (SELECT id FROM b)) IS TRUE
  ORDER BY touch DESC, degree, name COLLATE "C", id LIMIT :most
) found ON true
""")

_PAIRS = """
SELECT a.id AS x, b.id AS y FROM a CROSS JOIN b CROSS JOIN LATERAL (
  SELECT FROM facts WHERE head_id = a.id AND tail_id = b.id
  UNION ALL SELECT FROM facts WHERE head_id = b.id AND tail_id = a.id
  LIMIT 1
) joined
"""
_FROM_A = f"""
SELECT a.id AS x, beyond.id AS y FROM a CROSS JOIN LATERAL ({_NEXT_TO.format(side="a")} OFFSET 0) beyond
WHERE (beyond.id IN (SELECT id FROM b)) IS TRUE
"""
_FROM_B = f"""
SELECT beyond.id AS x, b.id AS y FROM b CROSS JOIN LATERAL ({_NEXT_TO.format(side="b")} OFFSET 0) beyond
WHERE (beyond.id IN (SELECT id FROM a)) IS TRUE
"""
_THREE = """
{sides}, joined AS MATERIALIZED ({joined})
SELECT joined.x, joined.y, coalesce(tx.touch, 0) + coalesce(ty.touch, 0) AS coverage,
       ex.degree + ey.degree AS hubs
FROM joined JOIN entities ex ON ex.id = joined.x JOIN entities ey ON ey.id = joined.y
LEFT JOIN touched tx ON tx.id = joined.x LEFT JOIN touched ty ON ty.id = joined.y
ORDER BY coverage DESC, hubs, ex.name COLLATE "C", ey.name COLLATE "C", joined.x, joined.y LIMIT :most
"""
# By what is walked through to find the facts that join the sides.
BETWEEN_SIDES = {
    way: text(_THREE.format(sides=_SIDES, joined=joined))
    for way, joined in (("pairs", _PAIRS), ("from_a", _FROM_A), ("from_b", _FROM_B))
}

_HALF = f"""
{{side}}_half AS MATERIALIZED (
  SELECT {{side}}.*, beyond.id AS m FROM {{side}} CROSS JOIN LATERAL ({_NEXT_TO} OFFSET 0) beyond
)
"""
_BEST = """
{side}_best AS MATERIALIZED (
  SELECT * FROM (
    SELECT *, row_number() OVER (
      PARTITION BY m ORDER BY touch DESC, degree, name COLLATE "C", id
    ) AS place
    FROM {side}_half WHERE (m IN (SELECT id FROM middle)) IS TRUE
  ) ranked WHERE place <= coalesce(CAST(:most AS int), place)
)
"""
FOUR_HOPS = text(f"""
{_SIDES}, {_HALF.format(side="a")}, {_HALF.format(side="b")},
middle AS MATERIALIZED (
  SELECT e.id, e.degree, e.name, coalesce(t.touch, 0) AS touch
  FROM (SELECT m FROM a_half INTERSECT SELECT m FROM b_half) met
  JOIN entities e ON e.id = met.m LEFT JOIN touched t ON t.id = met.m
),
{_BEST.format(side="a")}, {_BEST.format(side="b")}
SELECT a.id AS x, middle.id AS m, b.id AS y, a.touch + middle.touch + b.touch AS coverage,
       a.degree + middle.degree + b.degree AS hubs
FROM middle JOIN a_best a ON a.m = middle.id JOIN b_best b ON b.m = middle.id
ORDER BY coverage DESC, hubs, a.name COLLATE "C", middle.name COLLATE "C", b.name COLLATE "C",
         a.id, middle.id, b.id
LIMIT :most
""")
