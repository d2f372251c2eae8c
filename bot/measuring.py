"""A corpus of its own for measuring: the documents of a data folder, through the product's own door."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import psycopg
from rich.progress import Progress
from sqlalchemy import make_url

from bot.app import Workshop, load_configured_encoder, open_stores, prepare_databases
from bot.ingest import Intake, load_files
from bot.library import fingerprint
from config import Settings
from reasoning.encoders import CachedEncoder, Encoder
from reasoning.evaluation.questions import corpus_files
from reasoning.retrieval.indexing import IndexReport, cut_for
from storage.corpus import Corpus
from storage.errors import ServerUnavailable
from storage.schema import upgrade
from storage.vector_cache import VectorCache

_MARK = "measuring_corpus"
SAID_EVERY = 2000  # documents, where no progress bar can be drawn

Load = Callable[[Corpus, Encoder], AsyncIterator[IndexReport]]


def measuring_url(corpus_url: str, mark: str) -> str:
    """A database beside the corpus, made where it is missing. Raises ServerUnavailable."""
    name = f"carecite_measuring_{mark[:16]}"
    try:
        with psycopg.connect(corpus_url, autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
                connection.execute(f'CREATE DATABASE "{name}"')
    except psycopg.Error as error:
        raise ServerUnavailable(
            "No database for measuring can be made.", remedy="Unset CARECITE_CORPUS_URL."
        ) from error
    return str(make_url(corpus_url).set(database=name).render_as_string(hide_password=False))


def is_loaded(settings: Settings, data: Path) -> bool:
    """Whether the documents of a data folder are in their database, all of them. Blocking."""
    mark = fingerprint(corpus_files(data), cut_for(load_configured_encoder(settings)))
    urls = prepare_databases(settings)
    try:
        with psycopg.connect(measuring_url(urls.corpus, mark)) as connection:
            row = connection.execute("SELECT value FROM marks WHERE name = %s", (_MARK,)).fetchone()
    except psycopg.errors.UndefinedTable:
        return False
    finally:
        urls.release()
    return row == (mark,)


@asynccontextmanager
async def open_measuring_corpus(
    settings: Settings, data: Path, progress: Progress, say: Callable[[str], None]
) -> AsyncIterator[Workshop]:
    """The corpus of a data folder, loaded if it is not there yet; vectors are kept by text hash.

    Raises DataMissing, StorageError, EncoderError.
    """
    intake = Intake(corpus_files(data))

    async def load(corpus: Corpus, encoder: Encoder) -> AsyncIterator[IndexReport]:
        async for report in load_files(intake, corpus, encoder):
            yield report
        say(f"{len(intake.rejected)} refused.")

    async with open_filled_corpus(settings, intake.paths, "", load, progress, say) as workshop:
        yield workshop


@asynccontextmanager
async def open_filled_corpus(
    settings: Settings,
    files: Sequence[Path],
    variant: str,
    load: Load,
    progress: Progress,
    say: Callable[[str], None],
) -> AsyncIterator[Workshop]:
    """A database of its own for these files and this `variant` of reading them, which `load` fills once.

    Raises StorageError, EncoderError.
    """
    plain, urls = await asyncio.gather(
        asyncio.to_thread(load_configured_encoder, settings),
        asyncio.to_thread(prepare_databases, settings, say),
    )
    mark = fingerprint(files, cut_for(plain) + variant)
    url = await asyncio.to_thread(measuring_url, urls.corpus, mark)
    await asyncio.to_thread(upgrade, url, "corpus")
    with closing(
        VectorCache(settings.home / "vectors" / f"{plain.manifest.name}.sqlite", plain.manifest)
    ) as cache:
        encoder = CachedEncoder(plain, cache)
        async with open_stores(replace(urls, corpus=url), encoder.manifest) as stores:
            await stores.corpus.open()
            if await stores.corpus.read_mark(_MARK) != mark:
                bar, said = progress.add_task("documents", total=None), 0
                report = IndexReport()
                async for report in load(stores.corpus, encoder):
                    progress.update(bar, completed=report.seen)
                    if not progress.console.is_terminal and report.seen // SAID_EVERY > said:
                        said = report.seen // SAID_EVERY
                        say(f"{report.seen} documents …")
                await stores.corpus.write_mark(_MARK, mark)
                progress.remove_task(bar)
                say(f"{report.seen} documents, {report.passages} passages.")
            yield Workshop(stores, encoder)
