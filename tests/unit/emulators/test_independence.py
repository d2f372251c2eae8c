"""An emulator shares nothing with what it checks."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "emulators"
ONE_OF = {"eutils": "corpus", "slack": "state", "telegram": "state", "chat": "service"}


@pytest.mark.parametrize("emulator", ONE_OF)
def test_it_imports_nothing_of_the_product(emulator: str) -> None:
    imported = set()
    for path in (FOLDER / emulator).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                imported.add(node.module or "")
            elif isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
    assert f"tests.emulators.{emulator}.{ONE_OF[emulator]}" in imported
    assert not {name for name in imported if name.split(".")[0] in {"bot", "reasoning", "storage", "config"}}
