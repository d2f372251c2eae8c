"""File locks. The kernel drops them however a process ends, kill -9 included; pids are never looked at."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from storage.errors import ServerUnavailable

_TRY_EVERY = 0.02  # seconds


class Lease:
    """A shared lock that says "I use the server", held until `release()` or the end of the process.

    Programs that this process starts do not inherit it. A plain fork does: the server then runs until parent
    and child have both let go, which is why `release` closes and does not unlock.
    """

    def __init__(self, path: Path, deadline: float) -> None:
        """Wait until `deadline` (monotonic seconds). Raises ServerUnavailable, OSError."""
        self._fd: int | None = _lock(path, fcntl.LOCK_SH, deadline, "The server is still stopping.")

    def release(self) -> None:
        fd, self._fd = self._fd, None
        if fd is not None:
            os.close(fd)


@contextlib.contextmanager
def exclusive(path: Path, deadline: float) -> Iterator[None]:
    """Hold the lock at `path` alone. Raises ServerUnavailable at `deadline` (monotonic seconds), OSError."""
    fd = _lock(path, fcntl.LOCK_EX, deadline, "Another process has been starting it for too long.")
    try:
        yield
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)  # explicitly: a fork of another thread may hold a copy of the fd
        os.close(fd)


def _lock(path: Path, kind: int, deadline: float, complaint: str) -> int:
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while True:
            try:
                fcntl.flock(fd, kind | fcntl.LOCK_NB)
                return fd
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise ServerUnavailable(complaint, remedy="Try again in a minute.") from None
            time.sleep(_TRY_EVERY)
    except BaseException:
        os.close(fd)
        raise
