"""The embedded PostgreSQL server, with real servers and real processes (Linux: looks into /proc)."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socketserver
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import psycopg
import pytest

from storage.errors import HomeUnusable, ServerUnavailable
from storage.postgres import ServerAddress, create_database, ensure_server
from storage.postgres.account import SHARED_PLACE
from storage.postgres.binaries import find_bin_dir

ROOT = Path(__file__).parents[2]
CLIENT = Path(__file__).with_name("embedded_client.py")
FAST = {"fsync": "off", "full_page_writes": "off", "shared_buffers": "16MB"}
LINGER = 0.2
HANG = 30.0  # seconds: a limit against hanging, no more

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")


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


@pytest.fixture(scope="module")
def used_home() -> Iterator[Path]:
    with new_home() as path:
        yield path


@pytest.fixture
def home(used_home: Path) -> Iterator[Path]:
    """A home without a running server and with an empty log. Its database may exist: that saves an initdb."""
    (used_home / "postgres" / "server.log").unlink(missing_ok=True)
    yield used_home
    wait_for(lambda: no_process_left(used_home))


@pytest.fixture
def fresh_home() -> Iterator[Path]:
    with new_home() as path:
        yield path


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


def test_first_start_makes_a_private_utf8_cluster(fresh_home: Path) -> None:
    with start(fresh_home) as address, connect(address) as connection:
        settings: dict[str, str] = dict(
            connection.execute("SELECT name, setting FROM pg_settings").fetchall()
        )
        assert settings["data_directory"] == str(fresh_home / "postgres" / "data")
        assert settings["listen_addresses"] == "127.0.0.1"
        assert settings["unix_socket_directories"] == ""
        assert settings["jit"] == "off"
        assert settings["max_connections"] == "100"
        assert settings["fsync"] == "off"
        database = connection.execute(
            "SELECT pg_encoding_to_char(encoding), datlocprovider::text, datlocale, lower('ÄΣ')"
            " FROM pg_database WHERE datname = 'postgres'"
        ).fetchone()
        assert database == ("UTF8", "b", "C.UTF-8", "äσ")
        connection.execute("CREATE EXTENSION vector")
    for private in ("password", "server.log"):
        assert (fresh_home / "postgres" / private).stat().st_mode & 0o077 == 0
    assert address.password not in repr(address)


def test_wrong_and_missing_passwords_are_refused(home: Path) -> None:
    with start(home) as address:
        for password in ("wrong", ""):
            with pytest.raises(psycopg.OperationalError, match="password"):
                psycopg.connect(address.url(), password=password, passfile="/dev/null")
    rules = (cluster_of(home) / "pg_hba.conf").read_text().splitlines()
    assert {rule.split()[-1] for rule in rules if rule and not rule.startswith("#")} == {"scram-sha-256"}


def test_four_starters_at_once_and_later_ones_share_one_server(fresh_home: Path) -> None:
    clients = [Client(fresh_home) for _ in range(4)]
    reports = [client.report() for client in clients]
    with start(fresh_home) as address:
        assert {(report["port"], report["started"]) for report in reports} == {
            (str(address.port), ask(address, "SELECT pg_postmaster_start_time()::text"))
        }
        assert len(processes_naming(str(cluster_of(fresh_home)))) == 2  # one keeper, one postmaster
        for client in clients:
            client.leave()


def test_the_server_stays_for_the_last_client_and_then_stops(home: Path) -> None:
    client = Client(home)
    first = client.report()
    address = start(home)
    client.leave()
    time.sleep(5 * LINGER)
    assert ask(address, "SELECT pg_postmaster_start_time()::text") == first["started"]
    address.release()
    wait_for(lambda: no_process_left(home))
    assert not (cluster_of(home) / "postmaster.pid").exists()
    assert "database system is shut down" in (home / "postgres" / "server.log").read_text()


def test_after_a_killed_client_the_server_stops_and_starts_again(home: Path) -> None:
    client = Client(home)
    before = client.report()
    client.kill()
    wait_for(lambda: no_process_left(home))
    with start(home) as address:
        assert str(address.port) == before["port"]
        assert ask(address, "SELECT pg_postmaster_start_time()::text") != before["started"]


def test_programs_started_by_a_client_do_not_keep_the_server(home: Path) -> None:
    client = Client(home, spawn=True)
    child = int(client.report()["child"])
    try:
        client.kill()
        wait_for(lambda: no_process_left(home))
        os.kill(child, 0)
    finally:
        os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize("patient", [False, True], ids=["at once", "later"])
def test_a_killed_server_recovers_with_its_rows(home: Path, patient: bool) -> None:
    address = start(home)
    with connect(address) as idle, connect(address) as connection:
        connection.execute("DROP TABLE IF EXISTS kept")
        connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
        idle.execute("SELECT 1")
        os.kill(postmaster_pid(home), signal.SIGKILL)
        if patient:
            address.release()
            wait_for(lambda: no_process_left(home))
        with start(home) as again:
            assert again.port == address.port
            assert ask(again, "SELECT count(*) FROM kept") == 1000
    address.release()
    assert "automatic recovery in progress" in (home / "postgres" / "server.log").read_text()


def test_a_killed_keeper_takes_the_server_along(home: Path) -> None:
    address = start(home)
    ask(address, "SELECT 1 FROM pg_class")
    os.kill(keeper_pid(home), signal.SIGKILL)
    wait_for(lambda: no_process_left(home))
    with start(home) as again:
        assert ask(again, "SELECT 1") == 1
    address.release()


def test_sigterm_to_the_keeper_stops_the_server_cleanly(home: Path) -> None:
    address = start(home)
    os.kill(keeper_pid(home), signal.SIGTERM)
    wait_for(lambda: no_process_left(home))
    address.release()
    assert "database system is shut down" in (home / "postgres" / "server.log").read_text()


def test_a_stale_pid_file_that_names_an_innocent_process_does_it_no_harm(home: Path) -> None:
    with start(home):
        pid_file = cluster_of(home) / "postmaster.pid"
        lines = pid_file.read_text().splitlines()
    wait_for(lambda: no_process_left(home))
    owner = cluster_of(home).stat().st_uid
    innocent = subprocess.Popen(["sleep", "600"], user=owner if os.geteuid() == 0 else None)
    try:
        pid_file.write_text("\n".join([str(innocent.pid), *lines[1:]]) + "\n")
        os.chown(pid_file, owner, -1)
        with start(home) as address:
            assert ask(address, "SELECT 1") == 1
            assert postmaster_pid(home) != innocent.pid
        wait_for(lambda: no_process_left(home))
        assert innocent.poll() is None
    finally:
        innocent.kill()
        innocent.wait()


class Stranger(socketserver.TCPServer):
    """A program that is no PostgreSQL: closes every connection."""

    allow_reuse_address = True

    def __enter__(self) -> Stranger:
        Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


@pytest.mark.parametrize("stale", [False, True], ids=["clean", "stale pid file"])
def test_a_port_taken_by_another_program_is_left_to_it(home: Path, stale: bool) -> None:
    with start(home) as address:
        before = (cluster_of(home) / "postmaster.pid").read_text()
    wait_for(lambda: no_process_left(home))
    if stale:
        (cluster_of(home) / "postmaster.pid").write_text(before)
    with Stranger(("127.0.0.1", address.port), socketserver.BaseRequestHandler), start(home) as again:
        assert again.port != address.port
        assert ask(again, "SELECT 1") == 1


def test_the_server_of_another_home_is_not_mistaken_for_ours(home: Path) -> None:
    with start(home), new_home() as other:
        start(other).release()
        wait_for(lambda: no_process_left(other))
        shutil.copy(home / "postgres" / "password", other / "postgres" / "password")
        shutil.copy(cluster_of(home) / "postmaster.pid", cluster_of(other) / "postmaster.pid")
        with pytest.raises(ServerUnavailable, match="refuses the password"):
            start(other)


def test_a_server_without_a_free_connection_is_not_taken_for_a_dead_one(home: Path) -> None:
    narrow = FAST | {"max_connections": "4", "superuser_reserved_connections": "1"}
    with ensure_server(home, options=narrow, linger=LINGER) as address, contextlib.ExitStack() as full:
        for _ in range(4):
            full.enter_context(connect(address))
        with pytest.raises(ServerUnavailable, match="connections are in use"):
            start(home)


def test_clients_that_come_while_it_stops_always_get_a_server(home: Path) -> None:
    def come_and_go(_: int) -> int:
        answers = 0
        for _ in range(6):
            with ensure_server(home, options=FAST, linger=0) as address:
                answers += ask(address, "SELECT 1") == 1
        return answers

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(come_and_go, range(3))) == [6, 6, 6]


def test_eight_racers_create_one_database(home: Path) -> None:
    with start(home) as address:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: create_database(address, 'corpus "1"'), range(8)))
        assert ask(address, "SELECT count(*) FROM pg_database WHERE datname = 'corpus \"1\"'") == 1


def test_the_log_holds_no_words_of_a_patient(home: Path) -> None:
    options = FAST | {"log_statement": "all", "log_min_messages": "debug1", "log_error_verbosity": "verbose"}
    with ensure_server(home, options=options, linger=LINGER) as address:
        with connect(address) as connection:
            connection.execute("CREATE TABLE words (word text PRIMARY KEY)")
            for query, values in (
                ("SELECT 'haemoptysis'::int", None),
                ("SELECT %s::text::int", ["haemoptysis"]),
                ("INSERT INTO words VALUES (%(w)s), (%(w)s)", {"w": "haemoptysis"}),
                ("SELECT haemoptysis", None),
                ("DO $$ BEGIN RAISE WARNING 'haemoptysis'; RAISE division_by_zero; END $$", None),
            ):
                with pytest.raises(psycopg.Error):
                    connection.execute(query, values)
        crashing = connect(address)
        pid = crashing.info.backend_pid
        with ThreadPoolExecutor(1) as pool:
            lost = pool.submit(crashing.execute, "SELECT pg_sleep(60) /* haemoptysis */")
            wait_for(
                lambda: bool(
                    ask(address, f"SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE pid = {pid}")
                )
            )
            os.kill(pid, signal.SIGKILL)
            assert isinstance(lost.exception(), psycopg.OperationalError)
        crashing.close()
    log = (home / "postgres" / "server.log").read_text()
    assert "terminated by signal 9" in log
    assert "haemoptysis" not in log


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
def test_a_read_only_or_full_disk_is_refused_in_words(
    fresh_home: Path, mount_options: str, words: str
) -> None:
    report = mount_and_run(fresh_home, mount_options)
    assert report["error"] == "HomeUnusable"
    assert words in report["text"]
    assert "CARECITE_HOME" in report["remedy"]


def python_for_all() -> str:
    """An interpreter of this version that other accounts may run: ours may lie below /root."""
    if not Path(os.path.realpath(sys.executable)).is_relative_to("/root"):
        return sys.executable
    found = shutil.which(f"python3.{sys.version_info.minor}", path="/usr/local/bin:/usr/bin")
    if found is None:
        pytest.skip("no interpreter of this version that another account can run")
    return found


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
