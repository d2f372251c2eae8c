"""Eight processes that bring one database up at the same moment: a program run by `test_startup.py`.

Prints how it went for each.
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


if __name__ == "__main__":
    assert metadata.tables  # imported before the fork, once for all
    context = multiprocessing.get_context("fork")
    barrier, said = context.Barrier(PROCESSES), context.SimpleQueue()
    processes = [context.Process(target=start, args=(sys.argv[1], barrier, said)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    print(json.dumps([said.get() for process in processes if process.exitcode == 0]))  # noqa: T201
