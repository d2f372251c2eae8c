"""Words that somebody searches for. They may be a patient's, and addresses end in logs and histories: so the
words stay here, in memory, and the address has a random id, which is good for whoever searched.

They are forgotten with a sign-out, after a working day, and with the process; then they are typed again.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

from storage.history.review.sessions import LONGEST

MOST = 10_000
WINDOW = 900.0  # seconds in which the same list of the same person is written into the audit once


class _Kept(NamedTuple):
    account: int
    words: str
    at: float


class Searches:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: OrderedDict[str, _Kept] = OrderedDict()  # by id, the oldest first
        self._looks: OrderedDict[Hashable, float] = OrderedDict()

    def keep(self, account: int, words: str) -> str:
        """The id of these words; the same ones of the same account have one id."""
        self._drop_old()
        for name, kept in self._kept.items():
            if (kept.account, kept.words) == (account, words):
                return name
        name = secrets.token_urlsafe(12)
        self._kept[name] = _Kept(account, words, self._clock())
        return name

    def find(self, account: int, name: str) -> str | None:
        self._drop_old()
        kept = self._kept.get(name)
        return kept.words if kept and kept.account == account else None

    def forget(self, account: int) -> None:
        """All of somebody's."""
        for name in [name for name, kept in self._kept.items() if kept.account == account]:
            del self._kept[name]

    def is_new(self, look: Hashable) -> bool:
        """Whether nobody looked so in the last quarter of an hour. `look` is kept as long."""
        now = self._clock()
        while self._looks and (len(self._looks) > MOST or now - next(iter(self._looks.values())) >= WINDOW):
            self._looks.popitem(last=False)
        return self._looks.setdefault(look, now) == now

    def _drop_old(self) -> None:
        oldest = self._clock() - LONGEST.total_seconds()
        while self._kept and (len(self._kept) >= MOST or next(iter(self._kept.values())).at < oldest):
            self._kept.popitem(last=False)
