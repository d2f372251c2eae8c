"""The history server: results kept under a WebEnv for a while."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from threading import Lock

from tests.emulators.eutils.index import Mask


@dataclass(frozen=True, slots=True)
class Kept:
    """Ids in the order of the search, and the records as a set for `#1` in later queries."""

    db: str
    ids: tuple[str, ...]
    mask: Mask | None = None


@dataclass(slots=True)
class _Environment:
    until: float
    results: list[Kept] = field(default_factory=list)


class HistoryServer:
    """`seconds` is how long a WebEnv lives after its last search; NCBI's lives some hours."""

    def __init__(self, seconds: float = 3600.0) -> None:
        self.seconds = seconds
        self._environments: dict[str, _Environment] = {}
        self._names = itertools.count(1)
        self._lock = Lock()

    def keep(self, result: Kept, webenv: str = "") -> tuple[str, int]:
        """WebEnv and query key; one that is not known, or has died, is replaced by a new one."""
        with self._lock:
            if self._alive(webenv) is None:
                webenv = f"MCID_{next(self._names):024x}"
                self._environments[webenv] = _Environment(0.0)
            environment = self._environments[webenv]
            environment.results.append(result)
            environment.until = time.monotonic() + self.seconds
            return webenv, len(environment.results)

    def get(self, webenv: str, key: str) -> Kept | None:
        with self._lock:
            environment = self._alive(webenv)
            if environment is None or not key.isdecimal():
                return None
            results = environment.results
            return results[int(key) - 1] if 0 < int(key) <= len(results) else None

    def masks(self, webenv: str) -> dict[int, Mask]:
        with self._lock:
            environment = self._alive(webenv)
            kept = environment.results if environment else []
            return {at: one.mask for at, one in enumerate(kept, start=1) if one.mask is not None}

    def forget(self) -> None:
        """Everything at once, as when NCBI restarts it."""
        with self._lock:
            self._environments.clear()

    def _alive(self, webenv: str) -> _Environment | None:
        environment = self._environments.get(webenv)
        return environment if environment and environment.until > time.monotonic() else None
