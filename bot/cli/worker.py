"""`carecite worker`: the jobs of the queue."""

from __future__ import annotations

import typer

from bot.cli.running import examples, run, say
from config import load_settings


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite worker"))(worker)


def worker() -> None:
    """Do the jobs of the queue until it is told to end (Ctrl-C or SIGTERM); any number of workers may run.

    Each night it asks PubMed whether cached and cited articles were retracted, doubted or corrected.
    """
    run(_work())


async def _work() -> None:
    from procrastinate.exceptions import ConnectorException

    from bot.jobs import open_queue
    from storage.errors import ServerUnavailable

    try:
        async with open_queue(load_settings(), say) as queue:
            say("The worker waits for jobs; Ctrl-C ends it.")
            await queue.run_worker_async()
    except ConnectorException:
        raise ServerUnavailable from None
