"""`carecite eval retrieval`: whether the right documents are found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.evaluating import choose_arms, open_progress, patient_limits, report_of, tell
from bot.cli.running import examples, run, say
from config import load_settings

if TYPE_CHECKING:
    from reasoning.evaluation.questions import GoldQuestion
    from reasoning.evaluation.retrieval import Item
    from storage.corpus import Corpus

_ARMS = "bm25,dense,rrf,carecite,esearch_raw,adapt_e,hybrid"
_SHOWN = ("hit@10", "hit@3", "hit@1", "mrr", "zero_hit", "absent", "no_concept", "calls", "calls_most")
_ABOUT = {
    "corpus": "Searches run on the measuring corpus.",
    "pubmed": "Searches go to the server of CARECITE_EUTILS_BASE_URL.",
}


def register(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "carecite eval retrieval --data ../shared/data --out out/retrieval",
            "carecite eval retrieval --sets narratives,multilingual --arms adapt_e,hybrid",
        )
    )(retrieval)


def retrieval(
    data: Annotated[Path, typer.Option(help="Folder that holds retrieval/ and patient/.")] = Path(
        "../shared/data"
    ),
    arms: Annotated[str, typer.Option(help="Which arms, by comma.")] = _ARMS,
    sets: Annotated[
        str | None,
        typer.Option(
            help="Which sets, by comma: pubmedqa, bioasq, narratives, multilingual, healthsearchqa, meqsum, "
            "liveqa_med, medicationqa, kqa; all that the folder has, if not given."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first questions of each set.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for JSON lines and a plot; a run goes on from it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Hit@k and MRR of finding documents, searches that find nothing, and how many searches it takes.

    bm25 and dense are the streams of the corpus, rrf and carecite two fusions of them, esearch_raw is the
    question as typed, adapt_e its concepts from strict to loose, hybrid what an answer is drawn from. The
    last three search the measuring corpus; where CARECITE_EUTILS_BASE_URL names another server than NCBI's,
    they search that one as PubMed. NCBI itself is never asked. A configured model makes the concepts.

    Patients' questions have no known answers: there only searches are measured. The documents are loaded once
    into a database of their own; the first run embeds them all, which takes a good half hour on two cores.
    """
    from bot.render.plots import plot_measures
    from bot.render.tables import print_measures
    from reasoning.evaluation.questions import SETS, present_sets
    from reasoning.evaluation.retrieval_arms import ARMS
    from reasoning.evaluation.retrieval_report import summarise, tell_counts

    chosen = choose_arms(arms, ARMS)
    names = choose_arms(sets, list(SETS), "--sets") if sets else present_sets(data)
    if out:
        out.mkdir(parents=True, exist_ok=True)
    settings = load_settings()
    items, door, model = run(_measure(data, chosen, names, limit, out))
    report = report_of("retrieval", settings, summarise(items), model=model) | {"door": door}

    def show() -> None:
        print_measures(report, _SHOWN)
        for line in tell_counts(items):
            typer.echo(line)

    tell(report, show, lambda path: plot_measures(report, path), as_json=as_json, out=out)


async def _measure(
    data: Path, arms: list[str], sets: list[str], limit: int | None, out: Path | None
) -> tuple[list[Item], str, str | None]:
    """The items, the door that was searched, and the model that took part."""
    from bot.app import open_model, open_retrieval
    from bot.measuring import open_measuring_corpus, open_measuring_doors
    from reasoning.evaluation.questions import read_questions
    from reasoning.evaluation.retrieval import measure
    from reasoning.evaluation.retrieval_arms import Bench

    questions = read_questions(data, limit, sets)
    settings = load_settings()
    limits = patient_limits(settings)
    with open_progress() as progress:
        async with (
            open_measuring_corpus(settings, data, progress, say) as workshop,
            open_retrieval(workshop) as searching,
            open_measuring_doors(settings, workshop.corpus) as doors,
            open_model(settings.llm) as llm,
        ):
            say(_ABOUT[doors.name])
            asked = await _answerable(questions, workshop.corpus)
            model = settings.llm.model if llm.available else None
            bench = Bench(searching, doors.doors, llm, limits, offline=doors.name == "corpus")
            bar = progress.add_task("questions", total=len(asked))
            items = await measure(
                bench.ask, asked, arms, doors.name, model, out, lambda: progress.advance(bar)
            )
    return items, doors.name, model


async def _answerable(questions: Sequence[GoldQuestion], corpus: Corpus) -> list[GoldQuestion]:
    """Questions that a document here answers, and those of sets where none is known to."""
    present = await corpus.existing({item for question in questions for item in question.gold})
    asked = [question for question in questions if not question.gold or question.gold & present]
    with_gold = [question for question in questions if question.gold]
    if with_gold:
        kept = sum(bool(question.gold & present) for question in with_gold)
        say(f"{kept} of {len(with_gold)} questions have a gold document in the corpus.")
    return asked
