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


def read_bytes(name: str) -> bytes:
    """The whole file. Raises FileNotFoundError where nothing of that name ships."""
    return files(__package__).joinpath(*name.split("/")).read_bytes()


@cache
def read_toml(name: str) -> dict[str, Any]:
    """The parsed file; one object for all callers, who leave it as it is.

    Raises FileNotFoundError, or tomllib.TOMLDecodeError where the file is not TOML.
    """
    return tomllib.loads(read_text(name))


@cache
def list_names(folder: str, suffix: str) -> tuple[str, ...]:
    """Names of the files of a folder that end so, in order; empty where the folder does not ship."""
    place = files(__package__).joinpath(*folder.split("/"))
    if not place.is_dir():
        return ()
    return tuple(sorted(f"{folder}/{item.name}" for item in place.iterdir() if item.name.endswith(suffix)))
