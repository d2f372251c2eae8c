"""The HTTP server: every request is written down, counted against the rate limit, spoilt if told, answered.

with EutilsServer(Corpus([...])) as server:
    ... server.base_url, server.settings() ...
    server.fail("esearch.fcgi", too_many(retry_after=2), times=3)
    server.searches        # the terms that came
"""

from __future__ import annotations

import select
import socket
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qsl, urlsplit

from tests.emulators.eutils import efetch, einfo, esearch, espell, esummary
from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.faults import RESET, Fault, Schedule, Wire, whole
from tests.emulators.eutils.history import HistoryServer
from tests.emulators.eutils.pacing import RateLimit
from tests.emulators.eutils.replies import Reply, as_json
from tests.emulators.loopback import Loopback

FOLDER = "/entrez/eutils/"
LONGEST_TARGET = 4_000  # characters of a request's target that NCBI's gateway takes, about
_TOO_LONG = (
    b"<html><head><title>414 Request-URI Too Large</title></head><body>Request-URI Too Large</body></html>\n"
)
Parameters = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: when it came (time.monotonic), what it asked, and how it was answered (status 0: not)."""

    at: float
    method: str
    path: str  # without the folder: esearch.fcgi
    parameters: Parameters
    target_length: int
    headers: Parameters = field(repr=False)
    status: int = 0


class EutilsServer(Loopback):
    """The server on loopback while its `with` lasts; `port` 0 takes a free one.

    `keys`, if given, are the only API keys that it knows. `limit` switches the rate limit on.
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        port: int = 0,
        limit: RateLimit | None = None,
        keys: frozenset[str] | None = None,
        history_seconds: float = 3600.0,
        folder: str = FOLDER,
    ) -> None:
        self.corpus = corpus
        self.limit = limit
        self.keys = keys
        self.history = HistoryServer(history_seconds)
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self.folder = folder
        self._schedule = Schedule()
        self._numbers = 0
        self._at_once = 0
        self._lock = Lock()
        self._open: set[socket.socket] = set()
        super().__init__(type("Handler", (_Handler,), {"emulator": self}), port, _Http)

    def _hang_up(self) -> None:
        with self._lock:
            connections = list(self._open)
        for connection in connections:  # clients keep them for later; their threads must end
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.folder}"

    def settings(self) -> dict[str, str]:
        """Variables that lead to this server."""
        return {"CARECITE_EUTILS_BASE_URL": self.base_url}

    @property
    def searches(self) -> list[str]:
        """Terms of all ESearch requests in pubmed, in order."""
        return [
            one.parameters.get("term", "")
            for one in self.asked
            if one.path == "esearch.fcgi" and one.parameters.get("db", "pubmed") == "pubmed"
        ]

    def fail(
        self, path: str | None, fault: Fault, *, times: int | None = 1, after: int | None = None
    ) -> None:
        """The next `times` requests to the path (None: any; times None: all) fail so; `after`: only those
        after so many requests in all, counted from the server's first."""
        with self._lock:
            self._schedule.add(path, fault, times, self._numbers if after is None else after)

    def recover(self) -> None:
        """No further faults."""
        with self._lock:
            self._schedule.entries.clear()

    def forget(self) -> None:
        """An empty list of requests."""
        with self._lock:
            self.asked.clear()

    def busiest(self, seconds: float = 1.0) -> int:
        """Most requests that came in any window of this length."""
        times = sorted(one.at for one in self.asked)
        return max((sum(start <= at < start + seconds for at in times) for start in times), default=0)

    def answer(self, path: str, parameters: Parameters) -> Reply:
        """The good reply, without limit or fault."""
        tools: dict[str, Callable[[], Reply]] = {
            "esearch.fcgi": lambda: esearch.answer(self.corpus, self.history, parameters),
            "efetch.fcgi": lambda: efetch.answer(self.corpus, self.history, parameters),
            "esummary.fcgi": lambda: esummary.answer(self.corpus, self.history, parameters),
            "espell.fcgi": lambda: espell.answer(self.corpus, parameters),
            "einfo.fcgi": lambda: einfo.answer(self.corpus, parameters),
            "epost.fcgi": lambda: einfo.keep_ids(self.history, parameters),
        }
        tool = tools.get(path)
        return tool() if tool else Reply(b"<html><body>Not found</body></html>", 404, "text/html")

    def take(
        self, method: str, target: str, form: str, headers: Parameters, address: str, started: float
    ) -> Wire:
        """What to send for one request."""
        parts = urlsplit(target)
        inside = parts.path.startswith(self.folder)
        path = parts.path.removeprefix(self.folder) if inside else parts.path
        parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
        parameters |= dict(parse_qsl(form, keep_blank_values=True))
        with self._lock:
            number, self._numbers = self._numbers, self._numbers + 1
            fault = self._schedule.take(path, number)
        wire = self._decide(path, parameters, len(target), address, fault)
        status = 0 if wire.silent else wire.status
        with self._lock:
            self.asked.append(Asked(started, method, path, parameters, len(target), headers, status))
        return wire

    def _decide(
        self, path: str, parameters: Parameters, length: int, address: str, fault: Fault | None
    ) -> Wire:
        if length > LONGEST_TARGET:
            return whole(Reply(_TOO_LONG, 414, "text/html"))
        key = parameters.get("api_key")
        if key is not None and (not key or (self.keys is not None and key not in self.keys)):
            told = {"error": "API key invalid", "api-key": key, "type": "invalid", "status": "unknown"}
            return whole(as_json(told, 400))
        headers: dict[str, str] = {}
        if self.limit is not None:
            headers, refusal = self.limit.check(address, key)
            if refusal is not None:
                return whole(refusal)
        reply = self.answer(path, parameters)
        return fault(reply) if fault else whole(reply, headers)

    def enter(self) -> None:
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)

    def leave(self) -> None:
        with self._lock:
            self._at_once -= 1

    def connect(self, connection: socket.socket, *, opened: bool) -> None:
        with self._lock:
            (self._open.add if opened else self._open.discard)(connection)

    def pause(self, connection: socket.socket, seconds: float) -> bool:
        """Wait; False where the client or the test has left meanwhile."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self.closing.is_set():
            readable, _, _ = select.select([connection], [], [], min(left, 0.02))
            if readable and not connection.recv(1, socket.MSG_PEEK):
                return False
        return not self.closing.is_set()


class _Http(ThreadingHTTPServer):
    request_queue_size = 256  # many threads knock at once; the default of 5 would make them wait a second
    daemon_threads = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that leave are no error here."""


class _Handler(BaseHTTPRequestHandler):
    emulator: EutilsServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = (
        True  # head and body are two writes; together with delayed ACKs that costs 40 ms
    )

    def setup(self) -> None:
        super().setup()
        self.emulator.connect(self.connection, opened=True)

    def finish(self) -> None:
        self.emulator.connect(self.connection, opened=False)
        super().finish()

    def do_GET(self) -> None:
        self._serve("")

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self._serve(self.rfile.read(length).decode("utf-8", "replace"))

    def _serve(self, form: str) -> None:
        self.emulator.enter()
        started = time.monotonic()
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            address = str(self.client_address[0])
            self._send(self.emulator.take(self.command, self.path, form, headers, address, started))
        except OSError:
            self.close_connection = True
        finally:
            self.emulator.leave()

    def _send(self, wire: Wire) -> None:
        sent = sum(len(part) for part in wire.parts if isinstance(part, bytes))
        whole_body = wire.length == sent and RESET not in wire.parts
        if not whole_body:
            self.close_connection = True
        if not wire.silent:
            self.send_response(wire.status)
            self.send_header("Content-Type", wire.kind)
            for name, value in wire.headers.items():
                self.send_header(name, value)
            if wire.length is not None:
                self.send_header("Content-Length", str(wire.length))
            if self.close_connection:
                self.send_header("Connection", "close")
            self.end_headers()
        for part in wire.parts:
            if part is RESET:
                now = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
                self.connection.close()
                raise ConnectionResetError
            if isinstance(part, bytes):
                self.wfile.write(part)
            elif not self.emulator.pause(self.connection, part):
                raise ConnectionAbortedError

    def log_message(self, *_: object) -> None:
        """The tests' output stays clean."""
