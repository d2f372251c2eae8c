"""A corpus of its own for measuring: the documents of a data folder, through the product's own door; and the
doors that its questions are searched through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from rich.progress import Progress
from sqlalchemy import make_url

from bot.app import Stores, Workshop, load_configured_encoder, open_stores, prepare_databases
from bot.ingest import Intake, load_files
from bot.library import fingerprint
from bot.literature import Doors
from config import Settings
from reasoning.encoders import CachedEncoder, Encoder
from reasoning.evaluation.questions import corpus_files
from reasoning.literature import Door
from reasoning.retrieval.indexing import IndexReport, cut_for
from storage.corpus import Corpus
from storage.errors import ServerUnavailable
from storage.schema import upgrade
from storage.vector_cache import VectorCache

_MARK = "measuring_corpus"
_NCBI = "nih.gov"
_PATIENCE = 600.0  # seconds that a question may wait for a server which is busy on the same machine
_UNPACED = 1000.0  # requests a second, where no other rate is set
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
    async with open_measuring_database(settings, files, variant, say) as (stores, encoder, mark):
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


@asynccontextmanager
async def open_measuring_database(
    settings: Settings, files: Sequence[Path], variant: str, say: Callable[[str], None]
) -> AsyncIterator[tuple[Stores, Encoder, str]]:
    """A database of its own with its mark, and the encoder, whose vectors are kept by text hash.

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
            yield stores, encoder, mark


@dataclass(frozen=True, slots=True)
class MeasuringDoors:
    """The doors of a question that is measured, and the name of the first: it is the one that is searched."""

    doors: Doors
    name: Door


@asynccontextmanager
async def open_measuring_doors(settings: Settings, corpus: Corpus) -> AsyncIterator[MeasuringDoors]:
    """The corpus by SQL; before it the server of CARECITE_EUTILS_BASE_URL, where that is not NCBI's.

    An evaluation never asks NCBI: thousands of questions would burden it, and what it finds changes by the
    day. What a server gives is not put into the measuring corpus, which stays as it is.
    """
    from reasoning.retrieval.eutils import PubMedDoor

    eutils = settings.eutils
    host = urlsplit(eutils.base_url).hostname or _NCBI
    name: Door = "corpus" if host == _NCBI or host.endswith(f".{_NCBI}") else "pubmed"
    patient = {"deadline": _PATIENCE, "per_second": eutils.per_second or _UNPACED}
    pubmed = PubMedDoor(eutils.model_copy(update=patient), settings.ncbi)
    try:
        yield MeasuringDoors(Doors(corpus, pubmed), name)
    finally:
        await pubmed.aclose()
