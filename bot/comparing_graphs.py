"""What `carecite eval graph` does, graph after graph: by rules, with a model, and judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.progress import Progress

from bot.app import open_model
from bot.cli.evaluating import open_progress, report_of
from bot.cli.running import say
from bot.measuring_graphs import open_bench
from config import Settings
from reasoning.evaluation.graph import STYLES, Item, Run, narrow
from reasoning.evaluation.graph_arms import CHAINED
from reasoning.evaluation.graph_dialogues import read_over, summarise_dialogues
from reasoning.evaluation.graph_judge import Judgement, judge_answers, summarise_judgements
from reasoning.evaluation.graph_report import summarise
from reasoning.evaluation.graph_set import CHINESE, GRAPHS, read_dialogues, read_items
from reasoning.evaluation.items import ItemLog
from reasoning.llm import LanguageModel


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a run measures, graph after graph; `asked` questions by a model, `judged` for the pair of arms. A
    model's rows have N_q `parts` and N_r `searches`, the product's where those are None."""

    data: Path
    arms: list[str]
    graphs: list[str]
    limit: int | None
    sweep: int
    asked: int
    pair: list[str]
    judged: int
    out: Path | None
    styles: Sequence[str] = tuple(STYLES.values())
    parts: int | None = None
    searches: int | None = None

    async def measure(self, settings: Settings) -> dict[str, Any]:
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
        measured = GRAPHS[name]
        items = read_items(self.data, measured, self.limit)
        log = ItemLog(self.out, "graph")
        async with open_bench(settings, self.data, measured, {*self.arms, *self.pair}, say) as bench:
            ruled = Run(name, bench, log)
            found = []
            for style in self.styles:
                step = _steps(progress, f"{name}, {style}", len(items))
                found += await ruled.measure(items, style, self.arms, step)
            if swept := items[: self.sweep]:
                step = _steps(progress, f"{name}, N_q and N_r", len(swept))
                found += await ruled.sweep(swept, step)
            preset, variant = narrow(self.parts, self.searches)
            asked = replace(bench, llm=model, preset=preset)
            if few := items[: self.asked]:
                run_ = Run(name, asked, log, settings.llm.model, variant)
                arms = [arm for arm in self.arms if arm in CHAINED]
                for style in self.styles:
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
