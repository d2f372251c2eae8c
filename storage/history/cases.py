"""Cases: answers as reviewers find them. One is made with its run, and follows what people think of it.

Red flags, answers that did not help, and those whose evidence was retracted go into the queue by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.text import clean_text

# Of the case `k`: the answer as it should have been, by the last of those whose verdict stands.
CORRECTED = """
(SELECT v.corrected FROM reviews v WHERE v.run_id = k.run_id AND NOT v.draft AND v.verdict = k.verdict
 AND v.corrected IS NOT NULL ORDER BY v.changed_at DESC LIMIT 1)
"""
LONGEST = 20_000  # characters to search in; a vector of words may have 1 MB
_BATCH = 500

_ADD = """
INSERT INTO cases (run_id, workspace_id, conversation_id, person_id, platform, asked_at, method, language,
                   triage, abstained, degraded, state, cause, queued_at, masked, seconds)
SELECT r.run_id, w.id, :conversation, :person, coalesce(w.platform, 'local'), r.asked_at, r.ran, r.language,
  r.triage, r.abstained, coalesce(r.answer -> 'degraded', '[]') <> '[]',
  CASE WHEN r.triage <> 'none' THEN 'open' END, CASE WHEN r.triage <> 'none' THEN 'red_flag' END,
  CASE WHEN r.triage <> 'none' THEN now() END, CAST(:masked AS text),
  extract(epoch FROM clock_timestamp() - i.received_at)
FROM runs r LEFT JOIN workspaces w ON w.id = :workspace
LEFT JOIN inbox i ON i.id = :question WHERE r.run_id = :run
"""
_OPINIONS = """
UPDATE cases c SET feedback = f.opinion,
  state = CASE WHEN c.state IS NULL AND f.opinion <> 'helpful' THEN 'open' ELSE c.state END,
  cause = CASE WHEN c.state IS NULL AND f.opinion <> 'helpful' THEN 'feedback' ELSE c.cause END,
  queued_at = CASE WHEN c.state IS NULL AND f.opinion <> 'helpful' THEN now() ELSE c.queued_at END
FROM (
  SELECT run_id, CASE WHEN bool_and(helpful) THEN 'helpful' WHEN bool_or(helpful) THEN 'mixed'
    WHEN count(helpful) > 0 THEN 'unhelpful' END AS opinion
  FROM unnest(CAST(:runs AS text[])) AS given(run_id) LEFT JOIN feedback USING (run_id) GROUP BY run_id
) f WHERE c.run_id = f.run_id AND c.feedback IS DISTINCT FROM f.opinion
"""
# Again, if it was reviewed before the retraction was found, an earlier one among them. Who has it keeps it.
_OVERTAKEN = """
UPDATE cases SET cause = 'retracted', queued_at = now(),
  state = CASE WHEN state = 'assigned' THEN state ELSE 'open' END,
  assigned_to = CASE WHEN state = 'assigned' THEN assigned_to END
WHERE run_id IN (
  SELECT c.run_id FROM cited_standings s JOIN citations c USING (pmid) JOIN cases k USING (run_id)
  WHERE s.standing IN ('retracted', 'retraction_notice')
    AND (k.reviewed_at IS NULL OR k.reviewed_at < s.since)
    AND NOT (k.cause IS NOT DISTINCT FROM 'retracted' AND k.state IN ('open', 'assigned'))
) RETURNING run_id
"""
_UNREAD = f"""
SELECT c.run_id, r.question, r.answer #>> '{{answer,text}}' AS answer
FROM cases c JOIN runs r USING (run_id) WHERE c.masked IS NULL ORDER BY c.run_id LIMIT {_BATCH}
"""
_READ = "UPDATE cases SET masked = :masked WHERE run_id = :run AND masked IS NULL"


class Origin(NamedTuple):
    """The question of a chat that an answer is to."""

    question: int
    workspace: int
    conversation: int
    person: int


async def add_case(
    connection: AsyncConnection, run_id: str, masked: str | None, origin: Origin | None = None
) -> None:
    """The case of a run just stored, whose question is locked; a red flag is in the queue at once."""
    of_chat = origin._asdict() if origin else dict.fromkeys(Origin._fields)
    fields = {"run": run_id, "masked": clean_text(masked)[:LONGEST] if masked else None}
    await connection.execute(text(_ADD), fields | of_chat)


async def note_opinions(connection: AsyncConnection, runs: Sequence[str]) -> None:
    """What people think of these answers by now; what did not help goes into the queue."""
    if runs:
        await connection.execute(text(_OPINIONS), {"runs": list(runs)})


async def queue_overtaken(connection: AsyncConnection) -> list[str]:
    """Answers that cite what was found retracted since go into the queue; their ids."""
    return list((await connection.execute(text(_OVERTAKEN))).scalars())


async def read_masked(connection: AsyncConnection, mask: Callable[[str, str], str]) -> bool:
    """Make a batch of older cases searchable; `mask(question, answer)`. Whether there may be more."""
    rows = (await connection.execute(text(_UNREAD))).all()
    if rows:
        found = [
            {"run": row.run_id, "masked": mask(row.question, row.answer or "")[:LONGEST]} for row in rows
        ]
        await connection.execute(text(_READ), found)
    return len(rows) == _BATCH
