"""The files that ship with carecite: lexicons, notices, prompts, the starter library and graph.

Names are relative to this package, with slashes: `lexicons/red_flags.en.toml`. No other module opens them, so
that an installation from a wheel, a zip or a checkout reads the same bytes.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_text(name: str) -> str:
    """The whole file as text. Raises FileNotFoundError where nothing of that name ships."""
    return files(__package__).joinpath(*name.split("/")).read_text(encoding="utf-8")


@cache
def read_toml(name: str) -> dict[str, Any]:
    """The parsed file; one object for all callers, who leave it as it is.

    Raises FileNotFoundError, or tomllib.TOMLDecodeError where the file is not TOML.
    """
    return tomllib.loads(read_text(name))


def names_in(folder: str, suffix: str) -> list[str]:
    """The names of the files of one folder that end so, in order. Raises FileNotFoundError for no folder."""
    entries = files(__package__).joinpath(*folder.split("/")).iterdir()
    return sorted(f"{folder}/{entry.name}" for entry in entries if entry.name.endswith(suffix))
