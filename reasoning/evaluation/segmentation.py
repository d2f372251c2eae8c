"""`carecite eval segmentation`: whether evidence stays whole where text is cut, and whether it is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from reasoning.evaluation.items import ItemLog
from reasoning.evaluation.segmentation_cuts import Cut, Workbench
from reasoning.evaluation.segmentation_rerankers import MakeReranker
from reasoning.evaluation.segmentation_search import SEARCHES, Chunks, rerank
from reasoning.evaluation.segmentation_set import MarkedArticle, MarkedQuestion, Range
from reasoning.retrieval.segmentation.units import lay_out

NO_RERANK = "none"
SHOWN = 3  # chunks whose tokens are counted, as hit@3 counts them


@dataclass(frozen=True, slots=True)
class Item:
    """One question to one way of cutting, searching and reranking.

    `whole`: each marked sentence is whole in some chunk. `rank`, from 1, of the first chunk that holds a
    marked sentence whole; None below the ten best. `tokens` of the three best chunks together; `spent`, those
    of all chunks down to that rank, so that long chunks have no advantage.
    """

    qid: str
    pmcid: str
    window: int
    group: str
    arm: str
    search: str
    reranker: str
    whole: bool
    rank: int | None
    tokens: int
    spent: int | None
    held_out: bool

    @property
    def key(self) -> tuple[object, ...]:
        return self.qid, self.window, self.group, self.arm, self.search, self.reranker


class Log:
    """The items of a run by key, kept so that it can go on."""

    def __init__(self, out: Path | None) -> None:
        self._log = ItemLog(out, "segmentation")
        self.done = {item.key: item for item in (Item(**row) for row in self._log.read())}

    def add(self, items: Sequence[Item]) -> None:
        fresh = [item for item in items if item.key not in self.done]
        self.done |= {item.key: item for item in fresh}
        self._log.add(asdict(item) for item in fresh)


async def measure(
    bench: Workbench,
    cuts: Sequence[Cut],
    rerankers: Mapping[str, MakeReranker],
    log: Log,
    step: Callable[[], None],
) -> list[Item]:
    """Every question to every cut by every search and reranker; `log` knows what need not be asked again."""
    window = bench.encoder.manifest.passage_max_tokens
    items: list[Item] = []
    for cut in cuts:
        for number, article in enumerate(bench.articles):
            wanted = [
                (question, search, name)
                for question in article.questions
                for search in SEARCHES
                for name in (NO_RERANK, *rerankers)
            ]
            keys = [(q.qid, window, cut.group, cut.arm, search, name) for q, search, name in wanted]
            if not all(key in log.done for key in keys):
                log.add(await _ask_article(bench, cut, number, article, rerankers, window))
            items += [log.done[key] for key in keys]
            step()
    return items


async def _ask_article(
    bench: Workbench,
    cut: Cut,
    number: int,
    article: MarkedArticle,
    rerankers: Mapping[str, MakeReranker],
    window: int,
) -> list[Item]:
    places = cut.chunks[number]
    chunks = Chunks.embed(article, places, bench.rulers[number], bench.encoder, bench.room)
    asked = bench.encoder.encode_queries([question.text for question in article.questions])
    ready = {name: make(chunks, bench.encoder) for name, make in rerankers.items()}
    sections = sections_of(article, places)
    items = []
    for question, vector in zip(article.questions, asked, strict=True):
        whole = all(any(holds(place, mark) for place in places) for mark in question.evidence)
        for search, order in chunks.search(question.text, vector.vector).items():
            orders = {NO_RERANK: order}
            for name, reranker in ready.items():
                orders[name] = await rerank(reranker, question.text, chunks.stored(order, sections), order)
            for name, final in orders.items():
                rank = rank_of(final, places, question)
                sizes = [chunks.tokens[place] for place in final]
                items.append(
                    Item(
                        question.qid,
                        question.pmcid,
                        window,
                        cut.group,
                        cut.arm,
                        search,
                        name,
                        whole,
                        rank,
                        sum(sizes[:SHOWN]),
                        sum(sizes[:rank]) if rank else None,
                        question.held_out,
                    )
                )
    return items


def holds(place: Range, mark: Range) -> bool:
    return place[0] <= mark[0] and mark[1] <= place[1]


def rank_of(order: Sequence[int], places: Sequence[Range], question: MarkedQuestion) -> int | None:
    """From 1, of the first chunk that holds one of the marked sentences whole."""
    ranks = (
        rank
        for rank, at in enumerate(order, start=1)
        if any(holds(places[at], mark) for mark in question.evidence)
    )
    return next(ranks, None)


def sections_of(article: MarkedArticle, places: Sequence[Range]) -> list[str | None]:
    """Label of the section in which each chunk begins, whoever cut it."""
    units = lay_out(article.article).units
    return [
        next((unit.part_at(start).label for unit in reversed(units) if unit.start <= start), None)
        for start, _ in places
    ]
