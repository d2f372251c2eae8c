"""The keeper: a small process that has PostgreSQL as its child and stops it when nobody is left.

Run as a script, in isolation, with the standard library only, so that it is light and starts fast:

    python -I -S keeper.py CLIENTS_LOCK CLUSTER UID GID LINGER postgres -D CLUSTER …

UID and GID are those of the account that PostgreSQL runs as; -1 leaves them alone. Every client of the
server holds a shared lock on CLIENTS_LOCK; the kernel drops it however the client ends. Once the keeper
has found the lock free for LINGER seconds it takes it exclusively and stops the server while holding it,
so no client can come in between. It ends too when the server dies: the next client starts a new keeper.
Standard output is only held open until the end, so that whoever started it sees it go. (Our choice; the
wheel's own bookkeeping by pid never stops after a kill -9 and can kill strangers: runtime.md 1.)
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

RUNNING_LOCK = "running.lock"
PROBE_EVERY = 0.5  # seconds
OLD_SERVER_PATIENCE = 10.0  # a killed postmaster leaves children that take a moment to notice
FAST_SHUTDOWN_PATIENCE = 60.0


def try_lock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def claim_cluster(cluster: Path) -> int | None:
    """Lock the cluster and clear what a dead server left; None when a server still lives there.

    Every server process inherits the lock, so holding it proves that none is alive. A postmaster.pid found
    then is stale, even where its number now belongs to another process. That process is never touched.
    """
    fd = os.open(cluster.parent / RUNNING_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + OLD_SERVER_PATIENCE
    while not try_lock(fd):
        if time.monotonic() > deadline:
            return None
        time.sleep(0.05)
    (cluster / "postmaster.pid").unlink(missing_ok=True)
    return fd


def binding_to_keeper() -> Callable[[], object] | None:
    """What the server's process must call so that the kernel stops it if the keeper is killed. Linux only.

    Everything is loaded here: after the change of account the standard library may be out of reach.
    """
    if sys.platform != "linux":
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(1, int(signal.SIGINT))  # PR_SET_PDEATHSIG; SIGINT is a fast shutdown


def start(cluster: Path, uid: int, gid: int, command: list[str]) -> subprocess.Popen[bytes] | None:
    lock = claim_cluster(cluster)
    if lock is None:
        print("keeper: another server process still uses", cluster, file=sys.stderr)  # noqa: T201
        return None
    server = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr.fileno(),
        cwd="/",
        pass_fds=[lock],
        preexec_fn=binding_to_keeper(),  # runs after the change of account, which would undo it
        user=uid if uid >= 0 else None,
        group=gid if gid >= 0 else None,
        extra_groups=[] if gid >= 0 else None,
    )
    os.close(lock)
    return server


def stop(server: subprocess.Popen[bytes]) -> None:
    for sign in (signal.SIGINT, signal.SIGQUIT):  # fast, then immediate: both are safe for the data
        server.send_signal(sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(FAST_SHUTDOWN_PATIENCE)
            return


def watch(server: subprocess.Popen[bytes], clients: int, linger: float) -> None:
    """Return once the server is gone, or may be stopped: then the exclusive lock is held, or SIGTERM came."""
    told: list[int] = []
    wake, waker = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda number, _: told.append(number))
    idle_since: float | None = None
    while server.poll() is None and not told:
        if not try_lock(clients):
            idle_since = None
        elif idle_since is None or time.monotonic() - idle_since < linger:
            fcntl.flock(clients, fcntl.LOCK_UN)
            idle_since = idle_since or time.monotonic()
        else:
            return
        if select.select([wake], [], [], min(PROBE_EVERY, max(linger, 0.02)))[0]:
            os.read(wake, 4096)


def main(arguments: list[str]) -> int:
    clients_lock, cluster, uid, gid, linger, *command = arguments
    if os.fork():
        os._exit(0)  # the caller reaps this half at once; the other half has no parent to bother
    os.setsid()
    os.umask(0o077)
    os.chdir("/")
    for ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(ignored, signal.SIG_IGN)
    server = start(Path(cluster), int(uid), int(gid), command)
    if server is None:
        return 1
    clients = os.open(clients_lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    watch(server, clients, float(linger))
    if server.poll() is None:
        stop(server)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
