"""The command that takes the README's pictures works, and those that it took are there, and small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.screenshots import FOLDER, LARGEST, SHOTS, take

NAMES = {f"{name}.png" for name in ("login", *(shot.name for shot in SHOTS))}


@pytest.mark.usefixtures("chromium")
async def test_pictures_are_taken(tmp_path: Path) -> None:
    taken = await take(tmp_path)
    assert {path.name for path in taken} == NAMES
    for path in taken:
        assert path.read_bytes().startswith(b"\x89PNG")


def test_the_pictures_of_the_readme() -> None:
    kept = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    assert set(kept) == NAMES
    assert max(kept.values()) <= LARGEST
    readme = (FOLDER.parents[1] / "README.md").read_text("utf-8")
    shown = re.findall(r"!\[[^\]]{10,}\]\(docs/screenshots/([\w.]+)\)", readme)
    assert len(shown) >= 2
    assert set(shown) <= NAMES
