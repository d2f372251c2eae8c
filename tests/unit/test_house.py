"""The rules of the house that no linter knows (architecture 1)."""

from __future__ import annotations

import ast
import statistics
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ("bot", "reasoning", "storage", "config")
# programs that carecite starts get the few variables that say where things are
ENVIRONMENT = {"config/settings.py", "storage/postgres/cluster.py"}
GRAB_BAGS = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc"}


def files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def length(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_files_are_read_to_their_end() -> None:
    too_long = {
        str(path.relative_to(ROOT)): length(path)
        for path in files(*SOURCE, "migrations", "tests")
        if length(path) > 400
    }
    assert not too_long
    assert statistics.median(length(path) for path in files(*SOURCE) if length(path) > 1) <= 150


def test_top_level_folders() -> None:
    ignored = [line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines() if line]
    found = {
        path.name
        for path in ROOT.iterdir()
        if path.is_dir() and not any(fnmatch(path.name, pattern) for pattern in (*ignored, ".git"))
    }
    assert found - {".ci"} == {"bot", "reasoning", "storage", "migrations", "config", "tests", "docs"}


def test_no_grab_bags() -> None:
    assert not [path for path in files(*SOURCE) if path.stem in GRAB_BAGS or path.parent.name in GRAB_BAGS]


def reads_environment(tree: ast.AST) -> Iterator[int]:
    """Lines with os.environ, os.getenv and their like, however imported."""
    names = {"environ", "environb", "getenv", "getenvb"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in names:
            yield node.lineno
        if isinstance(node, ast.ImportFrom) and node.module == "os" and names & {a.name for a in node.names}:
            yield node.lineno


def test_settings_are_the_only_reader_of_the_environment() -> None:
    readers = {
        str(path.relative_to(ROOT))
        for path in files(*SOURCE)
        if list(reads_environment(ast.parse(path.read_text("utf-8"))))
    }
    assert readers == ENVIRONMENT


def test_the_search_for_readers_finds_them() -> None:
    for line in (
        "import os\nos.environ['A']",
        "from os import environ as e",
        "import os as o\no.getenv('A')",
    ):
        assert list(reads_environment(ast.parse(line)))
    assert not list(reads_environment(ast.parse("environment = os.path")))
