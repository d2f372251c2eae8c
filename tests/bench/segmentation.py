"""Cutting full texts: characters that go through the encoder for each character of text. Counts, no times."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reasoning.encoders import CachedEncoder, Encoder
from reasoning.retrieval.reading import Article, read_documents
from reasoning.retrieval.segmentation import SeosParams, document_text, segment_many
from storage.documents import Section
from tests.bench.report import Aim, Row

ARTICLES = 40


class CountingEncoder:
    """Counts the characters it is given, whether or not their vectors are kept from an earlier run."""

    def __init__(self, encoder: Encoder | CachedEncoder) -> None:
        self._encoder = encoder
        self.characters = 0

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._encoder.count_tokens(texts)

    def encode_sentences(self, texts: Sequence[str]) -> Any:
        self.characters += sum(map(len, texts))
        return self._encoder.encode_sentences(texts)


def full_texts(data: Path) -> tuple[list[Article], str]:
    """The first of the measuring data, or generated ones, and where they are from."""
    path = data / "fulltext" / "articles.jsonl.gz"
    if path.exists():
        articles = []
        for document in read_documents(path):
            if isinstance(document, Article):
                articles.append(document)
            if len(articles) == ARTICLES:
                break
        return articles, "PMC full texts"
    return [_generated(number) for number in range(ARTICLES)], "generated full texts"


def _generated(number: int) -> Article:
    from wordfreq import top_n_list

    chance = random.Random(number)
    words = top_n_list("en", 5000)

    def section(label: str) -> Section:
        sentences = [" ".join(chance.choices(words, k=chance.randint(8, 30))) for _ in range(40)]
        return Section(" ".join(f"{sentence.capitalize()}." for sentence in sentences), label)

    labels = ("Introduction", "Methods", "Results", "Discussion")
    return Article(
        doc_id=f"generated-{number}",
        title="A generated study",
        source="bench",
        sections=tuple(map(section, labels)),
    )


def measure_segmentation(data: Path, encoder: Encoder) -> list[Row]:
    articles, origin = full_texts(data)
    counting = CountingEncoder(encoder)
    limit, target = encoder.budget
    pieces = segment_many(articles, counting, SeosParams(b_max=limit, b=target))
    characters = sum(len(document_text(article)) for article in articles)
    passages = sum(
        len(article.title) + 1 + len(passage.text)
        for article, found in zip(articles, pieces, strict=True)
        for passage in found
    )
    counts = {"articles": len(articles), "characters": characters, "passages": sum(map(len, pieces))}
    return [
        Row(
            "segmentation",
            f"characters embedded to cut, a character ({len(articles)} {origin})",
            counting.characters / characters,
            "",
            Aim("<=", 1.05),
            details=counts,
        ),
        Row(
            "segmentation",
            "the same with the passages embedded for the index, title included",
            (counting.characters + passages) / characters,
            "",
            details=counts,
        ),
    ]
