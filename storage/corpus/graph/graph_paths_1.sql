-- Each entity that is one of `about` or joined to one, with how many of them.
CREATE FUNCTION graph_touch_1(about int[]) RETURNS TABLE (id int, touch int)
LANGUAGE sql STABLE AS $$
  SELECT joined.id, count(*)::int FROM (
    SELECT f.tail_id AS id, q.id AS asked FROM unnest(about) q(id) JOIN facts f ON f.head_id = q.id
    UNION SELECT f.head_id, q.id FROM unnest(about) q(id) JOIN facts f ON f.tail_id = q.id
    UNION SELECT q.id, q.id FROM unnest(about) q(id)
  ) joined GROUP BY joined.id
$$;

-- The shortest walks of `shortest` to `longest` facts from one of `sources` to one of `targets`, best first, as their
-- inner entities; at most `most` (null: all). `length` is 0 where an end is unknown, null where there is no walk.
--
-- A function, since its stages share what they found, its plans are made once (planning took longer than
-- searching), and an answer is one message. Migration 0003 creates it. A change is a new function with the next
-- number, in a new migration, so that a running older carecite keeps its own.
--
-- Rank: how many of `about` the inner entities are or touch, then fewer facts at the inner entities (rarer hubs),
-- then names from the source on. It is a sum over the inner entities; so of four hops only the best halves of each
-- middle are joined, and no half that is cut belongs to a kept walk.
--
-- `(x IN (SELECT ...)) IS TRUE` is a look-up in a hash table. As a join, which the planner would make of it, a guess
-- of how many entities are near would decide whether every one is compared with every other. `OFFSET 0` keeps a
-- look-up by key one: the planner, which knows no number of this search, would read the table whole.
CREATE FUNCTION graph_paths_1(
  sources int[], targets int[], about int[], shortest int, longest int, most int
) RETURNS TABLE (length int, x int, m int, y int, coverage int, hubs int)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  near_a int[];  -- next to a source
  near_b int[];  -- next to a target
  common int[];
  facts_a bigint;
  facts_b bigint;
  pairs bigint;
BEGIN
  IF cardinality(sources || targets) > (
    SELECT count(*) FROM unnest(sources || targets) u(id) JOIN entities e USING (id)
  ) THEN
    RETURN QUERY SELECT 0, NULL::int, NULL::int, NULL::int, 0, 0;
    RETURN;
  END IF;
  near_a := ARRAY(
    SELECT f.tail_id FROM unnest(sources) s(id) JOIN facts f ON f.head_id = s.id
    UNION SELECT f.head_id FROM unnest(sources) s(id) JOIN facts f ON f.tail_id = s.id
  );
  near_b := ARRAY(
    SELECT f.tail_id FROM unnest(targets) t(id) JOIN facts f ON f.head_id = t.id
    UNION SELECT f.head_id FROM unnest(targets) t(id) JOIN facts f ON f.tail_id = t.id
  );
  IF shortest <= 1 AND EXISTS (SELECT FROM unnest(near_a) a(id) JOIN unnest(targets) t(id) USING (id)) THEN
    RETURN QUERY SELECT 1, NULL::int, NULL::int, NULL::int, 0, 0;
    RETURN;
  END IF;

  IF shortest <= 2 AND longest >= 2 THEN
    common := ARRAY(SELECT unnest(near_a) INTERSECT SELECT unnest(near_b));
    IF cardinality(common) > 0 THEN
      RETURN QUERY
      WITH touched AS MATERIALIZED (SELECT * FROM graph_touch_1(about))
      SELECT 2, e.id, NULL::int, NULL::int, coalesce(t.touch, 0), e.degree
      FROM unnest(common) c(id) CROSS JOIN LATERAL (SELECT * FROM entities WHERE id = c.id OFFSET 0) e
      LEFT JOIN touched t ON t.id = c.id
      ORDER BY 5 DESC, 6, e.name COLLATE "C", e.id LIMIT most;
      RETURN;
    END IF;
  END IF;

  IF shortest <= 3 AND longest >= 3 THEN
    -- What reads least: every pair of the sides, or all facts of one side's entities. A fact read in a row costs
    -- about a quarter of one that is looked up by both of its ends.
    pairs := 4::bigint * cardinality(near_a) * cardinality(near_b);
    facts_a := (SELECT sum(e.degree) FROM unnest(near_a) a(id) JOIN entities e USING (id));
    facts_b := (SELECT sum(e.degree) FROM unnest(near_b) b(id) JOIN entities e USING (id));
    RETURN QUERY
    WITH joined AS MATERIALIZED (
      SELECT a.id AS x, b.id AS y FROM unnest(near_a) a(id) CROSS JOIN unnest(near_b) b(id)
      CROSS JOIN LATERAL (
        SELECT FROM facts WHERE head_id = a.id AND tail_id = b.id
        UNION ALL SELECT FROM facts WHERE head_id = b.id AND tail_id = a.id LIMIT 1
      ) fact WHERE pairs <= facts_a AND pairs <= facts_b
      UNION ALL
      SELECT a.id, beyond.id FROM unnest(near_a) a(id) CROSS JOIN LATERAL (
        SELECT tail_id AS id FROM facts WHERE head_id = a.id
        UNION SELECT head_id FROM facts WHERE tail_id = a.id OFFSET 0
      ) beyond WHERE (beyond.id IN (SELECT unnest(near_b))) IS TRUE AND facts_a < pairs AND facts_a <= facts_b
      UNION ALL
      SELECT beyond.id, b.id FROM unnest(near_b) b(id) CROSS JOIN LATERAL (
        SELECT tail_id AS id FROM facts WHERE head_id = b.id
        UNION SELECT head_id FROM facts WHERE tail_id = b.id OFFSET 0
      ) beyond WHERE (beyond.id IN (SELECT unnest(near_a))) IS TRUE AND facts_b < pairs AND facts_b < facts_a
    ), touched AS MATERIALIZED (SELECT * FROM graph_touch_1(about))
    SELECT 3, j.x, NULL::int, j.y, coalesce(tx.touch, 0) + coalesce(ty.touch, 0), ex.degree + ey.degree
    FROM joined j
    CROSS JOIN LATERAL (SELECT * FROM entities WHERE id = j.x OFFSET 0) ex
    CROSS JOIN LATERAL (SELECT * FROM entities WHERE id = j.y OFFSET 0) ey
    LEFT JOIN touched tx ON tx.id = j.x LEFT JOIN touched ty ON ty.id = j.y
    ORDER BY 5 DESC, 6, ex.name COLLATE "C", ey.name COLLATE "C", j.x, j.y LIMIT most;
    IF FOUND THEN RETURN; END IF;
  END IF;

  IF longest >= 4 THEN
    RETURN QUERY
    WITH touched AS MATERIALIZED (SELECT * FROM graph_touch_1(about)),
    half_a AS MATERIALIZED (
      SELECT e.id, e.degree, e.name, coalesce(t.touch, 0) AS touch, beyond.id AS m
      FROM unnest(near_a) a(id) CROSS JOIN LATERAL (SELECT * FROM entities WHERE id = a.id OFFSET 0) e
      LEFT JOIN touched t ON t.id = a.id
      CROSS JOIN LATERAL (
        SELECT tail_id AS id FROM facts WHERE head_id = a.id
        UNION SELECT head_id FROM facts WHERE tail_id = a.id OFFSET 0
      ) beyond
    ), half_b AS MATERIALIZED (
      SELECT e.id, e.degree, e.name, coalesce(t.touch, 0) AS touch, beyond.id AS m
      FROM unnest(near_b) b(id) CROSS JOIN LATERAL (SELECT * FROM entities WHERE id = b.id OFFSET 0) e
      LEFT JOIN touched t ON t.id = b.id
      CROSS JOIN LATERAL (
        SELECT tail_id AS id FROM facts WHERE head_id = b.id
        UNION SELECT head_id FROM facts WHERE tail_id = b.id OFFSET 0
      ) beyond
    ), middle AS MATERIALIZED (SELECT h.m FROM half_a h INTERSECT SELECT h.m FROM half_b h),
    best_a AS MATERIALIZED (
      SELECT * FROM (
        SELECT h.*, row_number() OVER (
          PARTITION BY h.m ORDER BY h.touch DESC, h.degree, h.name COLLATE "C", h.id
        ) AS place
        FROM half_a h WHERE (h.m IN (SELECT k.m FROM middle k)) IS TRUE
      ) ranked WHERE place <= coalesce(most, place)
    ), best_b AS MATERIALIZED (
      SELECT * FROM (
        SELECT h.*, row_number() OVER (
          PARTITION BY h.m ORDER BY h.touch DESC, h.degree, h.name COLLATE "C", h.id
        ) AS place
        FROM half_b h WHERE (h.m IN (SELECT k.m FROM middle k)) IS TRUE
      ) ranked WHERE place <= coalesce(most, place)
    )
    SELECT 4, a.id, e.id, b.id, a.touch + coalesce(t.touch, 0) + b.touch, a.degree + e.degree + b.degree
    FROM middle k CROSS JOIN LATERAL (SELECT * FROM entities WHERE id = k.m OFFSET 0) e
    LEFT JOIN touched t ON t.id = k.m JOIN best_a a ON a.m = k.m JOIN best_b b ON b.m = k.m
    ORDER BY 5 DESC, 6, a.name COLLATE "C", e.name COLLATE "C", b.name COLLATE "C", a.id, e.id, b.id LIMIT most;
    IF FOUND THEN RETURN; END IF;
  END IF;
  RETURN QUERY SELECT NULL::int, NULL::int, NULL::int, NULL::int, 0, 0;
END
$$;
