"""Ways in which E-utilities fail. Each is a function of the good reply, which some of them spoil.

server.fail("esearch.fcgi", too_many(retry_after=2), times=3)
server.fail(None, reset(), after=12)          # an outage from the thirteenth request on
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.emulators.eutils.pacing import over_limit
from tests.emulators.eutils.replies import ESEARCH, Reply, error_as_json, tag, xml

RESET = None  # in the parts of a `Wire`: the connection is torn
FOR_EVER = 3600.0


@dataclass(frozen=True, slots=True)
class Wire:
    """What is sent: with `silent` no status line at all. In `parts` a number is a wait in seconds. `length`
    is what Content-Length says, None leaves it out."""

    parts: Sequence[bytes | float | None]
    status: int = 200
    kind: str = "text/xml; charset=UTF-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    silent: bool = False


Fault = Callable[[Reply], Wire]
_PAGE = (
    b"<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>The service is not available</h1>"
    b"<p>Please try again later.</p></body></html>\n"
)


def whole(reply: Reply, headers: Mapping[str, str] | None = None) -> Wire:
    """A reply sent as it should be."""
    sent = {**reply.headers, **(headers or {})}
    return Wire([reply.body], reply.status, reply.kind, sent, len(reply.body))


def instead(reply: Reply) -> Fault:
    """This reply, whatever the good one is."""
    return lambda _: whole(reply)


def too_many(retry_after: int | None = None, status: int = 429) -> Fault:
    """The rate limit's refusal; `status` 200 was seen too."""
    headers = {"X-RateLimit-Limit": "3", "X-RateLimit-Remaining": "0"}
    if retry_after is not None:
        headers["Retry-After"] = str(retry_after)
    refusal = over_limit("198.51.100.7", 4, 3, headers)
    return instead(Reply(refusal.body, status, refusal.kind, headers))


def broken(status: int = 500) -> Fault:
    """A page of HTML, with an error status or with 200."""
    return instead(Reply(_PAGE, status, "text/html; charset=UTF-8"))


def backend_failed(reason: str = "Search Backend failed: read request has failed") -> Fault:
    """`<ERROR>` with status 200."""
    return instead(xml(f"{ESEARCH}<eSearchResult>\n\t{tag('ERROR', reason)}\n</eSearchResult>\n"))


def error_in_json(reason: str = "Search Backend failed:\nread request has failed") -> Fault:
    """The same in JSON, with the line break that makes it invalid."""
    return instead(error_as_json(reason))


def empty() -> Fault:
    return lambda good: whole(Reply(b"", 200, good.kind))


def silence() -> Fault:
    """A half-open connection: accepted, and never a word."""
    return lambda _: Wire([FOR_EVER], silent=True)


def reset() -> Fault:
    """The connection is torn before a word."""
    return lambda _: Wire([RESET], silent=True)


def truncated(share: float = 0.5) -> Fault:
    """The head of the good body under the length of all of it, then the end of the connection."""

    def spoil(good: Reply) -> Wire:
        head = good.body[: int(len(good.body) * share)]
        return Wire([head], good.status, good.kind, good.headers, len(good.body))

    return spoil


def torn(share: float = 0.5) -> Fault:
    """The same, but the connection is reset in the middle of the body."""

    def spoil(good: Reply) -> Wire:
        head = good.body[: int(len(good.body) * share)]
        return Wire([head, 0.05, RESET], good.status, good.kind, good.headers, len(good.body))

    return spoil


def trickle(seconds: float = 0.2, pieces: int = 50) -> Fault:
    """The good body in pieces with waits between."""

    def spoil(good: Reply) -> Wire:
        size = max(1, -(-len(good.body) // pieces))
        parts: list[bytes | float | None] = []
        for at in range(0, len(good.body), size):
            parts += [good.body[at : at + size], seconds]
        return Wire(parts, good.status, good.kind, good.headers, len(good.body))

    return spoil


def late(seconds: float) -> Fault:
    """The good reply, after a wait."""
    return lambda good: Wire([seconds, good.body], good.status, good.kind, good.headers, len(good.body))


@dataclass(slots=True)
class Schedule:
    """Faults to come. Each entry: the path or None for any, the fault, how often, after how many requests."""

    entries: list[Entry] = field(default_factory=list)

    def add(self, path: str | None, fault: Fault, times: int | None, after: int) -> None:
        self.entries.append(Entry(path, fault, times, after))

    def take(self, path: str, number: int) -> Fault | None:
        """The fault of the request with this number from 0; the first entry that fits is used up first."""
        for entry in self.entries:
            if entry.path in (None, path) and number >= entry.after and entry.times != 0:
                if entry.times is not None:
                    entry.times -= 1
                return entry.fault
        return None


@dataclass(slots=True)
class Entry:
    path: str | None
    fault: Fault
    times: int | None
    after: int
