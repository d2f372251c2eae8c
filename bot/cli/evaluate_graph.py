"""`carecite eval graph`: from what a person tells to the disease that is meant, over knowledge graphs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.evaluating import choose_arms, open_progress, report_of, tell
from bot.cli.running import examples, run, say
from config import Settings, load_settings

if TYPE_CHECKING:
    from rich.progress import Progress

    from reasoning.evaluation.graph import Item
    from reasoning.evaluation.graph_judge import Judgement
    from reasoning.llm import LanguageModel

_ARMS = "overlap,bm25,dense,mindmap,mirage,no_decomposer,no_synthesis,neither"
_GRAPHS = ("emckg", "chatdoctor_full", "cmcqa")
_SHOWN = ("hit@10", "hit@1", "mrr", "ceiling", "linked", "calls")
_DIALOGUES = ("linked", "linked_two", "with_path", "handed_over", "seconds")


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite eval graph --graphs emckg --limit 20 --sweep 0"))(graph)


def graph(
    data: Annotated[Path, typer.Option(help="Folder that holds kg/.")] = Path("../shared/data"),
    arms: Annotated[str, typer.Option(help="Which arms, by comma.")] = _ARMS,
    graphs: Annotated[str, typer.Option(help="Which graphs, by comma.")] = ",".join(_GRAPHS),
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first questions of each graph.")] = None,
    sweep: Annotated[
        int, typer.Option(min=0, help="Questions a graph for the plot over N_q and N_r; 0 leaves it out.")
    ] = 200,
    llm: Annotated[bool, typer.Option("--llm", help="Ask the configured model as well.")] = False,
    llm_limit: Annotated[int, typer.Option(min=1, help="Questions that a model is asked.")] = 20,
    judge: Annotated[
        str | None, typer.Option(help="Two arms, by comma: the configured model compares their answers.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for JSON lines and plots; a run goes on from it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Whether the gold disease is ranked first, or among the first ten, of a graph's diseases.

    Entities are linked from the question alone; in a second row they are given. `ceiling` is the share of
    questions whose gold disease is one of their entities or one hop away. By rules, also where a model is
    configured; with --llm the same ways with it, on few questions. Each graph is loaded once, into a database
    of its own.
    """
    from reasoning.evaluation.graph_arms import ARMS
    from reasoning.evaluation.graph_report import demands

    chosen = choose_arms(arms, ARMS)
    names = choose_arms(graphs, _GRAPHS, "--graphs")
    pair = choose_arms(judge, ARMS, "--judge") if judge else []
    if judge and len(pair) != 2:
        raise typer.BadParameter("Name two arms.", param_hint="--judge")
    settings = load_settings()
    if (llm or judge) and not settings.llm.configured:
        raise typer.BadParameter("No model is configured; set CARECITE_LLM_BASE_URL and CARECITE_LLM_MODEL.")
    if out:
        out.mkdir(parents=True, exist_ok=True)
    wanted = _Wanted(data, chosen, names, limit, sweep, llm_limit if llm else 0, pair, llm_limit, out)
    report = run(wanted.measure(settings))

    def show() -> None:
        _print(report)
        for demand in demands(report["rows"]):
            say(demand.say())

    tell(report, show, lambda path: _draw(report, path), as_json=as_json, out=out)


def _print(report: dict[str, Any]) -> None:
    from bot.render.tables import print_differences, print_judgements, print_measures

    rows = report["rows"]
    ranked = [row for row in rows if "hit@10" in row["metrics"]]
    told = [row for row in rows if "with_path" in row["metrics"]]
    print_measures(report | {"rows": ranked}, _SHOWN)
    print_differences(report | {"rows": ranked}, "hit@10", "hit@10 p")
    print_differences(report | {"rows": ranked}, "hit@1", "hit@1 p")
    if told:
        print_measures(report | {"rows": told}, _DIALOGUES)
    print_judgements(report)


def _draw(report: dict[str, Any], path: Path) -> bool:
    from bot.render.plots import plot_measures
    from bot.render.sweeps import plot_sweep

    ranked = [row for row in report["rows"] if "hit@10" in row["metrics"]]
    drawn = plot_measures(report | {"rows": ranked}, path)
    return plot_sweep(report, path.with_name("graph_sweep.png")) and drawn


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a run measures, graph after graph; `asked` questions by a model, `judged` for the pair of arms."""

    data: Path
    arms: list[str]
    graphs: list[str]
    limit: int | None
    sweep: int
    asked: int
    pair: list[str]
    judged: int
    out: Path | None

    async def measure(self, settings: Settings) -> dict[str, Any]:
        from bot.app import open_model
        from reasoning.evaluation.graph_judge import summarise_judgements
        from reasoning.evaluation.graph_report import summarise

        rows: list[dict[str, Any]] = []
        judged: list[Judgement] = []
        with open_progress() as progress:
            async with open_model(settings.llm) as model:
                for name in self.graphs:
                    if name == "cmcqa":
                        rows += await self._read_dialogues(settings, progress)
                        continue
                    items, judgements = await self._rank(settings, name, model, progress)
                    rows += summarise(items)
                    judged += judgements
        asked = settings.llm.model if self.asked or self.pair else None
        return report_of("graph", settings, rows, model=asked) | {"judged": summarise_judgements(judged)}

    async def _rank(
        self, settings: Settings, name: str, model: LanguageModel, progress: Progress
    ) -> tuple[list[Item], list[Judgement]]:
        from bot.measuring_graphs import open_bench
        from reasoning.evaluation.graph import STYLES, Run
        from reasoning.evaluation.graph_arms import CHAINED
        from reasoning.evaluation.graph_judge import judge_answers
        from reasoning.evaluation.graph_set import GRAPHS, read_items
        from reasoning.evaluation.items import ItemLog

        measured = GRAPHS[name]
        items = read_items(self.data, measured, self.limit)
        log = ItemLog(self.out, "graph")
        async with open_bench(settings, self.data, measured, {*self.arms, *self.pair}, say) as bench:
            ruled = Run(name, bench, log)
            found = []
            for style in STYLES:
                step = _steps(progress, f"{name}, {style}", len(items))
                found += await ruled.measure(items, style, self.arms, step)
            if swept := items[: self.sweep]:
                step = _steps(progress, f"{name}, N_q and N_r", len(swept))
                found += await ruled.sweep(swept, step)
            asked = replace(bench, llm=model)
            if few := items[: self.asked]:
                run_ = Run(name, asked, log, settings.llm.model)
                arms = [arm for arm in self.arms if arm in CHAINED]
                for style in STYLES:
                    step = _steps(progress, f"{name}, {style}, model", len(few))
                    found += await run_.measure(few, style, arms, step)
            judged: list[Judgement] = []
            if self.pair:
                few = items[: self.judged]
                step = _steps(progress, f"{name}, judged", len(few))
                answering = asked if self.asked else bench
                log = ItemLog(self.out, "graph_judged")
                judged = await judge_answers(
                    few,
                    self.pair,
                    answering,
                    model,
                    settings.llm.model or "",
                    name,
                    log,
                    step,
                )
        return found, judged

    async def _read_dialogues(self, settings: Settings, progress: Progress) -> list[dict[str, Any]]:
        from bot.measuring_graphs import open_bench
        from reasoning.evaluation.graph_dialogues import read_over, summarise_dialogues
        from reasoning.evaluation.graph_set import CHINESE, read_dialogues
        from reasoning.evaluation.items import ItemLog

        items = read_dialogues(self.data, self.limit)
        async with open_bench(settings, self.data, CHINESE, (), say) as bench:
            step = _steps(progress, "cmcqa", len(items))
            log = ItemLog(self.out, "graph_dialogues")
            found = await read_over(items, bench, log, step)
        return summarise_dialogues(found)


def _steps(progress: Progress, words: str, total: int) -> Callable[[], None]:
    """A bar that each call moves by one."""
    bar = progress.add_task(words, total=total)
    return lambda: progress.advance(bar)
