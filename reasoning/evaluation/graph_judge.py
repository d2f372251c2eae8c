"""A configured model compares the answers of two arms (methods.md 2.9): positions shuffled, both orders, and
several seeds, with how often both orders agree. What a model prefers is no clinician's judgement."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pydantic import Field

from reasoning.evaluation.graph_answers import tell
from reasoning.evaluation.graph_arms import Bench
from reasoning.evaluation.graph_set import GraphItem
from reasoning.evaluation.items import ItemLog
from reasoning.evaluation.metrics import share_interval
from reasoning.llm import Budget, Closed, LanguageModel, Step
from reasoning.trace import Trace

SEEDS = (1, 2, 3)
Winner = Literal["one", "other", "tie"]


class Verdict(Closed):
    reason: str = Field(description="one sentence: what decides")
    better: Literal["first", "second", "tie"]


@dataclass(frozen=True, slots=True)
class JudgeInputs:
    question: str
    reference: str
    first: str
    second: str


def _call_it_even(inputs: JudgeInputs) -> Verdict:
    return Verdict(reason="", better="tie")


JUDGE = Step("graph_judge", "graph_judge.v1", Verdict, _call_it_even)


@dataclass(frozen=True, slots=True)
class Judgement:
    """One pair under one seed: who won in each order of asking; None where the model gave no verdict."""

    graph: str
    id: str
    one: str
    other: str
    seed: int
    model: str
    winners: tuple[Winner | None, Winner | None]

    @property
    def key(self) -> tuple[str, str, str, str, int, str]:
        return self.graph, self.id, self.one, self.other, self.seed, self.model

    @property
    def judged(self) -> bool:
        return None not in self.winners

    @property
    def agreed(self) -> bool:
        return self.winners[0] == self.winners[1]

    @property
    def winner(self) -> Winner:
        """An arm wins where it does so in both orders; all else is a tie."""
        first = self.winners[0]
        return first if self.agreed and first else "tie"


async def judge_answers(
    items: Sequence[GraphItem],
    pair: Sequence[str],
    bench: Bench,
    judge: LanguageModel,
    model: str,
    graph: str,
    log: ItemLog,
    step: Callable[[], None],
) -> list[Judgement]:
    """Both arms answer each question with given entities, by `bench`; `judge` compares them. What the log
    holds is not asked again; what the model gave no verdict on is not kept there."""
    one, other = pair
    done = {each.key: each for each in map(_read, log.read())}
    found: list[Judgement] = []
    for item in items:
        keys = {seed: (graph, item.id, one, other, seed, model) for seed in SEEDS}
        found += [done[key] for key in keys.values() if key in done]
        missing = [seed for seed, key in keys.items() if key not in done]
        if missing:
            ranked = await bench.rank(item, await bench.link_given(item.given), [one, other])
            answers = [await tell(arm, ranked[arm], bench) for arm in pair]
            for seed in missing:
                winners = await compare(item, answers, seed, judge, Budget(bench.limits))
                made = Judgement(graph, item.id, one, other, seed, model, winners)
                log.add([asdict(made)] if made.judged else [])
                found.append(made)
        step()
    return found


async def compare(
    item: GraphItem, answers: Sequence[str], seed: int, judge: LanguageModel, budget: Budget
) -> tuple[Winner | None, Winner | None]:
    """Both orders, that which the seed puts first as it comes; the winner by arm, whatever its place."""
    order = [0, 1]
    random.Random(f"{seed} {item.id}").shuffle(order)
    winners: list[Winner | None] = []
    for first, second in (order, order[::-1]):
        inputs = JudgeInputs(item.text, item.answer, answers[first], answers[second])
        result = await judge.run(JUDGE, inputs, budget, Trace())
        names: tuple[Winner, Winner] = ("one", "other")
        said: dict[str, Winner] = {"first": names[first], "second": names[second], "tie": "tie"}
        winners.append(said[result.value.better] if result.by == "model" else None)
    return winners[0], winners[1]


def summarise_judgements(found: Sequence[Judgement]) -> list[dict[str, Any]]:
    """A row a graph: shares of what was judged, with Wilson's intervals; `agreement` of both orders."""
    rows = []
    for graph in dict.fromkeys(each.graph for each in found):
        members = [each for each in found if each.graph == graph]
        judged = [each for each in members if each.judged]
        counts = {
            "win": sum(each.winner == "one" for each in judged),
            "tie": sum(each.winner == "tie" for each in judged),
            "lose": sum(each.winner == "other" for each in judged),
            "agreement": sum(each.agreed for each in judged),
        }
        n = len(judged)
        rows.append(
            {
                "dataset": graph,
                "one": members[0].one,
                "other": members[0].other,
                "n": n,
                "failed": len(members) - n,
                "metrics": {name: round(hits / n, 4) for name, hits in counts.items()} if n else {},
                "ci": {name: share_interval(hits, n) for name, hits in counts.items()} if n else {},
            }
        )
    return rows


def _read(row: dict[str, Any]) -> Judgement:
    return Judgement(**row | {"winners": tuple(row["winners"])})
