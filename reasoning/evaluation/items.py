"""The items of an evaluation as JSON lines beside its plot, so that a run that was cut short goes on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


class ItemLog:
    """The file `name`.jsonl of a folder; without a folder nothing is kept."""

    def __init__(self, out: Path | None, name: str) -> None:
        self._path = out / f"{name}.jsonl" if out else None

    def read(self) -> Iterator[dict[str, Any]]:
        """The rows of earlier runs, in order."""
        if self._path and self._path.exists():
            for line in self._path.read_text(encoding="utf-8").splitlines():
                yield json.loads(line)

    def add(self, rows: Iterable[dict[str, Any]]) -> None:
        """Put rows behind the others; on disk when this returns."""
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
