"""What this process shares about one E-utilities server: the queue to it, and whether it works."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from config.settings import Eutils, Ncbi
from reasoning.retrieval.eutils.breaker import Breaker
from reasoning.retrieval.eutils.pacing import Pacer

WITHOUT_KEY, WITH_KEY = 2.5, 8.0  # requests a second, below the 3 and 10 that NCBI allows (methods.md 5.1)


@dataclass(frozen=True, slots=True)
class Host:
    pacer: Pacer
    breaker: Breaker = field(default_factory=Breaker)


def host_of(eutils: Eutils, ncbi: Ncbi) -> Host:
    """The one record of this address and key in this process, for all threads and event loops."""
    key = ncbi.api_key.get_secret_value() if ncbi.api_key else None
    return _known(eutils.base_url, key, eutils.per_second or (WITH_KEY if key else WITHOUT_KEY))


@cache
def _known(base_url: str, key: str | None, per_second: float) -> Host:
    return Host(Pacer(per_second))
