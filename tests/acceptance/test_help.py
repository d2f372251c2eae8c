"""Help is quick and teaches: no heavy import, an example a command, words for every option."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
import typer

from bot.cli.entry import app
from tests.program import ROOT, Call, environment, says_sorry

HEAVY = (  # takes more than a twentieth of a second to load
    *("torch", "sentence_transformers", "transformers", "scipy", "numpy", "openai", "alembic", "sqlalchemy"),
    *("psycopg", "lxml", "wordfreq", "matplotlib", "httpx", "fastapi", "uvicorn", "authlib"),
)
_LOOK = """
import json, sys
from bot.cli import main
sys.argv = ["carecite", *sys.argv[1:], "--help"]
try:
    main()
except SystemExit as leaving:
    json.dump([leaving.code, sorted({name.partition(".")[0] for name in sys.modules})], sys.stderr)
"""


def walk(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    for name, child in getattr(command, "commands", {}).items():
        yield from walk(child, (*path, name))


COMMANDS = dict(walk(typer.main.get_command(app)))
LEAVES = {path: command for path, command in COMMANDS.items() if not hasattr(command, "commands")}
each_command = pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
each_leaf = pytest.mark.parametrize("path", LEAVES, ids=" ".join)


def test_the_commands_are_those_of_the_plan() -> None:
    assert {" ".join(path) for path in LEAVES} >= {
        *("ask", "search", "ingest", "doctor"),
        *("db upgrade", "db status", "db add-encoder", "eval retrieval"),
        *("eval routing", "graph import", "graph show", "graph path"),
        *(f"review account {name}" for name in ("add", "list", "grant", "revoke", "disable", "renew")),
        *(f"history {name}" for name in ("list", "show", "export", "erase", "verify")),
    }


@each_command
def test_help_loads_nothing_heavy(path: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LOOK, *path],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(),
        check=False,
    )
    code, loaded = json.loads(done.stderr)
    assert code == 0
    assert not set(HEAVY) & set(loaded)
    assert "Usage: carecite" in done.stdout


@each_command
def test_every_word_of_a_command_is_explained(path: tuple[str, ...]) -> None:
    command = COMMANDS[path]
    assert command.help
    assert command.help.split("\n\n")[0].rstrip().endswith((".", ":"))
    for parameter in command.params:
        assert getattr(parameter, "help", None), f"{path}: {parameter.name}"


@each_leaf
def test_every_command_has_examples_that_parse(path: tuple[str, ...]) -> None:
    command = LEAVES[path]
    lines = re.findall(r"`(.+)`", command.epilog or "")
    assert lines
    for line in lines:
        program, *words = shlex.split(re.sub(r" [<|] .*", "", line))
        assert program == "carecite"
        assert tuple(words[: len(path)]) == path
        command.make_context(line, words[len(path) :])


@each_leaf
def test_what_is_typed_wrongly_ends_with_2(call_alone: Call, path: tuple[str, ...]) -> None:
    says_sorry(call_alone(*path, "--no-such-option"), 2, "No such option", "--no-such-option")


def test_usage_errors(call_alone: Call) -> None:
    says_sorry(call_alone("asl", "x"), 2, "No such command", "ask")
    says_sorry(call_alone("ask"), 2, "Missing argument")
    says_sorry(call_alone("ask", "What is gout?", "--method", "magic"), 2, "--method", "cometa")
    assert call_alone().code == 2
