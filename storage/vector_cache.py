"""Vectors by the hash of their text, in one SQLite file: for bulk embedding and measuring.

Not the index: it holds no documents and may be deleted at any time.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from storage.encoders import EncoderManifest
from storage.text import text_hash

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_AT_ONCE = 500  # parameters of one statement


class VectorCache:
    """Safe for many threads, and for many processes on one file. Vectors of two encoders never mix in it."""

    def __init__(
        self, path: Path, manifest: EncoderManifest, *, precision: Literal["float32", "float16"] = "float32"
    ) -> None:
        """`precision` is that of the file: float16 halves it and turns a vector by a cosine of about 1e-7."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._space = f"{manifest.fingerprint()}/{precision}"
        self._precision = precision
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, timeout=30, check_same_thread=False, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
        )

    def key(self, *parts: str) -> str:
        """The key of a text, given as its parts (role, title, text)."""
        return text_hash(self._space, *parts)

    def find(self, keys: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Those that are there, each [dimensions]."""
        import numpy as np

        found = {}
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            with self._lock:
                rows = self._connection.execute(
                    f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some
                )
                found.update(
                    {key: np.frombuffer(blob, self._precision).astype(np.float32) for key, blob in rows}
                )
        return found

    def keep(self, vectors: Mapping[str, npt.NDArray[np.float32]]) -> None:
        rows = [(key, vector.astype(self._precision).tobytes()) for key, vector in vectors.items()]
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
            self._connection.execute("COMMIT")

    def close(self) -> None:
        self._connection.close()
