"""The database cluster on disk: where it lies, how it is made, its password."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from storage.errors import HomeUnusable, ServerUnavailable, StorageError
from storage.postgres.account import SHARED_PLACE, Account, make_folder, reachable

USER = "carecite"
_LONGEST_PATH = 900  # bytes; PostgreSQL cuts paths at 1024 and appends its own names
_NOTE = """\
The database of the carecite data folder {home} lies in {cluster}, because the account that the server runs
as may not enter that data folder. To erase everything, stop carecite and delete both.
"""


def locate(folder: Path, account: Account | None) -> Path:
    """The absolute path of the cluster, existing or to be made: `folder`/data, or where that link points.

    `folder` is home's `postgres`. Raises HomeUnusable, OSError.
    """
    data = folder / "data"
    if not os.path.lexists(data) and account is not None and not reachable(folder, account):
        make_folder(SHARED_PLACE, open_to_all=True)
        place = Path(tempfile.mkdtemp(dir=SHARED_PLACE, prefix="home-"))
        place.chmod(0o711)
        note = _NOTE.format(home=folder.parent, cluster=place)
        for where in (place, folder):
            (where / "README.txt").write_text(note, encoding="utf-8")
        data.symlink_to(place / "data")
    cluster = Path(os.path.realpath(data))
    if len(os.fsencode(cluster)) > _LONGEST_PATH:
        raise HomeUnusable(f"The path has more than {_LONGEST_PATH} bytes: {str(folder)[:80]}…")
    make_folder(cluster.parent, open_to_all=account is not None)
    if account is not None and not reachable(cluster.parent, account):
        raise HomeUnusable(
            f"The account {account.name}, which the server runs as, may not enter {cluster.parent}.",
            remedy=f"Let it pass through (chmod o+x on each folder of that path), or move {data} elsewhere.",
        )
    return cluster


def read_password(folder: Path, cluster: Path) -> str:
    """The database password, made on first use. Raises HomeUnusable when it is lost, OSError."""
    path = folder / "password"
    if not path.exists():
        if cluster.exists():
            raise HomeUnusable(
                f"{path} is missing, and without it the database in {cluster} stays closed.",
                remedy=f"Put the file back, or delete {cluster} and {folder / 'data'} to begin anew.",
            )
        scratch = path.with_name("password.new")
        scratch.unlink(missing_ok=True)
        with open(
            os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii"
        ) as file:
            file.write(secrets.token_urlsafe(32))
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    return path.read_text("ascii").strip()


def create_cluster(
    cluster: Path, bin_dir: Path, account: Account | None, password: str, *, sync: bool
) -> None:
    """Run initdb beside the cluster's place and move the result there: it is whole, or it is not there.

    `sync` waits for the disk. Raises HomeUnusable, ServerUnavailable, OSError.
    """
    for remains in cluster.parent.glob("data-new-*"):
        shutil.rmtree(remains, ignore_errors=True)
    scratch = Path(tempfile.mkdtemp(dir=cluster.parent, prefix="data-new-"))
    secret, secret_path = tempfile.mkstemp(dir=cluster.parent, prefix="initdb-")
    try:
        with open(secret, "w", encoding="ascii") as file:
            file.write(password)
        if account is not None:
            os.chown(scratch, account.uid, account.gid)
            os.chown(secret_path, account.uid, account.gid)
        _run_initdb(scratch, bin_dir, account, secret_path, sync)
        scratch.rename(cluster)
    finally:
        os.unlink(secret_path)
        shutil.rmtree(scratch, ignore_errors=True)


def _run_initdb(scratch: Path, bin_dir: Path, account: Account | None, secret: str, sync: bool) -> None:
    done = subprocess.run(
        [
            *(bin_dir / "initdb", "-D", scratch, "-U", USER, "--pwfile", secret, "--encoding=UTF8"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            f"--locale={'C.UTF-8' if sys.platform == 'linux' else 'C'}",
            *("--auth-local=scram-sha-256", "--auth-host=scram-sha-256"),
            *(() if sync else ("--no-sync",)),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
        cwd="/",
        env=quiet_environment(),
        umask=0o077,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    if done.returncode != 0:
        raise explain_failure("It could not make its files.", done.stderr)


def quiet_environment() -> dict[str, str]:
    """What the server's processes need of ours: no PG* settings, and no keys for another account to read."""
    needed = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
    return {name: os.environ[name] for name in needed if name in os.environ}


def explain_failure(what: str, output: str) -> StorageError:
    """The error to raise for a failed program, with the last lines it printed."""
    lines = output.strip().splitlines()[-6:]
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
        if os.strerror(number) in output:
            return HomeUnusable(
                f"{os.strerror(number)}.", remedy="Make room, or set CARECITE_HOME elsewhere."
            )
    return ServerUnavailable(
        f"{what} It said: {' | '.join(lines) or 'nothing'}",
        remedy="Mend what it names, then run the command again.",
    )
