"""`carecite serve`: the chat surfaces with their worker, in one process."""

from __future__ import annotations

import typer

from bot.cli.running import examples, run, say
from config import load_settings


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite serve"))(serve)


def serve() -> None:
    """Answer in the chats that are configured, until it is told to end (Ctrl-C or SIGTERM).

    Whoever is in danger gets a fixed reply at once. A question is kept before the platform is told that it
    was received, and answered once, whatever is killed meanwhile. `carecite worker` adds more workers. With
    CARECITE_REVIEW_PORT set, the review is served, too.
    """
    from bot.logs import set_up_logs
    from bot.serving import serve as serve_all

    settings = load_settings()
    set_up_logs(settings)
    run(serve_all(settings, say))
