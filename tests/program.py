"""The program `carecite` as a person meets it: as a process of its own, or in this one to save the start."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from storage.postgres import ServerAddress
from tests.integration.embedded import python_for_all

ROOT = Path(__file__).resolve().parents[1]
HANG = 300.0  # seconds: a limit against hanging, no more
NOBODY = "http://127.0.0.1:9/"  # an address where nothing listens
NOWHERE = Path("/")  # a working folder without a file of settings
FRANCE = "What is the capital of France?"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a person gets: exit code and both streams."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(slots=True)
class Program:
    """carecite with a home whose server this test run keeps alive; `first` is the very first answer there."""

    home: Path
    address: ServerAddress
    pubmed: str  # the address of a PubMed where nothing is found, and that minds no haste
    first: Outcome | None = None

    def run(self, *words: str | bytes, stdin: bytes = b"", **settings: str) -> Outcome:
        """A process of its own on the embedded server of this home."""
        return run_process(*words, stdin=stdin, **self._own() | settings)

    def _own(self) -> dict[str, str]:
        return {
            "CARECITE_HOME": str(self.home),
            "CARECITE_EUTILS_BASE_URL": self.pubmed,
            "CARECITE_EUTILS_PER_SECOND": "1000",
        }

    def settings(self) -> dict[str, str]:
        """The same databases by address, for this process: a lease taken inside would last until its end."""
        return self._own() | {
            "CARECITE_CORPUS_URL": self.address.url("carecite_corpus"),
            "CARECITE_HISTORY_URL": self.address.url("carecite_history"),
        }

    def copy_database(self, name: str, copy: str) -> str:
        """The address of a fresh copy of `carecite_{name}`."""
        with psycopg.connect(self.address.url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {copy} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {copy} TEMPLATE carecite_{name}")
        return self.address.url(copy)

    def query(self, name: str, sql: str) -> Any:
        with psycopg.connect(self.address.url(f"carecite_{name}"), autocommit=True) as connection:
            row = connection.execute(sql).fetchone()
        return row[0] if row else None


def environment(**settings: str) -> dict[str, str]:
    """Nothing of the person who runs the tests but where programs are."""
    fixed = {
        "HF_HUB_OFFLINE": "1",
        "CARECITE_EUTILS_BASE_URL": NOBODY,
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "80",
    }
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/nonexistent"} | fixed | settings


def run_process(
    *words: str | bytes, stdin: bytes = b"", cwd: Path = NOWHERE, user: int | None = None, **settings: str
) -> Outcome:
    """The program to its end; `user` is another account, for whom root calls it."""
    if user is not None:
        settings["PYTHONPATH"] = f"{ROOT}:{Path(psycopg.__file__).parents[1]}"
    done = subprocess.run(
        [sys.executable if user is None else python_for_all(), "-m", "bot.cli", *words],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=environment(**settings),
        timeout=HANG,
        check=False,
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def call_program(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], stdin: bytes, settings: Mapping[str, str]
) -> Outcome:
    """What `main` does with these words, standard input and settings."""
    from bot.cli import main

    capsys.readouterr()
    code = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(NOWHERE)
        patch.setattr(logging.getLogger(), "handlers", [*logging.getLogger().handlers])
        patch.setattr(sys, "argv", ["carecite", *words])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        for name, value in settings.items():
            patch.setenv(name, value)
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 0 if leaving.code is None else 1
    return Outcome(code, *capsys.readouterr())


Call = Callable[..., Outcome]


def says_sorry(outcome: Outcome, code: int, *words: str) -> None:
    """The rule for what goes wrong: this code, nothing on stdout, few words on stderr, these among them."""
    assert outcome.code == code, outcome
    assert "Traceback" not in outcome.err
    assert outcome.out == ""
    for word in words:
        assert word in outcome.err, outcome.err
    assert len(outcome.err) < 1000
