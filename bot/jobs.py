"""What carecite does by itself, as jobs of the queue in the history database (procrastinate, chat.md 4).

standing   once a night: what was last checked longer ago than CARECITE_EUTILS_RECORD_DAYS, so weekly for each
rescue     once a minute: jobs of workers that died go back into the queue
tidy       once a night: questions and answers older than they are kept go, and jobs that failed days ago

The queue sees to it that a periodic job is put in once, however many workers there are. Arguments of jobs are
ids and times, never anybody's words.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from procrastinate import App, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import ConnectorException

from bot.app import Say, open_history, open_workshop, prepare_databases, quiet
from bot.standing import refresh_standing
from config import Settings
from config.errors import CareciteError

NIGHTLY = "17 3 * * *"  # UTC; NCBI wants large jobs between 21:00 and 5:00 US Eastern time (methods.md 5.1)
SLEPT_THROUGH = 24 * 3600  # seconds: a worker that starts later than the hour makes up for it
HEARTBEAT, DEAD_AFTER = 10.0, 30.0  # seconds; they belong together
KEPT_HOURS = 72  # of a job that did not succeed
ENDING = 60.0  # seconds that running jobs get at the end; each batch of a check is kept

# The queue of these jobs, apart from questions. None has a `queueing_lock`: a dead worker's job could not
# come back beside one that waits already, and would hold its `lock` for ever.
UPKEEP = "upkeep"


class StandingUnread(CareciteError):
    """PubMed could not be asked for the standing of all records."""

    retryable = True
    remedy = "It is tried again by itself; `carecite doctor` asks PubMed whether it can be reached."


def build_queue(url: str, settings: Settings, say: Say = quiet) -> App:
    """The queue with its jobs on the history database at `url`; open it before use."""
    queue = App(
        connector=PsycopgConnector(conninfo=url, min_size=1, max_size=4),
        worker_defaults={
            "update_heartbeat_interval": HEARTBEAT,
            "stalled_worker_timeout": DEAD_AFTER,
            "shutdown_graceful_timeout": ENDING,
            "delete_jobs": "successful",
        },
        periodic_defaults={"max_delay": SLEPT_THROUGH},
    )

    @queue.periodic(cron=NIGHTLY)
    @queue.task(
        name="standing", queue=UPKEEP, lock="standing", retry=RetryStrategy(max_attempts=6, wait=3600)
    )
    async def standing(timestamp: int) -> None:
        await _read_standings(settings, say)

    @queue.periodic(cron="* * * * *")
    @queue.task(name="rescue", queue=UPKEEP)
    async def rescue(timestamp: int) -> None:
        await rescue_jobs(queue, DEAD_AFTER)

    @queue.periodic(cron=NIGHTLY)
    @queue.task(name="tidy", queue=UPKEEP)
    async def tidy(timestamp: int) -> None:
        async with open_history(settings) as history:
            while await history.forget_old():
                pass
        await queue.job_manager.delete_old_jobs(
            KEPT_HOURS, include_failed=True, include_cancelled=True, include_aborted=True
        )

    return queue


async def rescue_jobs(queue: App, dead_after: float) -> None:
    """Put the jobs of workers without a heartbeat for so many seconds back into the queue."""
    for job in await queue.job_manager.get_stalled_jobs(seconds_since_heartbeat=dead_after):
        with contextlib.suppress(ConnectorException):  # another worker was quicker
            await queue.job_manager.retry_job(job)


async def _read_standings(settings: Settings, say: Say) -> None:
    """One check of all that is due. Raises StandingUnread where it ended early: the job is tried again."""
    older_than = timedelta(days=settings.eutils.record_days)
    async with open_workshop(settings) as workshop, open_history(settings) as history:
        reports = [report async for report in refresh_standing(workshop, history, settings, older_than)]
    report = reports[-1]  # one object, which grew
    say(f"standing: {report.checked} checked, {len(report.changes)} changed, {report.left} left")
    if report.reason is not None:
        raise StandingUnread(f"{report.left} are left ({report.reason}).")


@asynccontextmanager
async def open_queue(settings: Settings, say: Say = quiet) -> AsyncIterator[App]:
    """The queue of the configured history database, brought up to date. Raises StorageError."""
    urls = await asyncio.to_thread(prepare_databases, settings, say, ("history",))
    try:
        async with build_queue(urls.history, settings, say).open_async() as queue:
            yield queue
    finally:
        urls.release()
