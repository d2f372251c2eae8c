"""The examples in `golden` are what the renderers make of them now."""

from __future__ import annotations

import pytest

from tests.unit.rendering.examples import FOLDER, write_examples


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir()))
def test_examples_are_up_to_date(name: str) -> None:
    assert write_examples()[name] == (FOLDER / name).read_text(encoding="utf-8")


def test_every_example_is_kept() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(write_examples())
