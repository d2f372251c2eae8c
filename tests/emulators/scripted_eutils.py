"""A scripted E-utilities: an HTTP server on loopback that serves replies in order and writes down who asked.

A script is a list of replies, one a request and the last for ever, or a callable of the request and its
number from 0. The emulator that evaluates queries is apart.

    with ScriptedEutils([Reply(xml)]) as server:
        ... server.eutils() ...
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Lock
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from config.settings import Eutils, Ncbi
from tests.emulators.loopback import Loopback

KEY = "k0000000000000000000000000000000test"
Ending = Literal["whole", "torn", "reset", "silent", "stalled"]


@dataclass(frozen=True, slots=True)
class Reply:
    """`ending`: torn breaks off half-way, reset without a word; a silent one never begins, a stalled one
    stops after the headers. `before` in seconds."""

    body: str | bytes = ""
    status: int = 200
    kind: str = "text/xml; charset=UTF-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    before: float = 0.0
    ending: Ending = "whole"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request; `at` by time.monotonic, `target` the whole request target."""

    at: float
    method: str
    endpoint: str
    params: Mapping[str, str]
    target: str

    @property
    def ids(self) -> list[str]:
        return self.params.get("id", "").split(",")


Script = Sequence[Reply] | Callable[[Asked, int], Reply]


def esearch(*ids: str, count: int | None = None, translation: str = '"x"[All Fields]', more: str = "") -> str:
    """A search result as E-utilities writes it."""
    listed = "".join(f"<Id>{each}</Id>" for each in ids)
    return (
        '<?xml version="1.0" encoding="UTF-8" ?>\n<!DOCTYPE eSearchResult PUBLIC "-//NLM//DTD esearch '
        '20060628//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd">\n'
        f"<eSearchResult><Count>{len(ids) if count is None else count}</Count><RetMax>{len(ids)}</RetMax>"
        f"<RetStart>0</RetStart><IdList>{listed}</IdList><TranslationSet/>"
        f"<QueryTranslation>{translation}</QueryTranslation>{more}</eSearchResult>"
    )


def records(*pmids: str) -> str:
    """PubMed records with nothing but a title and one sentence."""
    listed = "".join(
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>Socks {pmid}."
        "</ArticleTitle><Abstract><AbstractText>Socks kept feet warm.</AbstractText></Abstract></Article>"
        "</MedlineCitation></PubmedArticle>"
        for pmid in pmids
    )
    return f"<PubmedArticleSet>{listed}</PubmedArticleSet>"


def failure(words: str) -> str:
    """An error element, with status 200."""
    return f'<?xml version="1.0"?><eSearchResult><ERROR>{words}</ERROR></eSearchResult>'


def limit(wait: str | None = None, status: int = 429) -> Reply:
    """What one gets who asks too often."""
    body = json.dumps({"error": "API rate limit exceeded", "api-key": KEY, "count": "4", "limit": "3"})
    return Reply(body, status, "application/json", {"Retry-After": wait} if wait else {})


class ScriptedEutils(Loopback):
    """The server, while its `with` lasts, and what it was asked."""

    def __init__(self, script: Script) -> None:
        self.asked: list[Asked] = []
        self.most_at_once = 0
        # A path of its own: what a process knows of an address outlives the server, and ports come again.
        self._folder = f"{time.monotonic_ns():x}"
        self._script = script
        self._at_once = 0
        self._lock = Lock()
        super().__init__(type("Handler", (_Handler,), {"eutils": self}))

    def eutils(self, **more: Any) -> Eutils:
        """Settings that lead here, at a pace that keeps tests short."""
        fixed = {"base_url": f"http://127.0.0.1:{self.port}/{self._folder}/entrez/eutils"}
        return Eutils.model_validate(fixed | {"per_second": 100} | more)

    def wait_for(self, requests: int) -> bool:
        """Whether so many come within ten seconds, which is a limit against hanging. Blocking."""
        return any(len(self.asked) >= requests or self.closing.wait(0.01) for _ in range(1000))

    def most_in(self, seconds: float) -> int:
        """The most requests that came within any such time."""
        times = sorted(each.at for each in self.asked)
        return max(sum(start <= at < start + seconds for at in times) for start in times)

    def take(self, asked: Asked) -> Reply:
        with self._lock:
            number = len(self.asked)
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if callable(self._script):
                return self._script(asked, number)
            return self._script[min(number, len(self._script) - 1)]
        except BaseException:
            self.leave()
            raise

    def leave(self) -> None:
        with self._lock:
            self._at_once -= 1


def who(key: str | None = KEY) -> Ncbi:
    """Who asks, with a key that must never be seen."""
    return Ncbi.model_validate({"api_key": key, "email": "someone@example.org"})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    eutils: ScriptedEutils

    def setup(self) -> None:
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().setup()

    def do_GET(self) -> None:
        at = time.monotonic()
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        named = parse_qs(body if self.command == "POST" else parts.query, keep_blank_values=True)
        params = {name: values[0] for name, values in named.items()}
        endpoint = parts.path.rpartition("/")[2]
        reply = self.eutils.take(Asked(at, self.command, endpoint, params, self.path))
        try:
            self._answer(reply)
        finally:
            self.eutils.leave()

    do_POST = do_GET

    def _answer(self, reply: Reply) -> None:
        closing = self.eutils.closing
        closing.wait(reply.before)
        if reply.ending == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            return
        if reply.ending == "silent":
            closing.wait(60)
            self.close_connection = True
            return
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        self.send_response(reply.status)
        for name, value in {"Content-Type": reply.kind, **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if reply.ending == "stalled":
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            closing.wait(60)
        self.wfile.write(body[: len(body) // 2] if reply.ending == "torn" else body)
        if reply.ending != "whole":
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """The tests' output stays clean."""
