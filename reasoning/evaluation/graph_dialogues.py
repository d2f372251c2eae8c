"""Chinese consultations on the Chinese graph: how far the method gets with them; they have no gold."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from reasoning.evaluation.graph_arms import Bench
from reasoning.evaluation.graph_set import GraphItem
from reasoning.evaluation.items import ItemLog
from reasoning.evaluation.metrics import share_interval

AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One consultation: entities that link, whether a path joins two of them, and whether the method hands
    over, so that nothing of the graph would be told."""

    id: str
    version: str
    linked: int
    joined: bool
    handed_over: bool
    candidates: int
    seconds: float


async def read_over(
    items: Sequence[GraphItem], bench: Bench, log: ItemLog, step: Callable[[], None]
) -> list[Dialogue]:
    """By rules. What the log holds is not asked again."""
    version = bench.known.record.version
    done = {one.id: one for one in _read(log) if one.version == version}

    async def answer(item: GraphItem) -> Dialogue:
        if known := done.get(item.id):
            return known
        links = await bench.link(item.text)
        ranking = await bench.chain(item, links)
        joined = ranking.explored is not None and bool(ranking.explored.synthesis.paths)
        return Dialogue(
            item.id, version, len(links), joined, ranking.handed_over, len(ranking.names), ranking.seconds
        )

    found: list[Dialogue] = []
    for start in range(0, len(items), AT_ONCE):
        made = await asyncio.gather(*map(answer, items[start : start + AT_ONCE]))
        log.add(asdict(one) for one in made if one.id not in done)
        found += made
        for _ in made:
            step()
    return found


def summarise_dialogues(found: Sequence[Dialogue]) -> list[dict[str, Any]]:
    """One row; shares of all, with Wilson's intervals."""
    if not found:
        return []
    shares = {
        "linked": sum(one.linked > 0 for one in found),
        "linked_two": sum(one.linked > 1 for one in found),
        "with_path": sum(one.joined for one in found),
        "handed_over": sum(one.handed_over for one in found),
    }
    n = len(found)
    metrics = {name: round(hits / n, 4) for name, hits in shares.items()}
    metrics["seconds"] = round(sum(one.seconds for one in found) / n, 4)
    ci = {name: share_interval(hits, n) for name, hits in shares.items()}
    return [
        {"dataset": "cmcqa", "style": "question alone", "arm": "mirage", "n": n, "metrics": metrics, "ci": ci}
    ]


def _read(log: ItemLog) -> Iterator[Dialogue]:
    names = {field.name for field in fields(Dialogue)}
    for row in log.read():
        if set(row) == names:
            yield Dialogue(**row)
