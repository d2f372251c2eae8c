"""Where the embedded server keeps its files, as whom it runs, and what it says when it cannot."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.errors import HomeUnusable, ServerUnavailable
from storage.postgres import ensure_server
from storage.postgres.account import SHARED_PLACE
from storage.postgres.binaries import find_bin_dir
from tests.integration.embedded import (
    CLIENT,
    FAST,
    LINGER,
    ROOT,
    Client,
    ask,
    cluster_of,
    connect,
    new_home,
    no_process_left,
    python_for_all,
    start,
    wait_for,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")


@pytest.fixture
def home() -> Iterator[Path]:
    with new_home() as path:
        yield path


def test_a_very_long_home_path_works() -> None:
    with new_home() as place, start(place.parent / ("d" * 200) / ("e" * 200) / ("f" * 200)) as address:
        deep = Path(str(ask(address, "SELECT current_setting('data_directory')"))).parents[1]
        assert len(str(deep)) > 600
        address.release()
        wait_for(lambda: no_process_left(deep))


def test_a_path_too_long_for_postgresql_is_refused_in_words() -> None:
    with new_home() as place, pytest.raises(HomeUnusable, match="bytes"):
        start(place.parent.joinpath(*["d" * 200] * 5))


def test_a_home_below_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for home in (tmp_path / "file", tmp_path / "file" / "home"):
        with pytest.raises(HomeUnusable, match="The data folder cannot be used") as caught:
            start(home)
        assert "CARECITE_HOME" in caught.value.remedy


def test_a_lost_password_is_explained(home: Path) -> None:
    start(home).release()
    wait_for(lambda: no_process_left(home))
    password = home / "postgres" / "password"
    text = password.read_text()
    password.unlink()
    with pytest.raises(HomeUnusable, match="password is missing"):
        start(home)
    password.write_text(text)


def test_a_server_that_cannot_start_says_why(home: Path) -> None:
    with pytest.raises(ServerUnavailable, match="shared_buffers"):
        ensure_server(home, options=FAST | {"shared_buffers": "plenty"}, linger=LINGER)
    with start(home) as address:
        assert ask(address, "SELECT 1") == 1


def mount_and_run(home: Path, mount_options: str) -> dict[str, str]:
    """The report of a client whose home's parent is a tmpfs of its own, seen by that client alone."""
    script = f'mount -t tmpfs -o {mount_options} none "$0" && exec "$1" "$2" "$0/home"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, home.parent, sys.executable, CLIENT],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        pytest.skip(f"cannot mount here: {done.stderr.strip()}")
    report: dict[str, str] = json.loads(done.stdout)
    return report


@as_root
@pytest.mark.parametrize(
    ("mount_options", "words"),
    [("ro", "Read-only file system"), ("size=4m,mode=755", "No space left on device")],
)
def test_a_read_only_or_full_disk_is_refused_in_words(home: Path, mount_options: str, words: str) -> None:
    report = mount_and_run(home, mount_options)
    assert report["error"] == "HomeUnusable"
    assert words in report["text"]
    assert "CARECITE_HOME" in report["remedy"]


@as_root
def test_an_ordinary_user_has_everything_in_home_and_root_can_share_it() -> None:
    nobody = 65534
    with new_home(owner=nobody) as home:
        client = Client(home, python=python_for_all(), user=nobody)
        report = client.report()
        assert report["cluster"] == str(home / "postgres" / "data")
        with start(home) as address:
            assert str(address.port) == report["port"]
        client.leave()
        wait_for(lambda: no_process_left(home))
        (home / "postgres" / "server.log").unlink()
        start(home).release()
        wait_for(lambda: no_process_left(home))
        assert {path.stat().st_uid for path in home.rglob("*")} == {nobody}
        again = Client(home, python=python_for_all(), user=nobody)
        assert again.report()["cluster"] == report["cluster"]
        again.leave()


@as_root
def test_a_home_of_somebody_else_is_refused_in_words() -> None:
    with new_home() as home:
        client = Client(home, python=python_for_all(), user=65534)
        report = client.report()
        client.leave()
        assert report["error"] == "HomeUnusable"
        assert f"{home}: Permission denied" in report["text"]


@as_root
def test_below_a_private_folder_cluster_and_programs_move_to_the_shared_place(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    package = find_bin_dir().parents[1]
    for part in (package, package.with_name(f"{package.name}.libs")):
        shutil.copytree(part, tmp_path / part.name)
    copies = set(SHARED_PLACE.glob("programs-*"))
    with new_home(below=tmp_path) as home:
        with start(home, bin_dir=tmp_path / package.name / "pginstall" / "bin") as address:
            cluster = cluster_of(home)
            assert cluster.is_relative_to(SHARED_PLACE)
            assert cluster.stat().st_mode & 0o077 == 0
            assert str(cluster.parent) in (home / "postgres" / "README.txt").read_text()
            assert ask(address, "SELECT current_setting('data_directory')") == str(cluster)
            with connect(address) as connection:
                connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
        wait_for(lambda: no_process_left(home))
        with start(home) as again:
            assert ask(again, "SELECT n FROM kept") == 1
    (copy,) = set(SHARED_PLACE.glob("programs-*")) - copies
    shutil.rmtree(copy)
