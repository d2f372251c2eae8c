"""`carecite eval graph`: whether a graph leads from what a person tells to the disease that is meant."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace

from reasoning.evaluation.graph_arms import CHAINED, Bench, Ranking
from reasoning.evaluation.graph_set import GraphItem
from reasoning.evaluation.items import ItemLog
from reasoning.evaluation.metrics import first_hit
from reasoning.evaluation.questions import is_held_out
from reasoning.linking.types import Link
from reasoning.methods.mirage import PRODUCT, Preset
from storage.corpus.graph.naming import fold_entity

ALONE, GIVEN = "question alone", "given entities"
STYLES = {"alone": ALONE, "given": GIVEN}  # by what an option calls them
AT_ONCE = 4  # questions under way together; a model is asked one by one
DEPTH = 10
SWEPT = range(1, 7)  # values of N_q and of N_r


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question, its entities found in one way, ranked by one arm.

    `linked` counts its entities; `reached` tells whether a gold disease is one of them or one hop away;
    `rank` is that of the first gold disease among the best ten. `variant` names a parameter that was set.
    """

    graph: str
    style: str
    id: str
    arm: str
    variant: str
    model: str | None
    version: str
    held_out: bool
    linked: int
    reached: bool
    rank: int | None
    handed_over: bool
    calls: int
    by: str
    seconds: float

    @property
    def key(self) -> tuple[str, ...]:
        return self.graph, self.style, self.id, self.arm, self.variant, self.model or "", self.version


Ask = Callable[[GraphItem, Sequence[Link], Sequence[str]], Awaitable[list[Item]]]


@dataclass(frozen=True, slots=True)
class Run:
    """What is asked of one graph; an item that the log holds is not asked again.

    `variant` tells how the bench's preset differs from the product's.
    """

    name: str
    bench: Bench
    log: ItemLog
    model: str | None = None
    variant: str = ""

    async def measure(
        self, items: Sequence[GraphItem], style: str, arms: Sequence[str], step: Callable[[], None]
    ) -> list[Item]:
        """Every question through every arm."""

        async def ask(item: GraphItem, links: Sequence[Link], missing: Sequence[str]) -> list[Item]:
            found = await self.bench.rank(item, links, missing)
            return [
                self._mark(item, style, links, arm, ranking, self._variant(arm))
                for arm, ranking in found.items()
            ]

        return await self._each(items, style, {arm: (arm, self._variant(arm)) for arm in arms}, ask, step)

    async def sweep(self, items: Sequence[GraphItem], step: Callable[[], None]) -> list[Item]:
        """The method with N_q, then N_r, from 1 to 6, all else as in the product."""
        presets = {f"N_q {n}": replace(PRODUCT, parts=n) for n in SWEPT}
        presets |= {f"N_r {n}": replace(PRODUCT, searches=n) for n in SWEPT}

        async def ask(item: GraphItem, links: Sequence[Link], missing: Sequence[str]) -> list[Item]:
            made = []
            for variant in missing:
                ranking = await self.bench.chain(item, links, presets[variant])
                made.append(self._mark(item, GIVEN, links, "mirage", ranking, variant))
            return made

        ways = {variant: ("mirage", variant) for variant in presets}
        return await self._each(items, GIVEN, ways, ask, step)

    async def _each(
        self,
        items: Sequence[GraphItem],
        style: str,
        ways: Mapping[str, tuple[str, str]],
        ask: Ask,
        step: Callable[[], None],
    ) -> list[Item]:
        done = {item.key: item for item in _read(self.log)}

        async def answer(item: GraphItem) -> tuple[list[Item], list[Item]]:
            kept, missing = [], []
            for way, (arm, variant) in ways.items():
                key = (self.name, style, item.id, arm, variant, self._through(arm) or "", self._version)
                if known := done.get(key):
                    kept.append(known)
                else:
                    missing.append(way)
            if not missing:
                return kept, []
            link = self.bench.link_given(item.given) if style == GIVEN else self.bench.link(item.text)
            made = await ask(item, await link, missing)
            return kept, made

        found: list[Item] = []
        width = 1 if self.model else AT_ONCE
        for start in range(0, len(items), width):
            for kept, made in await asyncio.gather(*map(answer, items[start : start + width])):
                self.log.add(asdict(item) for item in made)
                found += [*kept, *made]
                step()
        return found

    @property
    def _version(self) -> str:
        return self.bench.known.record.version

    def _through(self, arm: str) -> str | None:
        return self.model if arm in CHAINED else None

    def _variant(self, arm: str) -> str:
        return self.variant if arm in CHAINED else ""

    def _mark(
        self,
        item: GraphItem,
        style: str,
        links: Sequence[Link],
        arm: str,
        ranking: Ranking,
        variant: str,
    ) -> Item:
        entities = [fold_entity(link.entity.name) for link in links if link.entity]
        return Item(
            graph=self.name,
            style=style,
            id=item.id,
            arm=arm,
            variant=variant,
            model=self._through(arm),
            version=self._version,
            held_out=is_held_out(item.id),
            linked=len(entities),
            reached=self.bench.known.reaches(entities, item.gold),
            rank=first_hit(ranking.names, item.gold, DEPTH),
            handed_over=ranking.handed_over,
            calls=ranking.calls,
            by=ranking.by,
            seconds=round(ranking.seconds, 4),
        )


def narrow(parts: int | None, searches: int | None) -> tuple[Preset, str]:
    """The product's preset with less to do, for a slow model, and a name for what was changed."""
    preset = PRODUCT
    changed: list[str] = []
    if parts is not None:
        preset = replace(preset, parts=parts)
        changed.append(f"N_q {parts}")
    if searches is not None:
        ratio = PRODUCT.turns // PRODUCT.searches
        preset = replace(preset, searches=searches, turns=ratio * searches)
        changed.append(f"N_r {searches}")
    return preset, ", ".join(changed)


def _read(log: ItemLog) -> Iterator[Item]:
    """Items of an earlier run; lines that another version wrote are left alone."""
    names = {field.name for field in fields(Item)}
    for row in log.read():
        if set(row) == names:
            yield Item(**row)
