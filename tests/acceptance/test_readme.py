"""The README's commands, word for word."""

from __future__ import annotations

import gzip
import re
import shlex
from pathlib import Path

import pytest

from tests.program import Call

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = Path(__file__).parent / "documents"
COMMANDS = re.findall(r"^\.venv/bin/carecite (.+)$", README, flags=re.MULTILINE)
# These take their time, and run with the figures.
MEASURING = [command for command in COMMANDS if command.startswith("eval")]


def test_the_readme_shows_commands():
    assert len(COMMANDS) >= 5
    assert all(target in README for target in ("make ask", "make test"))


@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in MEASURING])
def test_a_command_of_the_readme(command: str, call: Call, tmp_path: Path) -> None:
    """Only the files that it names are ours, in a folder of this test."""
    (tmp_path / "guidelines").mkdir()
    (tmp_path / "guidelines" / "feet.md").write_text("# Warm feet\n\nWool keeps feet warm in winter.\n")
    (tmp_path / "notes.md").write_text("# Notes\n\nCotton keeps feet cool in summer.\n")
    (tmp_path / "chains.svg").touch()
    (tmp_path / "triples.tsv").write_text("cold feet\thas_symptom\tblue toes\n")
    record = b"<PubmedArticleSet></PubmedArticleSet>"
    (tmp_path / "pubmed26n0001.xml.gz").write_bytes(gzip.compress(record))
    words = shlex.split(command, comments=True)
    outcome = call(*(str(tmp_path / word) if (tmp_path / word).exists() else word for word in words))
    assert outcome.code == 0, outcome.err


def test_settings_that_the_readme_names_exist():
    from config import setting_names

    known = {setting.name for setting in setting_names()}
    assert set(re.findall(r"CARECITE_[A-Z_]+", README)) - {"CARECITE_"} <= known
