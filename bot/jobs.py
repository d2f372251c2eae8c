"""What workers do, as jobs of the queue in the history database (procrastinate, chat.md 4).

answer     each question of the chats
standing   once a night: what was last checked longer ago than CARECITE_EUTILS_RECORD_DAYS, weekly for each;
           answers whose evidence was retracted go into the queue of the reviewers
tidy       once a night: questions and answers older than they are kept go, and jobs that failed days ago;
           answers of before there was a search are made searchable

The queue sees to it that a periodic job is put in once, however many workers there are. Arguments of jobs are
ids and times, never anybody's words.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from procrastinate import App, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import ConnectorException

from bot.app import Say, open_history, open_workshop, quiet
from bot.keeping import mask_for_search
from bot.standing import refresh_standing
from config import Settings
from config.errors import CareciteError
from storage.errors import StorageError
from storage.history.chat import QUEUE, TASK, Chat

if TYPE_CHECKING:
    from bot.worker import Answering

_log = logging.getLogger(__name__)
NIGHTLY = "17 3 * * *"  # UTC; NCBI wants large jobs between 21:00 and 5:00 US Eastern time (methods.md 5.1)
SLEPT_THROUGH = 24 * 3600  # seconds: a worker that starts later than the hour makes up for it
MISSED = 3  # signs of life, after which a worker is dead
RETRIES = RetryStrategy(max_attempts=20, wait=2)  # of a question; bot.worker ends it earlier, with an apology
STRANDED = timedelta(minutes=2)  # without a job: one whose last try failed, or that fell to an accident
KEPT_HOURS = 72  # of a job that did not succeed
ENDING = 60.0  # seconds that running jobs get at the end; each batch of a check is kept

# The queue of these jobs, apart from questions. None has a `queueing_lock`: a dead worker's job could not
# come back beside one that waits already, and would hold its `lock` for ever.
UPKEEP = "upkeep"


class StandingUnread(CareciteError):
    """PubMed could not be asked for the standing of all records."""

    retryable = True
    remedy = "It is tried again by itself; `carecite doctor` asks PubMed whether it can be reached."


def build_queue(url: str, settings: Settings, say: Say = quiet, *, answering: Answering | None = None) -> App:
    """The queue with its jobs on the history database at `url`; open it before use. Questions are answered
    where `answering` is given.
    """
    queue = App(
        connector=PsycopgConnector(conninfo=url, min_size=1, max_size=4),
        worker_defaults={
            "queues": [UPKEEP, QUEUE] if answering else [UPKEEP],
            "concurrency": settings.worker.concurrency,
            "update_heartbeat_interval": settings.worker.heartbeat,
            "stalled_worker_timeout": MISSED * settings.worker.heartbeat,
            "shutdown_graceful_timeout": ENDING,
            "delete_jobs": "successful",
            "install_signal_handlers": False,
        },
        periodic_defaults={"max_delay": SLEPT_THROUGH},
    )

    @queue.periodic(cron=NIGHTLY)
    @queue.task(
        name="standing", queue=UPKEEP, lock="standing", retry=RetryStrategy(max_attempts=6, wait=3600)
    )
    async def standing(timestamp: int) -> None:
        await _read_standings(settings, say)

    @queue.periodic(cron=NIGHTLY)
    @queue.task(name="tidy", queue=UPKEEP)
    async def tidy(timestamp: int) -> None:
        async with open_history(settings) as history:
            while (forgotten := await history.forget_old()).more:
                pass
            if forgotten.held:
                _log.info("%d old messages are kept by a legal hold", forgotten.held)
            while await history.make_searchable(mask_for_search):
                pass
        await queue.job_manager.delete_old_jobs(
            KEPT_HOURS, include_failed=True, include_cancelled=True, include_aborted=True
        )

    if answering:

        @queue.task(name=TASK, queue=QUEUE, retry=RETRIES)
        async def answer(question: int) -> None:
            await answering.answer(question)

    return queue


async def keep_rescuing(queue: App, chat: Chat, heartbeat: float) -> None:
    """Until it is cancelled: jobs of dead workers go back into the queue, questions without a job get one."""
    while True:
        try:
            await rescue_jobs(queue, MISSED * heartbeat)
            await chat.inbox.requeue_stranded(STRANDED)
        except (ConnectorException, StorageError) as error:
            _log.warning("nobody was rescued (%s)", type(error).__name__)
        await asyncio.sleep(heartbeat)


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
        queued = await history.queue_overtaken()
    report = reports[-1]  # one object, which grew
    say(f"standing: {report.checked} checked, {len(report.changes)} changed, {report.left} left")
    if queued:
        say(f"{len(queued)} answers rest on what was retracted since; they are in the queue for review")
    if report.reason is not None:
        raise StandingUnread(f"{report.left} are left ({report.reason}).")
