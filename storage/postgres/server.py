"""Start the embedded server on demand and share it between processes.

```
client ──(shared lock on clients.lock: its lease)──┐
client ──(shared lock on clients.lock: its lease)──┤ the lock is free: nobody is left
                                                   ▼
                                   keeper ──parent of──> postgres (holds running.lock)
```
Home holds `postgres/`: data (or a link, see account.py), password, port, server.log and the locks. Whether
the server runs is decided by connecting and comparing its data folder, never by a pid. POSIX only.
"""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

import psycopg
from psycopg import sql

from storage.errors import HomeUnusable, ServerUnavailable
from storage.postgres.account import Account, make_folder, server_account, share_with_owner
from storage.postgres.binaries import find_bin_dir, make_runnable
from storage.postgres.cluster import (
    USER,
    create_cluster,
    explain_failure,
    locate,
    quiet_environment,
    read_password,
    settings_for,
)
from storage.postgres.leases import Lease, exclusive

_HOST = "127.0.0.1"
_PATIENCE = 120.0  # seconds, for one that stops before us and for recovery after a crash
_LOOK_EVERY = 0.02
_PORT_ATTEMPTS = 5
_LOG_LIMIT = 1 << 20  # bytes, then one older log is kept
_KEEPER = Path(__file__).with_name("keeper.py")
_NO_OPTIONS: Mapping[str, str] = MappingProxyType({})
_CREATE_DATABASE_LOCK = 0x6361_7265_6369_7465  # "carecite"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where the server listens, and the lease that keeps it running until `release()` or our end."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    lease: Lease = field(repr=False, compare=False)

    def url(self, database: str = "postgres") -> str:
        """A libpq URL; the password is URL-safe."""
        return f"postgresql://{self.user}:{self.password}@{self.host}:{self.port}/{database}?sslmode=disable"

    def release(self) -> None:
        """Say that this process needs the server no more. Close all connections first."""
        self.lease.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        self.release()


def ensure_server(
    home: Path, *, options: Mapping[str, str] = _NO_OPTIONS, bin_dir: Path | None = None, linger: float = 3.0
) -> ServerAddress:
    """The address of the server of this home, started if it does not run.

    Blocks (call it through `asyncio.to_thread`); safe from many threads and processes at once. `options` are
    server settings and, like `bin_dir` (another folder of PostgreSQL programs) and `linger` (seconds the
    server stays after its last client), count only for the one who starts it. If the server dies, call again:
    it recovers, on the same port unless that was taken; release the older address then.

    Raises HomeUnusable, ServerUnavailable.
    """
    home = Path(os.path.realpath(home))
    folder = home / "postgres"
    deadline = time.monotonic() + _PATIENCE
    try:
        for path in (home, folder):
            make_folder(path, open_to_all=os.geteuid() == 0)
        with exclusive(folder / "start.lock", deadline):
            lease = Lease(folder / "clients.lock", deadline)
            try:
                account = server_account(folder)
                cluster = locate(folder, account)
                password = read_password(folder, cluster)
                port = _running_port(cluster, password)
                if port is None:
                    programs = make_runnable(bin_dir or find_bin_dir(), account)
                    if not cluster.exists():
                        sync = options.get("fsync") != "off"
                        create_cluster(cluster, programs, account, password, sync=sync)
                    launch = _Launch(folder, cluster, programs / "postgres", account, linger)
                    port = launch.run(password, options, deadline)
                share_with_owner(folder)
            except BaseException:
                lease.release()
                raise
        return ServerAddress(_HOST, port, USER, password, lease)
    except OSError as error:
        detail = f"{error.filename or home}: {error.strerror or error}."
        if error.errno in (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE):
            raise ServerUnavailable(
                detail, remedy="Free some memory or processes, then try again."
            ) from error
        raise HomeUnusable(detail) from error


@dataclass(frozen=True, slots=True)
class _Launch:
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
                probe.bind((_HOST, 0))
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
                found = _running_port(self.cluster, password, refused_is_fatal=port)
                if found is not None:
                    return found
                if _is_over(keeper):
                    return None
                time.sleep(_LOOK_EVERY)
        raise ServerUnavailable(f"It did not answer within {_PATIENCE:.0f} s.", remedy=f"Read {log}.")


def _is_over(keeper: subprocess.Popen[bytes]) -> bool:
    """Whether the keeper has let go of its output, which it never writes to."""
    assert keeper.stdout is not None
    os.set_blocking(keeper.stdout.fileno(), False)
    try:
        return os.read(keeper.stdout.fileno(), 1) == b""
    except BlockingIOError:
        return False


def _running_port(cluster: Path, password: str, *, refused_is_fatal: int | None = None) -> int | None:
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
        with _connect(port, password) as connection:
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


def _connect(port: int, password: str, user: str = USER, host: str = _HOST) -> psycopg.Connection:
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
            probe.bind((_HOST, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def create_database(address: ServerAddress, name: str) -> None:
    """Create the database unless it is there; safe when many processes do so at once.

    Raises ServerUnavailable.
    """
    try:
        with _connect(address.port, address.password, address.user, address.host) as connection:
            # CREATE DATABASE has no IF NOT EXISTS; the lock goes with the connection
            connection.execute("SELECT pg_advisory_lock(%s)", [_CREATE_DATABASE_LOCK])
            found = connection.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchone()
            if found is None:
                statement = sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name))
                connection.execute(statement)
    except psycopg.OperationalError as error:
        raise ServerUnavailable(str(error).strip()) from error
