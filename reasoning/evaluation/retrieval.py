"""`carecite eval retrieval`: whether the right documents are found, in several ways side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from reasoning.evaluation.items import ItemLog
from reasoning.evaluation.metrics import first_hit
from reasoning.evaluation.questions import SETS, GoldQuestion, Style
from reasoning.evaluation.retrieval_arms import LOCAL, REWRITING, SEARCHING, Answered, Found

DEPTH = 10
AT_ONCE = 4  # questions under way together: their texts are encoded together; a model is asked one by one


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question asked in one way, through one door, with or without a model.

    `rank` is that of the first gold document among the best ten. `holds`: whether any hit still names a
    subject of the question, None where the question has none; `absent`: no document names it.
    """

    qid: str
    dataset: str
    part: str | None
    style: Style
    held_out: bool
    arm: str
    variant: str
    door: str
    model: str | None
    rank: int | None
    found: int
    holds: bool | None
    absent: bool
    calls: int
    by: str
    refused: bool
    degraded: bool

    @property
    def key(self) -> tuple[str, str, str, str, str | None]:
        return self.dataset, self.qid, self.arm, self.door, self.model


Ask = Callable[[GoldQuestion, Sequence[str]], Awaitable[Answered]]


async def measure(
    ask: Ask,
    questions: Sequence[GoldQuestion],
    arms: Sequence[str],
    door: str,
    model: str | None,
    out: Path | None,
    step: Callable[[], None],
) -> list[Item]:
    """Every question in every way that can show something. What `out` already holds is not asked again; what
    failed in part is not kept there."""
    done: dict[tuple[str, str, str, str, str | None], list[Item]] = {}
    log = ItemLog(out, "retrieval")
    for item in _read(log):
        done.setdefault(item.key, []).append(item)

    async def answer(question: GoldQuestion) -> tuple[list[Item], list[Item]]:
        """Items that were there, and new ones."""
        wanted = [arm for arm in arms if SETS[question.dataset].has_gold or arm in SEARCHING]
        keys = {arm: (question.dataset, question.qid, arm, *_through(arm, door, model)) for arm in wanted}
        kept = [item for arm in wanted for item in done.get(keys[arm], ())]
        missing = [arm for arm in wanted if keys[arm] not in done]
        answered = await ask(question, missing) if missing else Answered()
        return kept, [_item(question, found, answered, door, model) for found in answered.found]

    items: list[Item] = []
    width = 1 if model else AT_ONCE
    for start in range(0, len(questions), width):
        for kept, new in await asyncio.gather(*map(answer, questions[start : start + width])):
            items += sorted((*kept, *new), key=lambda item: arms.index(item.arm))
            log.add(asdict(item) for item in new if not item.degraded)
            step()
    return items


def _through(arm: str, door: str, model: str | None) -> tuple[str, str | None]:
    """The door and the model that take part in an arm."""
    return "corpus" if arm in LOCAL else door, model if arm in REWRITING else None


def _item(question: GoldQuestion, found: Found, answered: Answered, door: str, model: str | None) -> Item:
    holds = answered.holds
    through, asked = _through(found.arm, door, model)
    return Item(
        qid=question.qid,
        dataset=question.dataset,
        part=question.part,
        style=question.style,
        held_out=question.held_out,
        arm=found.arm,
        variant=found.variant,
        door=through,
        model=asked,
        rank=first_hit(found.keys, question.gold, DEPTH),
        found=len(found.keys),
        holds=None if holds is None else any(holds.get(key, False) for key in found.keys),
        absent=answered.absent,
        calls=found.calls,
        by=found.by,
        refused=found.refused,
        degraded=found.degraded,
    )


def _read(log: ItemLog) -> Iterator[Item]:
    """Items of an earlier run; lines that another version wrote are left alone."""
    names = {field.name for field in fields(Item)}
    for row in log.read():
        if set(row) == names:
            yield Item(**row)
