"""`carecite eval graph`: from what a person tells to the disease that is meant, over knowledge graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.evaluating import choose_arms, tell
from bot.cli.running import examples, run, say
from config import load_settings

_ARMS = "overlap,bm25,dense,mindmap,mirage,no_decomposer,no_synthesis,neither"
_GRAPHS = ("emckg", "chatdoctor_full", "cmcqa")
_ENTITIES = ("alone", "given")
_SHOWN = ("hit@10", "hit@1", "mrr", "ceiling", "linked", "calls")
_DIALOGUES = ("linked", "linked_two", "with_path", "handed_over", "seconds")


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite eval graph --graphs emckg --limit 20 --sweep 0"))(graph)


def graph(
    data: Annotated[Path, typer.Option(help="Folder that holds kg/.")] = Path("../shared/data"),
    arms: Annotated[str, typer.Option(help="Which arms, by comma.")] = _ARMS,
    graphs: Annotated[str, typer.Option(help="Which graphs, by comma.")] = ",".join(_GRAPHS),
    entities: Annotated[
        str, typer.Option(help="Those found in the question alone, those given, or both, by comma.")
    ] = ",".join(_ENTITIES),
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first questions of each graph.")] = None,
    sweep: Annotated[
        int, typer.Option(min=0, help="Questions a graph for the plot over N_q and N_r; 0 leaves it out.")
    ] = 200,
    llm: Annotated[bool, typer.Option("--llm", help="Ask the configured model as well.")] = False,
    llm_limit: Annotated[int, typer.Option(min=1, help="Questions that a model is asked.")] = 20,
    parts: Annotated[
        int | None, typer.Option(min=1, help="Sub-questions (N_q) of a model's rows, for a slow model.")
    ] = None,
    searches: Annotated[
        int | None, typer.Option(min=1, help="Searches of a chain (N_r) of a model's rows.")
    ] = None,
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
    from bot.comparing_graphs import Comparison
    from reasoning.evaluation.graph import STYLES
    from reasoning.evaluation.graph_arms import ARMS
    from reasoning.evaluation.graph_report import demands

    chosen = choose_arms(arms, ARMS)
    names = choose_arms(graphs, _GRAPHS, "--graphs")
    styles = [STYLES[each] for each in choose_arms(entities, _ENTITIES, "--entities")]
    pair = choose_arms(judge, ARMS, "--judge") if judge else []
    if judge and len(pair) != 2:
        raise typer.BadParameter("Name two arms.", param_hint="--judge")
    settings = load_settings()
    if (llm or judge) and not settings.llm.configured:
        raise typer.BadParameter("No model is configured; set CARECITE_LLM_BASE_URL and CARECITE_LLM_MODEL.")
    if out:
        out.mkdir(parents=True, exist_ok=True)
    asked = llm_limit if llm else 0
    wanted = Comparison(
        data, chosen, names, limit, sweep, asked, pair, llm_limit, out, styles, parts, searches
    )
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
    plot_sweep(report, path.with_name("graph_sweep.png"))
    return plot_measures(report | {"rows": ranked}, path)
