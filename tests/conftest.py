"""Rules and real services for all tests: sockets to loopback only, one embedded server, one encoder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_socket

from tests.program import Call, Outcome, Program, call_program

ROOT = Path(__file__).resolve().parents[1]
os.environ.setdefault("HF_HUB_OFFLINE", "1")


def pytest_runtest_setup() -> None:
    """Nothing outside this machine may be reached (architecture 6)."""
    pytest_socket.socket_allow_hosts(["127.0.0.1", "::1", "localhost"], allow_unix_socket=True)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The measuring data beside the repository; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("CARECITE_TEST_SHARED", ROOT.parent / "shared"))
    if not (folder / "cases").is_dir():
        pytest.skip("the measuring data is not beside the repository")
    return folder


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads the settings of the person who runs it."""
    for name in list(os.environ):
        if name.startswith("CARECITE_") and not name.startswith("CARECITE_TEST_"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """URL (without database name) of one embedded server for the whole run, quick and forgetful."""
    from storage.postgres import ensure_server
    from tests.integration.embedded import new_home

    options = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
    with new_home() as home, ensure_server(home, options=options, linger=0.0) as address:
        yield address.url("postgres")


@pytest.fixture(scope="session")
def carecite() -> Iterator[Program]:
    """The program with a fresh home; its first question has loaded the starter library."""
    from storage.postgres import ensure_server
    from tests.emulators.eutils.corpus import Corpus
    from tests.emulators.eutils.server import EutilsServer
    from tests.integration.embedded import FAST, new_home

    with (
        new_home() as home,
        ensure_server(home, options=FAST, linger=0.2) as address,
        EutilsServer(Corpus([])) as pubmed,
    ):
        program = Program(home, address, pubmed.base_url)
        program.first = program.run("ask", "What are the side effects of radiation therapy for lung cancer?")
        yield program


@pytest.fixture
def call(carecite: Program, capsys: pytest.CaptureFixture[str]) -> Call:
    """The program in this process, on the databases of `carecite`; settings by keyword come on top."""

    def run(*words: str, stdin: bytes = b"", **settings: str) -> Outcome:
        return call_program(capsys, words, stdin, carecite.settings() | settings)

    return run


@pytest.fixture
def call_alone(capsys: pytest.CaptureFixture[str]) -> Call:
    """The program in this process, without a database or a usable home."""

    def run(*words: str, stdin: bytes = b"", **settings: str) -> Outcome:
        return call_program(capsys, words, stdin, {"CARECITE_HOME": "/dev/null/home"} | settings)

    return run
