"""Homes that cannot be written, ports that are taken, servers that are none, and databases of the future."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from bot.library import LIBRARY
from storage.database import newest_revision
from tests.integration.embedded import new_home, no_process_left, wait_for
from tests.program import FRANCE, Call, Program, run_process, says_sorry

NOBODY = 65534


@contextmanager
def listener(answer: bytes) -> Iterator[int]:
    """A port on which something else than PostgreSQL answers everybody."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    client.recv(4096)
                    client.sendall(answer)

        thread = Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def test_a_fresh_home_is_prepared_and_moves_to_another_port_when_its_own_is_taken() -> None:
    with new_home() as home:
        settings = {"CARECITE_HOME": str(home)}
        empty = run_process("db", "status", **settings)
        assert empty.code == 0, empty.err
        assert empty.out.splitlines() == [
            f"corpus: revision none of {newest_revision('corpus')}",
            f"history: revision none of {newest_revision('history')}",
            "Run `carecite db upgrade`.",
        ]
        done = run_process("db", "upgrade", **settings)
        assert (done.code, done.out) == (0, "Both databases are up to date.\n"), done.err
        wait_for(lambda: no_process_left(home))
        port = int((home / "postgres" / "port").read_text())
        with socket.create_server(("127.0.0.1", port)):
            status = run_process("db", "status", **settings)
        assert status.code == 0, status.err
        assert status.out.splitlines() == [
            f"corpus: revision {newest_revision('corpus')} of {newest_revision('corpus')}",
            f"history: revision {newest_revision('history')} of {newest_revision('history')}",
            "corpus: empty",
            "history: 0 questions",
        ]
        assert int((home / "postgres" / "port").read_text()) != port


@pytest.mark.parametrize("words", [("ask", FRANCE), ("db", "status"), ("db", "upgrade"), ("search", "gout")])
def test_a_home_below_a_file(call_alone: Call, words: tuple[str, ...]) -> None:
    says_sorry(call_alone(*words), 3, "data folder cannot be used", "/dev/null", "CARECITE_HOME")


def test_a_home_that_may_not_be_written() -> None:
    """As an ordinary user: root may write anywhere."""
    user = NOBODY if os.geteuid() == 0 else None
    with new_home() as home:
        home.mkdir(mode=0o555)
        outcome = run_process("db", "status", user=user, CARECITE_HOME=str(home))
        says_sorry(outcome, 3, "Permission denied", str(home), "CARECITE_HOME")
        assert list(home.iterdir()) == []


def own_server(port: int) -> dict[str, str]:
    url = f"postgresql://carecite:secret-password@127.0.0.1:{port}/carecite"
    return {"CARECITE_CORPUS_URL": url, "CARECITE_HISTORY_URL": url}


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"], ids=["hangs up", "web server"])
def test_a_port_where_no_postgresql_is(call_alone: Call, answer: bytes) -> None:
    with listener(answer) as port:
        for words in (("db", "status"), ("db", "upgrade"), ("ask", FRANCE)):
            outcome = call_alone(*words, **own_server(port))
            says_sorry(outcome, 3, "cannot be reached", "CARECITE_CORPUS_URL")
            assert "secret-password" not in outcome.err


def test_a_refused_connection_and_a_refused_password(call_alone: Call, carecite: Program) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        refused = own_server(unused.getsockname()[1])
        says_sorry(call_alone("db", "status", **refused), 3, "refused", "embedded server")
    outcome = call_alone("search", "gout", **own_server(carecite.address.port))
    says_sorry(outcome, 3, "cannot be reached", "authentication failed")
    assert "secret-password" not in outcome.err


@pytest.mark.parametrize("url", ["mysql://a:secret-password@h/d", "secret-password", "postgresql://h:port/d"])
def test_an_address_that_is_none(call_alone: Call, url: str) -> None:
    settings = {"CARECITE_CORPUS_URL": url, "CARECITE_HISTORY_URL": url}
    outcome = call_alone("db", "status", **settings)
    says_sorry(outcome, 3, "database URL", "CARECITE_CORPUS_URL")
    assert "secret-password" not in outcome.err


@pytest.mark.parametrize("name", ["corpus", "history"])
def test_a_database_of_a_newer_carecite_is_left_alone(call: Call, carecite: Program, name: str) -> None:
    url = carecite.copy_database(name, f"test_newer_{name}")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"UPDATE alembic_version_{name} SET version_num = '9999'")
    newer = {f"CARECITE_{name.upper()}_URL": url}
    for words in (("db", "status"), ("db", "upgrade"), *([("ask", FRANCE)] if name == "corpus" else [])):
        says_sorry(call(*words, **newer), 3, "newer carecite", "Update carecite", "9999")
    with psycopg.connect(url) as connection:
        assert connection.execute(f"SELECT version_num FROM alembic_version_{name}").fetchone() == ("9999",)


def test_a_corpus_of_another_encoder_is_told(call: Call, carecite: Program) -> None:
    url = carecite.copy_database("corpus", "test_other_encoder")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE encoders SET fingerprint = 'another'")
    says_sorry(call("ask", FRANCE, CARECITE_CORPUS_URL=url), 3, "another encoder", "add-encoder")


def test_a_damaged_corpus_is_no_lack_of_evidence(call: Call, carecite: Program) -> None:
    """A search that fails is told from one that finds nothing, and the reply still comes."""
    url = carecite.copy_database("corpus", "test_damaged")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP TABLE passages CASCADE")
    outcome = call("ask", "--json", "What is gout?", CARECITE_CORPUS_URL=url)
    assert outcome.code == 0, outcome.err
    answer = outcome.json()
    assert "search_failed" in [remark["code"] for remark in answer["degraded"]]
    assert "did not work" in answer["answer"]["text"]
    found = call("search", "gout", CARECITE_CORPUS_URL=url)
    assert found.code == 3
    assert "did not work" in found.out
    assert "No passage was found" not in found.out
    assert "doctor" in found.err


def test_after_all_this_an_ordinary_question_is_answered(call: Call, carecite: Program) -> None:
    """Nothing above has cost a row of what was there before."""
    before = carecite.query("history", "SELECT count(*) FROM runs")
    assert call("ask", "What are the warning signs of a stroke?").code == 0
    assert carecite.query("history", "SELECT count(*) FROM runs") == before + 1
    assert carecite.query("corpus", "SELECT count(*) FROM articles WHERE source = 'library'") == len(
        list(LIBRARY.glob("*.md"))
    )
    assert Path(carecite.home, "postgres", "server.log").exists()
