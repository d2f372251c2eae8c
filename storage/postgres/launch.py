"""Starting the server through its keeper, and finding the one that runs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psycopg

from storage.errors import ServerUnavailable
from storage.postgres.account import Account
from storage.postgres.cluster import USER, explain_failure, quiet_environment
from storage.postgres.settings import settings_for

HOST = "127.0.0.1"
PATIENCE = 120.0  # seconds, for one that stops before us and for recovery after a crash
_LOOK_EVERY = 0.02
_PORT_ATTEMPTS = 5
_LOG_LIMIT = 1 << 20  # bytes, then one older log is kept
_KEEPER = Path(__file__).with_name("keeper.py")


@dataclass(frozen=True, slots=True)
class Launch:
    """What a start needs to know: home's `postgres`, the cluster, the program, and as whom it runs."""

    folder: Path
    cluster: Path
    program: Path
    account: Account | None
    linger: float

    def run(self, password: str, options: Mapping[str, str], deadline: float) -> int:
        """Start a keeper and wait until the server answers; its port."""
        log = self.folder / "server.log"
        if log.exists() and log.stat().st_size > _LOG_LIMIT:
            log.replace(log.with_suffix(".log.1"))
        for _ in range(_PORT_ATTEMPTS):
            port = self._choose_port()
            begin = log.stat().st_size if log.exists() else 0
            found = self._attempt(port, password, options, log, deadline)
            if found is not None:
                return found
            if _is_free(port):  # otherwise another program took it between our look and the start
                break
        with log.open("rb") as file:
            file.seek(begin)
            raise explain_failure("It did not start.", file.read().decode(errors="replace"))

    def _choose_port(self) -> int:
        """The port of last time, so that older addresses stay true, or another where it is taken."""
        memory = self.folder / "port"
        try:
            port = int(memory.read_text("ascii"))
        except (FileNotFoundError, ValueError):
            port = 0
        if not (0 < port < 65536 and _is_free(port)):
            with socket.socket() as probe:
                probe.bind((HOST, 0))
                port = probe.getsockname()[1]
            memory.write_text(f"{port}\n", "ascii")
        return port

    def _attempt(
        self, port: int, password: str, options: Mapping[str, str], log: Path, deadline: float
    ) -> int | None:
        """The port of the server once it answers, or None when the keeper gave up."""
        owner = (self.account.uid, self.account.gid) if self.account else (-1, -1)
        keep = (self.folder / "clients.lock", self.cluster, *owner, self.linger)
        serve = (self.program, "-D", self.cluster, *settings_for(options, port))
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", *map(str, (_KEEPER, *keep, *serve))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=output,
                cwd="/",
                env=quiet_environment(),
                start_new_session=True,
            )
        finally:
            os.close(output)
        with keeper:  # it waits only for the half that forks and leaves
            while time.monotonic() < deadline:
                found = running_port(self.cluster, password, refused_is_fatal=port)
                if found is not None:
                    return found
                if _is_over(keeper):
                    return None
                time.sleep(_LOOK_EVERY)
        raise ServerUnavailable(f"It did not answer within {PATIENCE:.0f} s.", remedy=f"Read {log}.")


def _is_over(keeper: subprocess.Popen[bytes]) -> bool:
    """Whether the keeper has let go of its output, which it never writes to."""
    assert keeper.stdout is not None
    os.set_blocking(keeper.stdout.fileno(), False)
    try:
        return os.read(keeper.stdout.fileno(), 1) == b""
    except BlockingIOError:
        return False


def running_port(cluster: Path, password: str, *, refused_is_fatal: int | None = None) -> int | None:
    """The port of the server that runs on this very cluster, or None.

    `refused_is_fatal` is the port on which only our server can be: there a refused password is an error.
    """
    try:
        lines = (cluster / "postmaster.pid").read_text("utf-8", "replace").splitlines()
        port, ready = int(lines[3]), lines[7].strip() == "ready"
    except (FileNotFoundError, NotADirectoryError, IndexError, ValueError):
        return None
    if not ready:
        return None
    try:
        with connect(port, password) as connection:
            row = connection.execute("SELECT current_setting('data_directory')").fetchone()
    except psycopg.Error as error:
        if "too many clients" in str(error):
            raise ServerUnavailable(
                "All its connections are in use.", remedy="Stop some workers, then try again."
            ) from None
        if port == refused_is_fatal and "password authentication failed" in str(error):
            raise ServerUnavailable(
                "It refuses the password in its data folder.",
                remedy="Put back the file `password` that belongs to this database.",
            ) from None
        return None
    return port if row is not None and row[0] == str(cluster) else None


def connect(port: int, password: str, user: str = USER, host: str = HOST) -> psycopg.Connection:
    return psycopg.connect(
        host=host,
        port=port,
        user=user,
        password=password,
        dbname="postgres",
        sslmode="disable",
        connect_timeout=5,
        autocommit=True,
    )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
            probe.listen(1)
        except OSError:
            return False
    return True
