"""Vectors into a table: the product's binary COPY against INSERTs; same rows, one transaction each."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector_async

from storage.corpus.rows import copy_vectors, passage_vectors
from storage.encoders import MINILM
from tests.bench.report import Aim, Row
from tests.bench.timing import Processors, Taken, percentile

ROWS = 10_000
_TABLE = "bench_vectors"  # no vector index: its upkeep would hide the transport, and is the same for all
_INSERT = f"INSERT INTO {_TABLE} (passage_id, embedding) VALUES (%s, %s)"


async def measure_vector_ingest(url: str, repeats: int) -> list[Row]:
    drawn = np.random.default_rng(1).standard_normal((ROWS, MINILM.dimensions), dtype=np.float32)
    rows = [(place, HalfVector(vector)) for place, vector in enumerate(drawn)]
    manifest = replace(MINILM, table=_TABLE)

    async def copy(driver: psycopg.AsyncConnection[Any]) -> None:
        await copy_vectors(driver, passage_vectors(manifest), rows)

    async def insert_many(driver: psycopg.AsyncConnection[Any]) -> None:
        async with driver.cursor() as cursor:
            await cursor.executemany(_INSERT, rows)

    async def insert_each(driver: psycopg.AsyncConnection[Any]) -> None:
        async with driver.cursor() as cursor:
            for row in rows:
                await cursor.execute(_INSERT, row)

    ways = {"COPY": copy, "executemany": insert_many, "row inserts": insert_each}
    taken = await _take_turns(ways, url, repeats)
    aims = {"row inserts": Aim(">=", 10.0), "executemany": None}
    return [
        Row(
            "vector_ingest",
            f"{ROWS:,} × {MINILM.dimensions} half vectors, a row",
            taken[peer].p50 / taken["COPY"].p50,
            aim=aim,
            ours=taken["COPY"],
            peer=taken[peer],
            peer_name=peer,
            details={"rows": ROWS, "cpu_ratio": round(taken[peer].cpu / taken["COPY"].cpu, 2)},
        )
        for peer, aim in aims.items()
    ]


async def _take_turns(
    ways: dict[str, Callable[[psycopg.AsyncConnection[Any]], Awaitable[None]]], url: str, repeats: int
) -> dict[str, Taken]:
    processors = Processors(url)
    walls: dict[str, list[float]] = {name: [] for name in ways}
    cpu: dict[str, list[float]] = {name: [] for name in ways}
    async with await psycopg.AsyncConnection.connect(url) as driver:
        await register_vector_async(driver)
        for _ in range(3 * repeats):  # a tenth of a second each, and the disk has its moods
            for name, work in ways.items():
                await driver.execute(f"DROP TABLE IF EXISTS {_TABLE}")
                vectors = f"halfvec({MINILM.dimensions})"
                await driver.execute(
                    f"CREATE TABLE {_TABLE} (passage_id int PRIMARY KEY, embedding {vectors})"
                )
                await driver.commit()
                busy, began = processors(), time.perf_counter()
                await work(driver)
                await driver.commit()
                walls[name].append(1000 * (time.perf_counter() - began) / ROWS)
                cpu[name].append(1000 * (processors() - busy) / ROWS)
        await driver.execute(f"DROP TABLE {_TABLE}")
    return {
        name: Taken(median(walls[name]), percentile(walls[name], 0.95), median(cpu[name])) for name in ways
    }
