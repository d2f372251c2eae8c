"""Which method a question goes to (architecture 2.4).

First version: literature is the one method that is built, so it is the decision unless `--method` says
otherwise; lettered options are noticed and reported.
"""

from __future__ import annotations

import re

from reasoning.types import Method, Route, Signals

BUILT: tuple[Method, ...] = ("literature",)
_OPTION = re.compile(r"(?:^|[\s(（])([A-E])[.)）:、]\s*\S")


def route(text: str, wanted: str = "auto") -> Route:
    """Decide, with the signals the decision rests on."""
    options = list(dict.fromkeys(_OPTION.findall(text)))
    signals = Signals(options=options if len(options) > 1 else [])
    if wanted == "auto":
        return Route(
            method="literature", ran="literature", reason="one topic, read in the literature", signals=signals
        )
    method: Method = wanted  # type: ignore[assignment]
    ran: Method = method if method in BUILT else "literature"
    return Route(method=method, ran=ran, reason="asked for by name", signals=signals)
