"""Reading the routing lexicons: a name a line, then its other names after bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from config.resources import read_toml


def read_names(block: str) -> Iterator[tuple[str, ...]]:
    """The names of each line, the first one canonical."""
    for line in block.splitlines():
        names = tuple(name.strip() for name in line.split("|") if name.strip())
        if names:
            yield names


@cache
def read_words(kind: str, languages: tuple[str, ...], key: str) -> tuple[str, ...]:
    """A list of single words, or the names of a block, over all languages."""
    words: list[str] = []
    for language in languages:
        value = read_lexicon(kind, language).get(key, [])
        words += [names[0] for names in read_names(value)] if isinstance(value, str) else value
    return tuple(dict.fromkeys(words))


def read_lexicon(kind: str, language: str) -> Mapping[str, Any]:
    """The file `lexicons/KIND.LANGUAGE.toml`."""
    return read_toml(f"lexicons/{kind}.{language}.toml")
