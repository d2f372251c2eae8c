"""Files of a graph, plain or packed, with how far they have been read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from reasoning.retrieval.reading.errors import TruncatedFile

Tick = Callable[[int, int], None]  # bytes read of the file as it lies there, and its size
_OPENERS: dict[str, Callable[[Any], Any]] = {
    ".gz": lambda raw: gzip.GzipFile(fileobj=raw),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}
_EVERY = 1 << 16


def quiet(_done: int, _all: int) -> None:
    """Progress nobody asked for."""


class _Counted(io.FileIO):
    def __init__(self, path: Path, tick: Tick) -> None:
        super().__init__(path)
        self._size = path.stat().st_size
        self._told = 0
        self._tick = tick

    def readinto(self, buffer) -> int:  # type: ignore[no-untyped-def]
        count = super().readinto(buffer) or 0
        if (place := self.tell()) - self._told >= _EVERY or not count:
            self._told = place
            self._tick(place, self._size)
        return count


@contextmanager
def open_bytes(path: Path, tick: Tick = quiet) -> Iterator[BinaryIO]:
    """The unpacked content. Raises TruncatedFile where the packing is damaged."""
    try:
        with io.BufferedReader(_Counted(path, tick)) as raw:
            opener = _OPENERS.get(path.suffix.lower())
            if opener is None:
                yield cast(BinaryIO, raw)
            else:
                with opener(raw) as unpacked:
                    yield unpacked
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError) as error:
        raise TruncatedFile(str(path)) from error


@contextmanager
def open_text(path: Path, tick: Tick = quiet) -> Iterator[TextIO]:
    """As UTF-8, a byte order mark aside; bytes that are none become U+FFFD."""
    with open_bytes(path, tick) as raw:
        yield io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace", newline="")


def plain_name(path: Path) -> str:
    """The name without folder and packing."""
    return path.stem if path.suffix.lower() in _OPENERS else path.name
