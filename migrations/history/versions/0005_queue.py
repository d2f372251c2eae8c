"""The tables of the job queue (procrastinate), as its own migrations make them.

They ship with the package and are only ever added to; a newer package's are a revision of ours of their own.
"""

from pathlib import Path

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_LAST = "03.04.00_50_post_add_retry_failed_job_procedure.sql"
_DROP = """
DO $$
DECLARE thing record;
BEGIN
  DROP TABLE IF EXISTS procrastinate_events, procrastinate_periodic_defers, procrastinate_jobs,
    procrastinate_workers CASCADE;
  FOR thing IN SELECT oid::regprocedure AS name FROM pg_proc
    WHERE proname LIKE 'procrastinate\\_%' AND pronamespace = current_schema()::regnamespace
  LOOP EXECUTE format('DROP ROUTINE %s CASCADE', thing.name); END LOOP;
  FOR thing IN SELECT oid::regtype AS name FROM pg_type
    WHERE typname LIKE 'procrastinate\\_%' AND typnamespace = current_schema()::regnamespace
      AND typtype IN ('e', 'c')
  LOOP EXECUTE format('DROP TYPE %s CASCADE', thing.name); END LOOP;
END $$
"""


def upgrade() -> None:
    _run(*(path.read_text("utf-8") for path in _scripts()))


def downgrade() -> None:
    _run(_DROP)


def _scripts() -> list[Path]:
    paths = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    return [path for path in paths if path.name <= _LAST]


def _run(*scripts: str) -> None:
    connection = op.get_bind().execution_options(no_parameters=True)  # a % in them is one
    for script in scripts:
        connection.exec_driver_sql(script)
