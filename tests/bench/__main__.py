"""`python -m tests.bench`: the product beside its peers, in one table.

Offline; the peers come with the extra `bench`.

make bench                                   everything, on all documents where `carecite eval retrieval` has
                                             loaded them, else on 5,000 (some minutes the first time)
make bench BENCH="--documents all"           on all, loaded first (a good while)
python -m tests.bench --only lexical --json  one part, as JSON
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from bot.app import load_configured_encoder, prepare_databases
from bot.measuring import is_loaded
from config import Settings, load_settings
from tests.bench.chains import measure_chains
from tests.bench.chats import measure_burst, measure_chaos
from tests.bench.dense import measure_dense
from tests.bench.documents import Source, find_source
from tests.bench.graph import measure_graph
from tests.bench.ground import Ground, open_ground
from tests.bench.history import measure_history
from tests.bench.hybrid import measure_hybrid
from tests.bench.lexical import measure_lexical
from tests.bench.overhead import measure_overhead
from tests.bench.parsing import measure_parsing
from tests.bench.report import Row, print_rows
from tests.bench.segmentation import measure_segmentation
from tests.bench.vector_ingest import measure_vector_ingest

SEARCHES: Mapping[str, Callable[[Ground], Awaitable[list[Row]]]] = {
    "lexical": measure_lexical,
    "dense": measure_dense,
    "hybrid": measure_hybrid,
    "overhead": measure_overhead,
}
CHATS: Mapping[str, Callable[[], Coroutine[Any, Any, list[Row]]]] = {
    "burst": measure_burst,
    "chaos": measure_chaos,
    "history": measure_history,
}
NAMES = ("parsing", "vector_ingest", "graph", "chains", *SEARCHES, "segmentation", *CHATS)
SHARED = Path(__file__).parents[3] / "shared" / "data"


def read_options() -> argparse.Namespace:
    options = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure against peers.")
    options.add_argument("--only", choices=NAMES, action="append", help="this part; may be repeated")
    options.add_argument("--documents", help="how many, or `all` (default: all if loaded, else 5000)")
    options.add_argument("--questions", type=int, default=200, help="different questions (default 200)")
    options.add_argument("--repeats", type=int, default=3, help="turns of each side (default 3)")
    options.add_argument("--data", type=Path, default=SHARED, help="measuring data; generated if absent")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    return options.parse_args()


def note(text: str) -> None:
    Console(stderr=True, highlight=False).print(text, style="dim")


async def measure_searches(
    settings: Settings, source: Source, names: list[str], repeats: int
) -> tuple[list[Row], str]:
    """Rows, and what they were measured on."""
    rows: list[Row] = []
    async with open_ground(settings, source, repeats) as ground:
        passages = len(ground.read_passages())
        for name in names:
            note(f"{name} …")
            rows += await SEARCHES[name](ground)
    return rows, f"{source.origin}, {passages:,} passages, {len(source.questions)} questions"


def count_documents(wanted: str | None, data: Path, settings: Settings) -> int | None:
    """How many documents to search; None for all."""
    if wanted is None:
        whole = (data / "retrieval").is_dir() and is_loaded(settings, data)
        return None if whole else 5000
    return None if wanted == "all" else int(wanted)


def main() -> None:
    options = read_options()
    names = options.only or NAMES
    settings = load_settings()
    rows: list[Row] = []
    measured_on = ""
    count: int | None = None
    if "parsing" in names:
        note("parsing …")
        rows += measure_parsing(options.data, options.repeats)
    if "vector_ingest" in names:
        note("vector_ingest …")
        urls = prepare_databases(settings)
        rows += asyncio.run(measure_vector_ingest(urls.corpus, options.repeats))
        urls.release()
    if "graph" in names:
        note("graph …")
        urls = prepare_databases(settings)
        rows += asyncio.run(measure_graph(urls.corpus, options.data, options.repeats, options.questions))
        urls.release()
    if "chains" in names:
        note("chains …")
        rows += asyncio.run(measure_chains(settings, options.repeats))
    if searches := [name for name in SEARCHES if name in names]:
        count = count_documents(options.documents, options.data, settings)
        source = find_source(options.data, count, options.questions, settings.home)
        found, measured_on = asyncio.run(measure_searches(settings, source, searches, options.repeats))
        rows += found
    if "segmentation" in names:
        note("segmentation …")
        rows += measure_segmentation(options.data, load_configured_encoder(settings))
    for name in (name for name in CHATS if name in names):
        note(f"{name} …")
        rows += asyncio.run(CHATS[name]())
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    if options.json:
        report = {"measured_on": measured_on, "machine": load, "rows": [row.as_json() for row in rows]}
        json.dump(report, sys.stdout, ensure_ascii=False, indent=2)
    else:
        print_rows(rows, "; ".join(part for part in (measured_on, load) if part))
        if searches and count is not None:
            note("Peers slow down more as the corpus grows: --documents all measures on the whole one.")


if __name__ == "__main__":
    main()
