"""A history of many conversations, made by SQL alone: answers, people, feedback and reviews.

Each conversation has one question and one answer. Everything follows from the number of the row, so that it
is the same each time: some words are in every second answer, others in one of a thousand.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

from storage.history.review.audit import START, chain

RARE = "pheochromocytoma"  # in one answer of a thousand
COMMON = "pain"  # in every second one
WORKSPACES = 20

_WORDS = (
    *(
        "fever",
        "cough",
        "headache",
        "nausea",
        "insulin",
        "metformin",
        "ibuprofen",
        "pregnancy",
        "rash",
        "asthma",
    ),
    *("vaccine", "dose", "kidney", "liver", "children", "sleep", "pressure", "stroke", "cancer", "therapy"),
)
_FILL = f"""
INSERT INTO workspaces (platform, hash, sealed_id)
  SELECT CASE WHEN mod(n, 4) = 0 THEN 'telegram' ELSE 'slack' END, sha256(('w' || n)::bytea), 'x'
  FROM generate_series(1, {WORKSPACES}) n;
INSERT INTO people (workspace_id, hash, sealed_id, consent)
  SELECT 1 + mod(n, {WORKSPACES}), sha256(('p' || n)::bytea), 'x', 'given'
  FROM generate_series(1, %(people)s) n;
INSERT INTO lanes (workspace_id, platform, hash, shared)
  SELECT workspace_id, w.platform, sha256(('l' || p.id)::bytea), false
  FROM people p JOIN workspaces w ON w.id = p.workspace_id ORDER BY p.id;
INSERT INTO conversations (workspace_id, lane_id, hash, sealed_place, closed_at)
  SELECT workspace_id, p.id, sha256(('c' || n)::bytea), 'x', now()
  FROM generate_series(1, %(n)s) n JOIN people p ON p.id = 1 + mod(n, %(people)s) ORDER BY n;
INSERT INTO runs (run_id, person, question, language, triage, method, ran, abstained, answer, trace, asked_at)
  SELECT 'r' || n, 'person:' || 1 + mod(n, %(people)s), 'q' || n,
    (ARRAY['en', 'en', 'en', 'de', 'es', 'zh'])[1 + mod(n, 6)],
    CASE WHEN mod(n, 50) = 0 THEN 'urgent' WHEN mod(n, 200) = 1 THEN 'emergency' ELSE 'none' END, 'auto',
    (ARRAY['literature', 'literature', 'cometa', 'mirage', 'sema-rag'])[1 + mod(n, 5)], mod(n, 9) = 0,
    '{{"answer": {{"text": "", "sentences": []}}, "citations": [], "degraded": []}}', '[]',
    now() - mod(n * 7919, %(n)s) * (interval '180 days' / %(n)s)
  FROM generate_series(1, %(n)s) n;
INSERT INTO inbox (workspace_id, key_hash, message_hash, kind, state, person_id, conversation_id, text,
                   run_id, received_at, finished_at)
  SELECT c.workspace_id, sha256(('k' || n)::bytea), sha256(('m' || n)::bytea), 'question', 'answered',
    1 + mod(n, %(people)s), c.id, 'q' || n, r.run_id, r.asked_at - interval '9 seconds', r.asked_at
  FROM generate_series(1, %(n)s) n JOIN conversations c ON c.id = n JOIN runs r ON r.run_id = 'r' || n;
INSERT INTO cases (run_id, workspace_id, conversation_id, person_id, platform, asked_at, method, language,
                   triage, abstained, degraded, feedback, state, cause, verdict, queued_at, seconds, masked)
  SELECT r.run_id, i.workspace_id, i.conversation_id, i.person_id, w.platform, r.asked_at, r.ran, r.language,
    r.triage, r.abstained, mod(n, 33) = 0,
    CASE mod(n, 20) WHEN 3 THEN 'unhelpful' WHEN 5 THEN 'helpful' WHEN 6 THEN 'helpful' END,
    CASE WHEN mod(n, 100) = 0 THEN 'open' WHEN mod(n, 40) = 3 THEN 'submitted' END,
    CASE WHEN mod(n, 100) = 0 THEN 'red_flag' WHEN mod(n, 40) = 3 THEN 'feedback' END,
    CASE WHEN mod(n, 40) = 3 THEN
      (ARRAY['correct', 'correct', 'incomplete', 'unsupported', 'unsafe'])[1 + mod(n / 40, 5)] END,
    CASE WHEN mod(n, 100) = 0 OR mod(n, 40) = 3 THEN r.asked_at END, 1 + mod(n, 17),
    concat_ws(' ', CASE WHEN mod(n, 2) = 0 THEN '{COMMON}' END, CASE WHEN mod(n, 1000) = 7 THEN '{RARE}' END,
      CASE WHEN mod(n, 6) = 5 THEN '腹痛怎么办' END, words[1 + mod(n, 20)], words[1 + mod(n / 20, 20)],
      repeat(words[1 + mod(n / 7, 20)] || ' ', 30))
  FROM generate_series(1, %(n)s) n JOIN runs r ON r.run_id = 'r' || n JOIN inbox i ON i.run_id = r.run_id
  JOIN workspaces w ON w.id = i.workspace_id, (SELECT %(words)s::text[] AS words) list;
INSERT INTO feedback (run_id, person_id, helpful)
  SELECT run_id, person_id, feedback = 'helpful' FROM cases WHERE feedback IS NOT NULL;
INSERT INTO citations (run_id, n, doc_id, pmid, title, quote, standing)
  SELECT 'r' || n, k, 'd' || n, 1 + mod(n, 5000), 'title', 'quote', 'ok'
  FROM generate_series(1, %(n)s) n, generate_series(1, 2) k;
INSERT INTO staff (name) SELECT 'reviewer ' || n FROM generate_series(1, 10) n;
INSERT INTO reviews (run_id, account_id, draft, verdict)
  SELECT run_id, 1 + mod(conversation_id, 10), false, verdict FROM cases WHERE verdict IS NOT NULL;
INSERT INTO reviews (run_id, account_id, draft, verdict)
  SELECT run_id, 1 + mod(conversation_id + 1, 10), false,
    CASE WHEN mod(conversation_id / 120, 4) > 0 THEN 'correct' ELSE verdict END
  FROM cases WHERE verdict IS NOT NULL AND mod(conversation_id, 3) = 0;
UPDATE cases SET state = 'assigned', assigned_to = 1 + mod(conversation_id, 10)
  WHERE state = 'open' AND mod(conversation_id, 200) = 0;
ANALYZE
"""


def fill_history(url: str, conversations: int) -> None:
    """So many of them into an empty history; five to a person."""
    fields = {"n": conversations, "people": conversations // 5, "words": list(_WORDS)}
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in _FILL.split(";"):
            connection.execute(statement, fields if "%(" in statement else None)


def fill_audit(url: str, rows: int) -> None:
    """So many rows more at the end of the audit, truly chained."""
    with psycopg.connect(url) as connection:
        last = connection.execute("SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1").fetchone()
        number, head = last or (0, START)
        with connection.cursor().copy("COPY audit FROM STDIN") as copy:
            for added in range(number + 1, number + 1 + rows):
                row = _entry(added)
                head = chain(head, row)
                copy.write_row([*row.values(), head])


def _entry(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "at": datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number),
        "actor": f"account:{number % 10}",
        "role": "reviewer",
        "action": "view",
        "subject_kind": "answer",
        "subject_id": f"r{number}",
        "workspace_id": 1,
        "request_id": f"request-{number}",
        "refused": False,
        "reason_hash": None,
    }
