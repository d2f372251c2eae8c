"""The corpus that the search benches share, open and warm, with the vectors of its questions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import numpy as np
import psycopg
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress

from bot.app import Workshop
from bot.measuring import open_measuring_corpus
from config import Settings
from reasoning.encoders import QueryVector
from tests.bench.documents import Source
from tests.bench.timing import Processors


@dataclass(frozen=True, slots=True)
class Ground:
    """`url` is the corpus database's; `asked` holds the questions' vectors, encoded beforehand."""

    settings: Settings
    workshop: Workshop
    source: Source
    url: str
    asked: dict[str, QueryVector]
    processors: Processors
    repeats: int

    @property
    def questions(self) -> list[str]:
        return self.source.questions

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(self.url, autocommit=True)

    def read_passages(self) -> list[tuple[int, str, str, str]]:
        """(id, article key, title, text) of all, by id."""
        query = (
            "SELECT p.id, a.key, a.title, p.text FROM passages p JOIN articles a ON a.id = p.article_id"
            f" JOIN {self.workshop.encoder.manifest.table} e ON e.passage_id = p.id ORDER BY p.id"
        )
        with self.connect() as connection:
            return connection.execute(query).fetchall()

    def exact_vectors(self) -> NDArray[np.float32]:
        """[passages, dimensions] in single precision, as the encoder made them and not as they are stored."""
        rows = self.read_passages()
        return self.workshop.encoder.encode_passages([(title, text) for _, _, title, text in rows])


@asynccontextmanager
async def open_ground(settings: Settings, source: Source, repeats: int) -> AsyncIterator[Ground]:
    errors = Console(stderr=True)
    with Progress(console=errors) as progress:
        async with open_measuring_corpus(settings, source.folder, progress, errors.print) as workshop:
            progress.stop()
            url = workshop.stores.urls.corpus
            vectors = workshop.encoder.encode_queries(source.questions)
            asked = dict(zip(source.questions, vectors, strict=True))
            yield Ground(settings, workshop, source, url, asked, Processors(url), repeats)
