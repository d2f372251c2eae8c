"""`carecite eval depth`: what reading more than abstracts finds, and what it pushes out (methods.md 1.5).

The same articles are a corpus three times: all as abstracts, reviews in full, all in full. A question hits
where one of the five best passages of the whole corpus holds a sentence that experts marked for it, whole and
in the right article.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from reasoning.encoders import AsyncEncoder
from reasoning.evaluation.metrics import interval_by
from reasoning.evaluation.questions import open_set, read_rows
from reasoning.evaluation.segmentation_set import MarkedQuestion, find_quote, in_fixed_order, mark
from reasoning.evidence import Question
from reasoning.retrieval.hybrid import cap_per_article, fuse_scores
from reasoning.retrieval.reading import read_documents
from reasoning.retrieval.reranking import Reranker
from reasoning.retrieval.segmentation import document_text
from reasoning.retrieval.streams import DEPTH as RECALL
from reasoning.retrieval.streams import search_streams
from storage.corpus import Corpus, StoredPassage
from storage.documents import Article, DocClass, SectionKind

DEPTHS: dict[str, frozenset[DocClass]] = {
    "D1": frozenset(),
    "D1+D2": frozenset({DocClass.D2}),
    "D1+D2+D3": frozenset({DocClass.D2, DocClass.D3}),
}
PRIMARY = 60  # studies beside all reviews
SHOWN = 5  # passages that reach a prompt (methods.md 1.7)


@dataclass(frozen=True, slots=True)
class DepthSet:
    """Full texts, and the questions whose marked sentences are in them word for word; `lost` are not."""

    files: tuple[Path, ...]
    articles: tuple[Article, ...]
    questions: tuple[MarkedQuestion, ...]
    lost: int


@dataclass(frozen=True, slots=True)
class DepthItem:
    """One question at one depth: ranks from 1 among the five best passages, or None.

    `rank` is of the first that holds a marked sentence, `article_rank` of the first from the right article.
    """

    qid: str
    pmcid: str
    doc_class: str
    depth: str
    reranker: str
    rank: int | None
    article_rank: int | None
    in_abstract: bool
    held_out: bool


def read_depth_set(folder: Path, primary: int = PRIMARY) -> DepthSet:
    """All reviews with a JATS file, and primary studies with one and with questions. Raises DataMissing."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in read_rows(open_set(folder / "fulltext", "passage_questions")):
        rows.setdefault(row["pmcid"], []).append(row)
    listed = [row for row in read_rows(open_set(folder / "fulltext", "index")) if row["file"]]
    by_pmcid = {row["pmcid"]: row for row in listed}
    reviews = [row["pmcid"] for row in listed if row["depth"].startswith(DocClass.D2)]
    studies = [row["pmcid"] for row in listed if row["pmcid"] not in reviews and row["pmcid"] in rows]
    chosen = [*in_fixed_order(reviews), *in_fixed_order(studies)[:primary]]
    files = tuple(folder / "fulltext" / by_pmcid[pmcid]["file"] for pmcid in chosen)
    articles = [each for path in files for each in read_documents(path) if isinstance(each, Article)]
    asked = [
        mark(row, document_text(article)) for article in articles for row in rows.get(article.pmcid or "", ())
    ]
    kept = tuple(question for question in asked if question.evidence)
    return DepthSet(files, tuple(articles), kept, len(asked) - len(kept))


def at_depth(articles: Sequence[Article], depth: str) -> Iterator[Article]:
    """Each article in full where its class is read in full at this depth, else its abstract."""
    for article in articles:
        if article.doc_class in DEPTHS[depth]:
            yield article
        else:
            abstract = tuple(part for part in article.sections if part.kind is SectionKind.ABSTRACT)
            yield replace(article, sections=abstract, full_text=False, doc_class=DocClass.D1)


async def ask_all(
    corpus: Corpus,
    encoder: AsyncEncoder,
    reranker: Reranker | None,
    marked: DepthSet,
    depth: str,
    step: Callable[[], None],
) -> list[DepthItem]:
    """Two stages as the product does: 50 passages fused, reranked if there is one, two an article, five."""
    articles = {article.pmcid: article for article in marked.articles}
    items = []
    for question in marked.questions:
        article = articles[question.pmcid]
        best = await _search(corpus, encoder, reranker, question.text)
        right = [each.article.pmcid == question.pmcid for each in best]
        held = [
            mine and any(find_quote(each.passage.text, quote) for quote in question.quotes)
            for each, mine in zip(best, right, strict=True)
        ]
        abstract = " ".join(part.text for part in article.sections if part.kind is SectionKind.ABSTRACT)
        items.append(
            DepthItem(
                question.qid,
                question.pmcid,
                article.doc_class,
                depth,
                reranker.name if reranker else "none",
                held.index(True) + 1 if any(held) else None,
                right.index(True) + 1 if any(right) else None,
                any(find_quote(abstract, quote) for quote in question.quotes),
                question.held_out,
            )
        )
        step()
    return items


async def _search(
    corpus: Corpus, encoder: AsyncEncoder, reranker: Reranker | None, text: str
) -> list[StoredPassage]:
    streams = await search_streams(corpus, encoder, Question(text))
    ranked = fuse_scores(streams)[:RECALL]
    passages = await corpus.read_passages([key for key, _ in ranked])
    if reranker and ranked:
        scores = await reranker.rank(text, [passages[key] for key, _ in ranked])
        order = sorted(range(len(ranked)), key=lambda at: (-scores[at], at))
        ranked = [(ranked[at][0], scores[at]) for at in order]
    return [passages[key] for key, _ in cap_per_article(ranked, streams.keys)[:SHOWN]]


def write_items(items: Sequence[DepthItem], out: Path) -> None:
    lines = (json.dumps(asdict(item)) + "\n" for item in items)
    (out / "depth.jsonl").write_text("".join(lines), encoding="utf-8")


def summarise(items: Sequence[DepthItem]) -> list[dict[str, Any]]:
    """A row a part of the questions (`dataset`), reranker (`style`) and depth (`arm`).

    "hit@5 minus D1" is the paired difference; intervals are over articles.
    """
    parts: tuple[tuple[str, Callable[[DepthItem], bool]], ...] = (
        ("all questions", lambda item: True),
        ("evidence in the abstract", lambda item: item.in_abstract),
        ("evidence in the body alone", lambda item: not item.in_abstract),
        ("held-out half", lambda item: item.held_out),
    )
    rows = []
    for dataset, chosen in parts:
        for reranker in dict.fromkeys(item.reranker for item in items):
            arms = {
                depth: [i for i in items if i.depth == depth and i.reranker == reranker and chosen(i)]
                for depth in DEPTHS
            }
            for depth, members in arms.items():
                if members:
                    rows.append(_row(members, arms["D1"], dataset, reranker, depth))
    return rows


def _row(
    members: Sequence[DepthItem], shallow: Sequence[DepthItem], dataset: str, style: str, depth: str
) -> dict[str, Any]:
    hit = np.array([item.rank is not None for item in members], dtype=float)
    right = np.array([item.article_rank is not None for item in members], dtype=float)
    groups = [item.pmcid for item in members]
    ci = {"hit@5": interval_by(hit, groups), "article@5": interval_by(right, groups)}
    if depth != "D1":
        before = np.array([item.rank is not None for item in shallow], dtype=float)
        ci["hit@5 minus D1"] = interval_by(hit - before, groups)
    metrics = {"hit@5": round(float(hit.mean()), 4), "article@5": round(float(right.mean()), 4)}
    return {
        "dataset": dataset,
        "style": style,
        "arm": depth,
        "n": len(members),
        "metrics": metrics,
        "ci": ci,
    }
