"""What all emulators share: an HTTP server on a port of 127.0.0.1 while a `with` lasts."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType
from typing import Self


class Loopback:
    """Each request has a thread of its own; `closing` is set when the `with` ends, so that none waits on."""

    def __init__(
        self,
        handler: type[BaseHTTPRequestHandler],
        port: int = 0,
        server: type[ThreadingHTTPServer] = ThreadingHTTPServer,
    ) -> None:
        self.closing = Event()
        self._http = server(("127.0.0.1", port), handler)
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._hang_up()
        self._http.server_close()

    def _hang_up(self) -> None:
        """What is to be ended once no request is taken any more."""

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])
