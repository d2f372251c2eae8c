"""`carecite db`: schemas and indexes."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.cli.running import examples, run, say
from config import load_settings

app = typer.Typer(no_args_is_help=True, help="Bring the databases up to date, or look at their state.")


@app.command(epilog=examples("carecite db upgrade"))
def upgrade() -> None:
    """Create or upgrade both databases, and rebuild indexes whose build was interrupted."""
    from bot.app import prepare_databases
    from storage.schema import repair_indexes

    urls = prepare_databases(load_settings(), say)
    for name in ("corpus", "history"):
        for index in repair_indexes(getattr(urls, name)):
            typer.echo(f"rebuilt {index}")
    typer.echo("Both databases are up to date.")


@app.command(epilog=examples("carecite db status"))
def status() -> None:
    """Show revision, contents, and indexes that need a rebuild."""
    from storage.database import newest_revision, open_urls, stored_revision
    from storage.schema import broken_indexes

    urls = open_urls(load_settings())
    behind, lines = False, []
    for name in ("corpus", "history"):
        url = getattr(urls, name)
        revision = stored_revision(url, name)
        behind = behind or revision != newest_revision(name)
        broken = broken_indexes(url)
        words = f"; broken: {', '.join(broken)}" if broken else ""
        lines.append(f"{name}: revision {revision or 'none'} of {newest_revision(name)}{words}")
    lines += ["Run `carecite db upgrade`."] if behind else run(_contents())
    typer.echo("\n".join(lines))


async def _contents() -> list[str]:
    from bot.app import describe_corpus

    return await describe_corpus(load_settings())


@app.command("add-encoder", epilog=examples("carecite db add-encoder medcpt"))
def add_encoder(
    name: Annotated[str, typer.Argument(help="minilm or medcpt; its weights must be at hand.")],
) -> None:
    """Embed the whole corpus for another encoder, beside the one in use; then set CARECITE_ENCODER to it.

    Searches go on with the old vectors meanwhile. An interrupted run goes on where it stopped.
    """
    from bot.encoding import embed_for

    count = run(embed_for(load_settings(), name, say))
    typer.echo(f"{count} passages embedded. Set CARECITE_ENCODER={name} to search with it.")
