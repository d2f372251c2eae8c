"""`carecite eval exam`: multiple-choice questions by a method and its peers, with and without retrieval."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from bot.cli.evaluating import choose_arms, open_progress, patient_limits, report_of, tell
from bot.cli.running import examples, run, say
from config import load_settings

if TYPE_CHECKING:
    from reasoning.methods.sema_rag import Preset

_ARMS = "question_only,cot,single_rag,fixed3,sema_rag,sema_rag-I,sema_rag-E,sema_rag-A,cometa,mirage"
_SHOWN = ("forced_accuracy", "accuracy", "answered", "calls", "retrievals", "tokens", "seconds")
_MANY = 4  # arms, above which differences are shown from one arm only
_CENTRE = "sema_rag"


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite eval exam --sets cmmqa_like --out out/exam"))(exam)


def exam(
    data: Annotated[Path, typer.Option(help="Folder that holds qa/, kg/ and retrieval/.")] = Path(
        "../shared/data"
    ),
    arms: Annotated[str, typer.Option(help="Which arms, by comma; also as in `sema_rag m1`.")] = _ARMS,
    sets: Annotated[str, typer.Option(help="Which files of qa/ or kg/, by comma.")] = "cmmqa_like",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first questions of each set.")] = None,
    withheld: Annotated[
        bool, typer.Option(help="Ask once more without the articles that a question was made from.")
    ] = True,
    preset: Annotated[
        Literal["product", "faithful"], typer.Option(help="The values that SEMA-RAG's arms go by.")
    ] = "product",
    per_query: Annotated[
        int | None, typer.Option(min=1, help="Passages of each query, for a slow model.")
    ] = None,
    sentences: Annotated[
        int | None, typer.Option(min=1, help="Sentences of a passage that SEMA-RAG's model reads.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for JSON lines and a plot; a run goes on from it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Accuracy on exam questions, what is said and what is only forced, and what it costs.

    forced_accuracy counts the best option of every question; accuracy only what a person would be told, with
    its evidence. By rules where no model is configured. Questions that were made from articles are asked a
    second time with those withheld. mirage is asked in Chinese only, over the Chinese graph of kg/. The
    documents are loaded once into a database of their own.
    """
    from bot.render.plots import plot_measures
    from bot.render.tables import print_differences, print_measures
    from reasoning.evaluation.exam_arms import list_arms
    from reasoning.evaluation.exam_report import keep_pairs_with
    from reasoning.evaluation.exam_variants import PRESETS, reduce
    from reasoning.methods import METHODS

    chosen = choose_arms(arms, list_arms(METHODS))
    names = [name.strip() for name in sets.split(",") if name.strip()]
    if out:
        out.mkdir(parents=True, exist_ok=True)
    values, label = reduce(PRESETS[preset], per_query, sentences)
    wanted = _Exam(data, chosen, names, limit, out, withheld, values, label)
    report = run(wanted.measure())

    def show() -> None:
        print_measures(report, _SHOWN)
        rows = report["rows"]
        if len(chosen) > _MANY and _CENTRE in chosen:
            rows = keep_pairs_with(_CENTRE, rows)
        print_differences(report | {"rows": rows}, "forced_accuracy")

    tell(report, show, lambda path: plot_measures(report, path, "forced_accuracy"), as_json=as_json, out=out)


@dataclass(frozen=True, slots=True)
class _Exam:
    """One run; `label` names the preset with what was changed of it."""

    data: Path
    arms: list[str]
    sets: list[str]
    limit: int | None
    out: Path | None
    withheld: bool
    preset: Preset
    label: str

    async def measure(self) -> dict[str, Any]:
        from bot.app import open_evidence, open_model
        from bot.measuring import open_measuring_corpus
        from bot.measuring_graphs import open_bench
        from reasoning.evaluation.exam import measure, read_items
        from reasoning.evaluation.exam_arms import GRAPH_LANGUAGE, Bench
        from reasoning.evaluation.exam_report import summarise
        from reasoning.evaluation.graph_set import CHINESE
        from reasoning.methods import METHODS

        items = read_items(self.data, self.sets, self.limit)
        settings = load_settings()
        async with AsyncExitStack() as stack:
            progress = stack.enter_context(open_progress())
            workshop = await stack.enter_async_context(
                open_measuring_corpus(settings, self.data, progress, say)
            )
            evidence = await stack.enter_async_context(open_evidence(settings, workshop))
            llm = await stack.enter_async_context(open_model(settings.llm))
            graph = linker = None
            if "mirage" in self.arms and any(item.language == GRAPH_LANGUAGE for item in items):
                opened = open_bench(settings, self.data, CHINESE, (), say)
                chinese = await stack.enter_async_context(opened)
                graph, linker = chinese.search, chinese.linker
            limits = patient_limits(settings)
            bench = Bench(
                evidence.retrieval, evidence.doors, evidence.reranker, llm, limits, self.preset, graph, linker
            )
            model = settings.llm.model if llm.available else None
            bar = progress.add_task("questions", total=len(items))
            marks = await measure(
                items,
                bench.arms(self.arms, METHODS),
                model,
                self.out,
                lambda: progress.advance(bar),
                withhold=self.withheld,
                preset=self.label,
            )
        return report_of("exam", settings, summarise(marks), model=model, preset=self.label)
