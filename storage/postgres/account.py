"""Who the server runs as, and what that account can reach.

PostgreSQL refuses to run as root. When we are root it runs as the owner of the cluster, or for a new one as
the owner of home; where that is root too, as `postgres` or else `nobody`. That account must be able to enter
the folders of the cluster and of the programs; where home or the virtual environment lies below a private
folder such as /root, they go to SHARED_PLACE instead. An ordinary user has everything in home.
"""

from __future__ import annotations

import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path

SHARED_PLACE = Path("/var/lib/carecite")


@dataclass(frozen=True, slots=True)
class Account:
    name: str
    uid: int
    gid: int


def server_account(folder: Path) -> Account | None:
    """The account to change to, or None to stay who we are. `folder` is home's `postgres`."""
    if os.geteuid() != 0:
        return None
    for path in (folder / "data", folder, folder.parent):
        if path.exists() and (entry := path.stat()).st_uid != 0:
            return Account(f"with uid {entry.st_uid}", entry.st_uid, entry.st_gid)
    for name in ("postgres", "nobody"):
        try:
            known = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name, known.pw_uid, known.pw_gid)
    return Account("with uid 65534", 65534, 65534)


def share_with_owner(folder: Path) -> None:
    """Give what root has made in somebody's home to that somebody, who could not open it later otherwise."""
    owner = folder.parent.stat()
    if os.geteuid() == 0 and owner.st_uid != 0:
        for path in (folder, *folder.iterdir()):
            if path.lstat().st_uid == 0:
                os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def reachable(path: Path, account: Account) -> bool:
    """Whether the permission bits let the account enter all folders above `path`, and run or enter `path`.

    Access lists are not read: where they alone grant access, the answer is no and the shared place is used.
    """
    return all(_may_enter(step, account) for step in (path, *path.parents))


def _may_enter(path: Path, account: Account) -> bool:
    entry = path.stat()
    if entry.st_uid == account.uid:
        return bool(entry.st_mode & stat.S_IXUSR)
    if entry.st_gid == account.gid:
        return bool(entry.st_mode & stat.S_IXGRP)
    return bool(entry.st_mode & stat.S_IXOTH)


def make_folder(path: Path, *, open_to_all: bool) -> None:
    """Make a folder unless it is there: for ourselves, or (`open_to_all`) to be passed through by anyone.

    One that is there already keeps its permissions. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir()
    except FileExistsError:
        if not path.is_dir():
            raise NotADirectoryError(20, os.strerror(20), str(path)) from None
    else:
        path.chmod(0o711 if open_to_all else 0o700)
