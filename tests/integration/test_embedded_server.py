"""The embedded PostgreSQL server, with real servers and real processes: shared, killed, stale, taken."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socketserver
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from storage.errors import ServerUnavailable
from storage.postgres import create_database, ensure_server
from tests.integration.embedded import (
    FAST,
    LINGER,
    Client,
    ask,
    cluster_of,
    connect,
    keeper_pid,
    new_home,
    no_process_left,
    postmaster_pid,
    processes_naming,
    start,
    wait_for,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


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
    log = home / "postgres" / "server.log"
    wait_for(lambda: "terminated by signal 9" in log.read_text())
    assert "haemoptysis" not in log.read_text()
