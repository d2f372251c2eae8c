"""What the tests of the embedded server share: homes, clients, and looks at real processes through /proc."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from storage.postgres import ServerAddress, ensure_server
from storage.postgres.account import SHARED_PLACE

ROOT = Path(__file__).parents[2]
CLIENT = Path(__file__).with_name("embedded_client.py")
FAST = {"fsync": "off", "full_page_writes": "off", "shared_buffers": "16MB"}
LINGER = 0.2
HANG = 30.0  # seconds: a limit against hanging, no more


def connect(address: ServerAddress) -> psycopg.Connection:
    return psycopg.connect(address.url(), autocommit=True)


def ask(address: ServerAddress, query: str) -> Any:
    with connect(address) as connection:
        row = connection.execute(query).fetchone()
    return row[0] if row else None


def start(home: Path, **more: object) -> ServerAddress:
    return ensure_server(home, options=FAST, linger=LINGER, **more)  # type: ignore[arg-type]


def cluster_of(home: Path) -> Path:
    return Path(os.path.realpath(home / "postgres" / "data"))


def postmaster_pid(home: Path) -> int:
    return int((cluster_of(home) / "postmaster.pid").read_text().split()[0])


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)


def processes_naming(text: str) -> list[int]:
    """The pids of keepers and postmasters: their command lines name the cluster."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if os.fsencode(text) in words:
                    found.append(int(entry.name))
    return found


def keeper_pid(home: Path) -> int:
    (pid,) = set(processes_naming(str(home / "postgres" / "clients.lock")))
    return pid


def no_process_left(home: Path) -> bool:
    """No keeper, and no server process at all: each of them holds the lock beside the cluster."""
    lock = cluster_of(home).parent / "running.lock"
    if lock.exists():
        with lock.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
    return not processes_naming(str(cluster_of(home)))


@contextlib.contextmanager
def new_home(*, owner: int = -1, below: Path | None = None) -> Iterator[Path]:
    """A home that other accounts can reach (pytest's folders are 0700), gone with its server in the end."""
    place = Path(tempfile.mkdtemp(prefix="carecite-", dir=below or "/tmp"))
    place.chmod(0o755)
    os.chown(place, owner, owner)
    home = place / "home"
    try:
        yield home
        wait_for(lambda: no_process_left(home))
    finally:
        cluster = cluster_of(home)
        if cluster.is_relative_to(SHARED_PLACE):
            shutil.rmtree(cluster.parent)
        shutil.rmtree(place)


def python_for_all() -> str:
    """An interpreter of this version that other accounts may run: ours may lie below /root.

    Skips where this checkout or its packages lie in a folder that is closed to other accounts.
    """
    for place in (ROOT, Path(psycopg.__file__).parents[1]):
        closed = [folder for folder in (place, *place.parents) if not folder.stat().st_mode & 0o001]
        if closed:
            pytest.skip(f"another account cannot enter {closed[-1]}, where this checkout lies")
    if not Path(os.path.realpath(sys.executable)).is_relative_to("/root"):
        return sys.executable
    found = shutil.which(f"python3.{sys.version_info.minor}", path="/usr/local/bin:/usr/bin")
    if found is None:
        pytest.skip("no interpreter of this version that another account can run")
    return found


class Client:
    """embedded_client.py, running."""

    def __init__(
        self, home: Path, *, python: str = sys.executable, user: int | None = None, **wishes: object
    ) -> None:
        self.process = subprocess.Popen(
            [python, CLIENT, home, json.dumps(wishes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"PATH": os.defpath, "PYTHONPATH": f"{ROOT}:{Path(psycopg.__file__).parents[1]}"},
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )

    def report(self) -> dict[str, str]:
        assert self.process.stdout is not None
        answer: dict[str, str] = json.loads(self.process.stdout.readline())
        return answer

    def leave(self) -> None:
        self.process.communicate(timeout=HANG)

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=HANG)
