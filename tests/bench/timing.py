"""Wall and processor time of several ways to do the same, on a machine that does other things too.

The ways take turns in small blocks, so that a busy minute hits all of them; an item counts with the median of
its repeats.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypeVar

import psycopg

Item = TypeVar("Item")
BLOCK = 20  # items a turn: long enough for the kernel's clock ticks


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds an item: median, 95th percentile, and mean processor time."""

    p50: float
    p95: float
    cpu: float

    def __str__(self) -> str:
        return f"{_ms(self.p50)} / {_ms(self.p95)}, cpu {_ms(self.cpu)}"

    def as_json(self) -> dict[str, float]:
        return {f"{name}_ms": round(getattr(self, name), 4) for name in ("p50", "p95", "cpu")}


def _ms(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Processors:
    """Seconds of processor time of this process, and of a PostgreSQL server on the same machine."""

    def __init__(self, url: str | None = None) -> None:
        self._server = _postmaster(url) if url else None

    def __call__(self) -> float:
        return time.process_time() + (_server_seconds(self._server) if self._server else 0.0)


def _postmaster(url: str) -> int | None:
    """The parent of a backend; None where the server is elsewhere."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_backend_pid()").fetchone()
        stat = Path(f"/proc/{row[0]}/stat") if row else None
        if stat is None or not stat.exists() or "(postgres)" not in stat.read_text():
            return None
        return _Process.read(stat).parent


class _Process(NamedTuple):
    """From /proc/PID/stat, in hundredths of a second; `reaped` is the time of children that have ended."""

    parent: int
    used: int
    reaped: int

    @classmethod
    def read(cls, stat: Path) -> _Process:
        words = stat.read_text().rpartition(")")[2].split()
        return cls(int(words[1]), int(words[11]) + int(words[12]), int(words[13]) + int(words[14]))


def _server_seconds(postmaster: int) -> float:
    """Of all processes of the server, those that have ended included."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            process = _Process.read(stat)
        except OSError:  # it ended meanwhile
            continue
        if int(stat.parent.name) == postmaster:
            ticks += process.used + process.reaped
        elif process.parent == postmaster:
            ticks += process.used
    return ticks / 100


async def take_turns(
    ways: Mapping[str, Callable[[Item], Awaitable[Any]]],
    items: Sequence[Item],
    repeats: int,
    processors: Processors,
) -> dict[str, Taken]:
    """Every item through every way, `repeats` times, after one block of each to warm up."""
    for work in ways.values():
        for item in items[:BLOCK]:
            await work(item)
    walls: dict[str, list[list[float]]] = {name: [[] for _ in items] for name in ways}
    cpu = dict.fromkeys(ways, 0.0)
    names = list(ways)
    for turn in range(repeats):
        for start in range(0, len(items), BLOCK):
            places = range(start, min(start + BLOCK, len(items)))
            for name in names[turn % len(names) :] + names[: turn % len(names)]:
                busy = processors()
                for place in places:
                    began = time.perf_counter()
                    await ways[name](items[place])
                    walls[name][place].append(1000 * (time.perf_counter() - began))
                cpu[name] += processors() - busy
    return {
        name: _taken([median(times) for times in walls[name]], 1000 * cpu[name] / (repeats * len(items)))
        for name in ways
    }


def _taken(walls: Sequence[float], cpu: float) -> Taken:
    return Taken(percentile(walls, 0.5), percentile(walls, 0.95), cpu)
