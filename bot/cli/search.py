"""`carecite search`: retrieval only."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.running import examples, print_json, read_question, run, say
from config import load_settings

if TYPE_CHECKING:
    from reasoning.evidence import Evidence, Retrieved
    from storage.corpus import Filters


def register(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            'carecite search "radiation side effects" --type Review --since 2015',
            'carecite search --json --limit 3 "warning signs of a stroke"',
        )
    )(search)


def search(
    question: Annotated[str, typer.Argument(help="What to look for; - reads it from standard input.")],
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many passages.")] = 10,
    since: Annotated[
        int | None, typer.Option(min=1, max=9999, help="Published in this year or later.")
    ] = None,
    until: Annotated[
        int | None, typer.Option(min=1, max=9999, help="Published in this year or earlier.")
    ] = None,
    publication_type: Annotated[
        list[str] | None, typer.Option("--type", help="Publication type, as PubMed names it; repeatable.")
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option(help="Language of the text, for example en; repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show the passages an answer would be drawn from, with ranks, scores and sources of both streams."""
    from storage.corpus import Filters
    from storage.text import clean_text

    if since and until and since > until:
        raise typer.BadParameter("The first year is later than the last one.", param_hint="--since")
    asked = read_question(question)
    filters = Filters(
        year_from=since,
        year_to=until,
        languages=tuple(clean_text(name).lower() for name in language or ()),
        publication_types=tuple(clean_text(name) for name in publication_type or ()),
    )
    found = run(_search(asked, limit, filters))
    if as_json:
        report = {
            "question": asked,
            "passages": [_row(item) for item in found.evidence],
            "degraded": [remark.model_dump() for remark in found.degraded],
        }
        print_json(json.dumps(report, ensure_ascii=False))
    else:
        from bot.render.terminal import print_passages

        print_passages(found)
    for remark in found.degraded:
        say(f"{remark.code}: {remark.detail}. Run `carecite doctor`.")
    if any(remark.code == "search_failed" for remark in found.degraded):
        raise typer.Exit(3)


async def _search(question: str, limit: int, filters: Filters) -> Retrieved:
    from bot.app import open_retrieval, open_workshop
    from reasoning.evidence import Question
    from reasoning.trace import Trace

    async with open_workshop(load_settings(), say) as workshop, open_retrieval(workshop) as retrieval:
        return await retrieval.retrieve(Question(question, filters=filters), limit, Trace())


def _row(item: Evidence) -> dict[str, Any]:
    article = item.source.article
    return {
        "id": item.eid,
        "score": round(item.score, 6),
        "streams": {
            name: {"rank": rank, "score": round(score, 4)} for name, (rank, score) in item.streams.items()
        },
        "title": article.title,
        "section": item.source.passage.section,
        "pmid": article.pmid,
        "year": article.year,
        "publication_types": [kind.name for kind in article.publication_types],
        "standing": article.standing.value,
        "url": article.url,
        "text": item.text,
        "before": item.before,
        "after": item.after,
    }
