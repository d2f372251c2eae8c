"""Passages in two stages: recall among the articles found, then rerank (methods.md 1.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reasoning.encoders import EncoderError
from reasoning.evidence import Evidence, Question, Retrieved, Tools
from reasoning.methods.cometa.presets import Preset
from reasoning.retrieval.reranking import refuses_all
from reasoning.types import Remark


async def select_passages(
    question: Question, keys: Sequence[str], tools: Tools, preset: Preset
) -> tuple[Retrieved, list[Remark]]:
    """The final passages with what the gate needs, and what went wrong on the way."""
    found = await tools.retrieval.recall(
        question, keys, preset.recalled, tools.trace, whole_studies=preset.allow_d3
    )
    ordered, lost = await rerank(question, found.evidence, tools)
    chosen = take_passages(ordered, preset)
    return await tools.retrieval.narrow(question, found, chosen, tools.trace), lost


async def rerank(
    question: Question, recalled: Sequence[Evidence], tools: Tools
) -> tuple[list[Evidence], list[Remark]]:
    """Best first by the reranker; in the order of the first stage where it fails, and that is said."""
    reranker = tools.reranker
    if reranker is None or not recalled:
        return list(recalled), []
    with tools.trace.span("rerank", by=reranker.name, passages=len(recalled)) as span:
        try:
            scores = await reranker.rank(question.text, [item.source for item in recalled])
        except EncoderError as error:
            span.note(failed=type(error).__name__)
            return list(recalled), [Remark(code="rerank_failed", detail=type(error).__name__)]
        if refuses_all(reranker, scores):
            span.note(refused=True)  # nothing here is evidence (methods.md 1.8)
            return [], []
        order = sorted(range(len(recalled)), key=lambda at: (-scores[at], at))
        span.note(best=[recalled[at].eid for at in order[:5]])
    return [recalled[at] for at in order], []


def take_passages(ordered: Sequence[Evidence], preset: Preset) -> list[Evidence]:
    """The best ones, each text once, at most `per_article` of an article where enough articles are there.

    Abstract and full text of one article share its key; their common sentences count once.
    """
    distinct: dict[str, Evidence] = {}
    for item in ordered:
        distinct.setdefault(item.text, item)
    articles = {item.source.article.key for item in distinct.values()}
    most = preset.per_article if len(articles) >= preset.few else preset.passages
    taken: Counter[str] = Counter()
    chosen: list[Evidence] = []
    for item in distinct.values():
        taken[item.source.article.key] += 1
        if taken[item.source.article.key] <= most and len(chosen) < preset.passages:
            chosen.append(item)
    return chosen
