"""Words that somebody searches for. They may be a patient's, and addresses end in logs and histories: so the
words stay here, in memory, and the address has a random id, which is good for whoever searched.

A process that ends forgets them, and the oldest go first; then the search is to be typed again.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Hashable

MOST = 10_000
WINDOW = 900.0  # seconds in which the same list of the same person is written into the audit once


class Searches:
    def __init__(self) -> None:
        self._words: OrderedDict[str, tuple[int, str]] = OrderedDict()
        self._looks: OrderedDict[Hashable, float] = OrderedDict()

    def keep(self, account: int, words: str) -> str:
        """The id of these words; the same ones of the same account have one id."""
        for name, kept in self._words.items():
            if kept == (account, words):
                return name
        name = secrets.token_urlsafe(12)
        self._words[name] = account, words
        _shorten(self._words)
        return name

    def find(self, account: int, name: str) -> str | None:
        owner, words = self._words.get(name, (None, None))
        return words if owner == account else None

    def is_new(self, look: Hashable) -> bool:
        """Whether nobody looked so in the last quarter of an hour."""
        now = time.monotonic()
        before = self._looks.pop(look, None)
        self._looks[look] = before if before is not None and now - before < WINDOW else now
        _shorten(self._looks)
        return self._looks[look] == now


def _shorten(kept: OrderedDict[str, tuple[int, str]] | OrderedDict[Hashable, float]) -> None:
    while len(kept) > MOST:
        kept.popitem(last=False)
