"""`carecite worker`: the jobs of the queue."""

from __future__ import annotations

import typer

from bot.cli.running import examples, run, say
from config import load_settings


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite worker"))(worker)


def worker() -> None:
    """Do the jobs of the queue until it is told to end (Ctrl-C or SIGTERM); any number of workers may run.

    It answers the questions of the chats. Each night it asks PubMed whether cached and cited articles were
    retracted, doubted or corrected.
    """
    from bot.logs import set_up_logs
    from bot.serving import work

    settings = load_settings()
    set_up_logs(settings)
    run(work(settings, say))
