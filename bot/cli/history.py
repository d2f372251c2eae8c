"""`carecite history`: what was asked and answered, from the terminal of whoever runs the database."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.filtering import Where, Words, read_filters
from bot.cli.running import examples, print_json, run, say
from config import load_settings

if TYPE_CHECKING:
    from storage.history.chat import Erased
    from storage.history.review import Dossier, Filters, Page, Verification

app = typer.Typer(
    no_args_is_help=True,
    help="Look through questions and answers; every look is written into the audit, as done by the operator.",
)
_Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
_Run = Annotated[str, typer.Argument(metavar="RUN", help="The id of an answer, as `history list` prints it.")]


class Extent(StrEnum):
    answer = "answer"
    conversation = "conversation"
    person = "person"


class Format(StrEnum):
    jsonl = "jsonl"
    csv = "csv"


@app.command(
    "list",
    epilog=examples(
        "carecite history list",
        'carecite history list "chest pain" -w language=en -w since=2026-11-01',
        "carecite history list -w flagged=yes -w waiting=yes --oldest-first",
        "carecite history list -w verdict=unsafe --json",
    ),
)
def list_(
    words: Words = None,
    where: Where = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Answers on a page.")] = 20,
    after: Annotated[str | None, typer.Option(help="Go on behind the page that printed this.")] = None,
    oldest_first: Annotated[bool, typer.Option("--oldest-first", help="In the order of the queue.")] = False,
    as_json: _Json = False,
) -> None:
    """List answers, the newest first; people are pseudonyms, and personal details are masked."""
    filters = read_filters(where, words)
    page = run(_find(filters, after, limit, oldest_first))
    if as_json:
        for case in page.cases:
            print_json(json.dumps(asdict(case), default=str, ensure_ascii=False))
    else:
        from bot.render.history import print_cases

        print_cases(page.cases)
    if page.after:
        say(f"There is more: --after {page.after}")


@app.command(
    epilog=examples(
        "carecite history show RUN",
        "carecite history show RUN --trace --json",
        "carecite history show RUN --replay",
    ),
)
def show(
    run_id: _Run,
    trace: Annotated[bool, typer.Option("--trace", help="With every step of the answer.")] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--replay", help="Ask it again on the replies of then; say what came out otherwise, and why."
        ),
    ] = False,
    as_json: _Json = False,
) -> None:
    """Show an answer: its conversation, its evidence then and now, what people think of it, its reviews."""
    dossier = run(_read(run_id))
    if again:
        _replay(dossier, as_json=as_json)
        return
    if as_json:
        shown = asdict(dossier)
        print_json(json.dumps(shown if trace else shown | {"trace": None}, default=str, ensure_ascii=False))
        return
    from bot.render.history import print_dossier

    print_dossier(dossier, trace=trace)


def _replay(dossier: Dossier, *, as_json: bool) -> None:
    from bot.render.history import print_replay
    from bot.replaying import replay

    found = run(replay(load_settings(), dossier, say))
    if as_json:
        told = {"identical": found.identical, "differs": found.differs, "causes": found.causes}
        answers = {name: getattr(found, name).model_dump(mode="json") for name in ("before", "after")}
        print_json(json.dumps(told | answers, ensure_ascii=False))
    else:
        print_replay(found)


@app.command(
    epilog=examples(
        'carecite history export answers.jsonl --purpose "quarterly quality round"',
        'carecite history export unsafe.csv -w verdict=unsafe --purpose "case conference"',
        'carecite history export - --format jsonl --purpose "regression cases" | head -n 1',
    )
)
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write; - is standard output.")],
    words: Words = None,
    where: Where = None,
    purpose: Annotated[
        str, typer.Option(prompt="What for? The audit keeps it", help="What it is for; the audit keeps it.")
    ] = "",
    format_: Annotated[
        Format | None, typer.Option("--format", help="jsonl or csv; else told by the name of the file.")
    ] = None,
) -> None:
    """Write answers with evidence and reviews into a file, not masked; people are pseudonyms.

    The file is yours to keep safe and to delete: an erasure says in how many exports an answer is.
    """
    kind = format_ or next((each for each in Format if file.suffix.lower() == f".{each}"), None)
    if kind is None:
        raise typer.BadParameter("Give --format, or name the file .jsonl or .csv.", param_hint="FILE")
    filters = read_filters(where, words)
    count = run(_export(file, filters, purpose, kind))
    say(f"{count:,} answers were exported.")


@app.command(
    epilog=examples("carecite history erase RUN", "carecite history erase RUN --extent person --yes")
)
def erase(
    run_id: _Run,
    extent: Annotated[
        Extent, typer.Option(help="The answer alone, its whole conversation, or everything of who asked.")
    ] = Extent.answer,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase for good: words, evidence, traces, reviews, notes. Only a count of what went is left."""
    if not yes:
        typer.confirm(f"Erase this {extent.value}? It cannot be brought back", abort=True, err=True)
    erased = run(_erase(run_id, extent))
    typer.echo(f"Erased: {erased.tombstones} messages, {erased.runs} answers, {erased.people} people.")
    if erased.posts:
        say(f"{len(erased.posts)} messages of ours are still shown on the platform.")
    if erased.exports:
        say(f"It is in {erased.exports} exports; see `export` in the audit for who has them.")


@app.command(epilog=examples("carecite history verify", "carecite history verify --head 120:9f2b… --json"))
def verify(
    head: Annotated[
        str | None, typer.Option(help="The head that an earlier run printed; it must still be there.")
    ] = None,
    as_json: _Json = False,
) -> None:
    """Check that the audit is as it was written. Note the head it prints elsewhere, and give it next time."""
    from storage.errors import AuditBroken

    found = run(_verify(head))
    if as_json:
        print_json(json.dumps(asdict(found) | {"intact": found.intact}))
    elif found.intact:
        typer.echo(f"The audit is as it was written: {found.rows:,} rows, head {found.head}")
    if not found.intact:
        raise AuditBroken(f"The first row that is not is {found.broken:,}.")


async def _find(filters: Filters, after: str | None, limit: int, oldest_first: bool) -> Page:
    from bot.reviewing import open_review_room
    from storage.history.review import OPERATOR

    async with open_review_room(load_settings(), say) as room:
        return await room.listing.find(OPERATOR, filters, after=after, limit=limit, oldest_first=oldest_first)


async def _read(run_id: str) -> Dossier:
    from bot.reviewing import open_review_room
    from storage.history.review import OPERATOR

    async with open_review_room(load_settings(), say) as room:
        return await room.reading.read(OPERATOR, run_id)


async def _export(file: Path, filters: Filters, purpose: str, kind: Format) -> int:
    from bot.render.exports import WRITERS
    from bot.reviewing import open_review_room
    from storage.history.review import OPERATOR
    from storage.history.review.audit import checked_reason

    checked_reason(purpose)
    async with open_review_room(load_settings(), say) as room:
        with _open(file) as stream:
            write, count = WRITERS[kind.value](stream), 0
            async for row in room.exports.stream(OPERATOR, filters, purpose, kind.value):
                write(row)
                count += 1
    return count


def _open(file: Path) -> Any:
    """For its owner alone, and never over something else. Raises BadParameter."""
    if str(file) == "-":
        return nullcontext(sys.stdout)
    try:
        return _create(file)
    except OSError as error:
        raise typer.BadParameter(
            f"It cannot be written ({type(error).__name__}).", param_hint="FILE"
        ) from None


def _create(file: Path) -> IO[str]:
    import os

    return open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", newline="")


async def _erase(run_id: str, extent: Extent) -> Erased:
    from bot.reviewing import open_review_room
    from storage.history.review import OPERATOR

    async with open_review_room(load_settings(), say) as room:
        return await room.erasing.erase(OPERATOR, run_id, extent.value)


async def _verify(head: str | None) -> Verification:
    from bot.reviewing import open_review_room
    from storage.history.review import OPERATOR

    async with open_review_room(load_settings(), say) as room:
        return await room.audit.verify(OPERATOR, head)
