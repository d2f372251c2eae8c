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
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

import psycopg
from psycopg import sql

from storage.errors import HomeUnusable, ServerUnavailable
from storage.postgres.account import make_folder, server_account, share_with_owner
from storage.postgres.binaries import find_bin_dir, make_runnable
from storage.postgres.cluster import USER, create_cluster, locate, read_password
from storage.postgres.launch import HOST, PATIENCE, Launch, connect, running_port
from storage.postgres.leases import Lease, exclusive

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
    deadline = time.monotonic() + PATIENCE
    try:
        for path in (home, folder):
            make_folder(path, open_to_all=os.geteuid() == 0)
        with exclusive(folder / "start.lock", deadline):
            lease = Lease(folder / "clients.lock", deadline)
            try:
                account = server_account(folder)
                cluster = locate(folder, account)
                password = read_password(folder, cluster)
                port = running_port(cluster, password)
                if port is None:
                    programs = make_runnable(bin_dir or find_bin_dir(), account)
                    if not cluster.exists():
                        sync = options.get("fsync") != "off"
                        create_cluster(cluster, programs, account, password, sync=sync)
                    launch = Launch(folder, cluster, programs / "postgres", account, linger)
                    port = launch.run(password, options, deadline)
                share_with_owner(folder)
            except BaseException:
                lease.release()
                raise
        return ServerAddress(HOST, port, USER, password, lease)
    except OSError as error:
        detail = f"{error.filename or home}: {error.strerror or error}."
        if error.errno in (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE):
            raise ServerUnavailable(
                detail, remedy="Free some memory or processes, then try again."
            ) from error
        raise HomeUnusable(detail) from error


def create_database(address: ServerAddress, name: str) -> None:
    """Create the database unless it is there; safe when many processes do so at once.

    Raises ServerUnavailable.
    """
    try:
        with connect(address.port, address.password, address.user, address.host) as connection:
            # CREATE DATABASE has no IF NOT EXISTS; the lock goes with the connection
            connection.execute("SELECT pg_advisory_lock(%s)", [_CREATE_DATABASE_LOCK])
            found = connection.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchone()
            if found is None:
                statement = sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name))
                connection.execute(statement)
    except psycopg.OperationalError as error:
        raise ServerUnavailable(str(error).strip()) from error
