"""Eight processes that bring one database up at the same moment: a program run by `test_startup.py`.

Prints how it went for each, a list for every database named.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier

from storage.corpus.schema import metadata
from storage.schema import upgrade

PROCESSES = 8


def start(url: str, barrier: Barrier, said: SimpleQueue[str]) -> None:
    try:
        barrier.wait(60)
        said.put("upgraded" if upgrade(url, "corpus") else "ready")
    except Exception as error:
        said.put(repr(error))


def start_together(url: str) -> list[str]:
    """How it went for each process that ended well."""
    context = multiprocessing.get_context("fork")
    barrier, said = context.Barrier(PROCESSES), context.SimpleQueue()
    processes = [context.Process(target=start, args=(url, barrier, said)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    return [said.get() for process in processes if process.exitcode == 0]


if __name__ == "__main__":
    assert metadata.tables  # imported before the fork, once for all
    print(json.dumps([start_together(url) for url in sys.argv[1:]]))  # noqa: T201
