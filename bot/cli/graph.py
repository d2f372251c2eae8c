"""`carecite graph`: import knowledge graphs, and look at what they say."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from bot.cli.running import errors, examples, print_json, run, say
from config import load_settings
from storage.text import clean_text

if TYPE_CHECKING:
    from bot.importing import Import
    from bot.render.graphs import Looked
    from storage.corpus.graph import GraphLabel

app = typer.Typer(no_args_is_help=True, help="Import knowledge graphs, and look at what they say.")
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
_Graph = Annotated[str | None, typer.Option("--graph", help="Only this graph.")]
_HPO = "hpo"


@app.command(
    "import", epilog=examples("carecite graph import triples.tsv", "carecite graph import --format hpo")
)
def import_(
    path: Annotated[
        Path | None, typer.Argument(help="File or folder; may be left out for hpo, which a package carries.")
    ] = None,
    format_name: Annotated[
        str | None,
        typer.Option("--format", help="tsv, hetionet, primekg, hpo or obo; else told by the name."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What the graph is called; else told by the file.")] = None,
    language: Annotated[str, typer.Option(help="Of the names, for example en or zh.")] = "en",
    source: Annotated[str, typer.Option(help="Who states facts that name no source.")] = "",
    licence: Annotated[str, typer.Option(help="Under which the graph may be used.")] = "",
    embeddings: Annotated[
        bool | None,
        typer.Option(
            "--embeddings/--no-embeddings",
            help="Embed the names for soft matching; by default only English ones.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and check only; write nothing.")] = False,
    as_json: _Json = False,
) -> None:
    """Load a graph: triples (.tsv, also .gz), Hetionet's JSON, PrimeKG's kg.csv, the Human Phenotype Ontology
    with its annotations, or OBO.

    Loading again is safe: a graph of the same content is left as it is, another one of its name is replaced.
    """
    from bot.graphs import STARTER
    from reasoning.retrieval.graphs import FORMATS, guess_format, name_of
    from storage.corpus.graph import GraphLabel

    if format_name is not None and format_name not in FORMATS:
        raise typer.BadParameter(f"Choose one of {', '.join(FORMATS)}.", param_hint="--format")
    place = _place(path, format_name)
    chosen = format_name or guess_format(place)
    label = GraphLabel(clean_text(name or name_of(place, chosen)), language, source, licence)
    if label.name == STARTER.name:
        raise typer.BadParameter("The shipped graph is called so; choose another name.", param_hint="--name")
    wanted = language == "en" if embeddings is None else embeddings
    done = run(_import(place, chosen, label, dry_run=dry_run, embeddings=wanted))
    report = _report(done, dry_run=dry_run)
    print_json(json.dumps(report, ensure_ascii=False)) if as_json else _print_report(done, dry_run=dry_run)
    if not done.record.entities:
        raise typer.Exit(2)


def _place(path: Path | None, format_name: str | None) -> Path:
    if path is None:
        if format_name != _HPO:
            raise typer.BadParameter("Name a file.", param_hint="PATH")
        from reasoning.retrieval.graphs.ontologies import hpo_folder

        return hpo_folder()
    if not (path.is_file() or (path.is_dir() and format_name in (None, _HPO))):
        raise typer.BadParameter(clean_text(f"There is no file {path}."), param_hint="PATH")
    return path


async def _import(
    path: Path, format_name: str, label: GraphLabel, *, dry_run: bool, embeddings: bool
) -> Import:
    from bot.importing import import_graph

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*columns, TimeElapsedColumn(), console=errors) as bars:
        tasks: dict[str, Any] = {}

        def progress(step: str, done: int, of: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=of)
            bars.update(tasks[step], completed=done, total=of)

        return await import_graph(
            load_settings(), path, format_name, label, progress, dry_run=dry_run, embeddings=embeddings
        )


def _report(done: Import, *, dry_run: bool) -> dict[str, Any]:
    draft, record = done.draft, done.record
    return {
        "graph": record.label.name,
        "version": record.version,
        "dry_run": dry_run,
        "stored": done.stored,
        "entities": len(record.entities),
        "facts": len(record.facts),
        "inverses": draft.inverses,
        "embedded": done.embedded,
        "refused": dict(draft.refused.most_common()),
        "examples": [{"where": item.where, "reason": item.reason} for item in draft.examples],
    }


def _print_report(done: Import, *, dry_run: bool) -> None:
    draft, record = done.draft, done.record
    did = (
        "checked, nothing written" if dry_run else "stored" if done.stored else "here already, nothing to do"
    )
    lines = [
        f"{record.label.name}: {did}. {len(record.entities):,} entities, {len(record.facts):,} facts "
        f"({draft.inverses:,} of them listed from both ends), {done.embedded:,} names embedded.",
        *(f"  left out, {count:,}: {reason}" for reason, count in draft.refused.most_common()),
        *(f"    {item.where}: {item.reason}" for item in draft.examples[:5]),
    ]
    typer.echo(clean_text("\n".join(lines)))


@app.command(epilog=examples('carecite graph show "heart failure"'))
def show(
    entity: Annotated[str, typer.Argument(help="Its name, or another name of it.")],
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Facts of each relation.")] = 10,
    graph: _Graph = None,
    as_json: _Json = False,
) -> None:
    """Show what the graphs say about an entity, by relation, with who states it."""
    _print(run(_look([entity], graph, limit, 0)), as_json)


@app.command(epilog=examples('carecite graph path fever "blood count"'))
def path(
    start: Annotated[str, typer.Argument(help="The one entity.")],
    end: Annotated[str, typer.Argument(help="The other entity.")],
    hops: Annotated[int, typer.Option(min=1, max=4, help="Facts a path may have.")] = 4,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many paths.")] = 5,
    graph: _Graph = None,
    as_json: _Json = False,
) -> None:
    """Show how two entities hang together: the shortest paths between them, in words, best first."""
    _print(run(_look([start, end], graph, limit, hops)), as_json)


async def _look(names: list[str], graph: str | None, limit: int, hops: int) -> Looked:
    from bot.app import open_stores, prepare_databases
    from bot.graphs import load_starter_facts
    from bot.render.graphs import look
    from storage.encoders import MINILM

    urls = await asyncio.to_thread(prepare_databases, load_settings(), say, ("corpus",))
    async with open_stores(urls, MINILM) as stores:  # no vector is looked at
        await load_starter_facts(stores, say)
        seen = stores.graph.restricted([graph]) if graph else stores.graph
        return await look(seen, [clean_text(name) for name in names], limit, hops)


def _print(looked: Looked, as_json: bool) -> None:
    from rich.console import Console

    from bot.render.graphs import as_json as to_json
    from bot.render.graphs import render

    if as_json:
        print_json(json.dumps(to_json(looked), ensure_ascii=False))
    else:
        console = Console(highlight=False, emoji=False, markup=False, soft_wrap=True)
        for part in render(looked):
            console.print(part)
