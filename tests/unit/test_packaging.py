"""The list of packages is written out, so that nothing is shipped or left out by accident."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_package_is_listed():
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in ("bot", "reasoning", "storage", "config")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert listed == found | {"migrations"}
