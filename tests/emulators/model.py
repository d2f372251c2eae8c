"""A scripted chat model: an OpenAI-compatible HTTP server on loopback that answers, or fails, as told.

A script is a list of replies, one a request and the last for ever, or a callable of the request and its
number from 0. A reply is a `Chat` (a good envelope, streamed where the request says so) or a `Wire` (bytes as
they are, with waits and broken connections).

    with ModelServer([Chat('{"answer": "Rest."}')]) as server:
        ... server.settings() ...
"""

from __future__ import annotations

import itertools
import json
import select
import socket
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Lock
from typing import Any

from config.settings import ModelEndpoint
from tests.emulators.loopback import Loopback

KEY = "sk-key-4711"
_names = itertools.count(1)
RESET = None  # in the parts of a `Wire`: the connection is torn


@dataclass(frozen=True, slots=True)
class Chat:
    """A whole envelope. `usage` None leaves it out, a pair is (prompt, reply) tokens, "count" measures.

    `before` and `between` are seconds, before the headers and between the `pieces` of the content.
    """

    content: str | None = ""
    finish: str | None = "stop"
    usage: tuple[int, int] | str | None = "count"
    before: float = 0.0
    between: float = 0.0
    pieces: int = 3
    more: Mapping[str, Any] = field(default_factory=dict)  # fields beside the content


@dataclass(frozen=True, slots=True)
class Wire:
    """Bytes as they are; in `parts` a number is a wait in seconds and RESET tears the connection."""

    parts: Sequence[bytes | float | None] = ()
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    before: float = 0.0


Reply = Chat | Wire
Script = Sequence[Reply] | Callable[[dict[str, Any], int], Reply]


def refuse(status: int, message: str, before: float = 0.0, **headers: str) -> Wire:
    """An error as such servers tell it; `retry_after="2"` is a header."""
    body = json.dumps({"error": {"message": message, "type": "server_error"}}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Wire([body], status, headers=named, before=before)


def body(value: Any, kind: str = "application/json") -> Wire:
    """A body with status 200: JSON of a value, or a text as it is."""
    return Wire([(value if isinstance(value, str) else json.dumps(value)).encode()], kind=kind)


def stream(*parts: bytes | float | None) -> Wire:
    """A stream of events as they are."""
    return Wire(parts, kind="text/event-stream")


def chunk(content: str | None = None, finish: str | None = None, **delta: Any) -> bytes:
    """One event of a stream."""
    delta = ({"content": content} if content is not None else {}) | delta
    value = {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def count_tokens(request: Mapping[str, Any]) -> int:
    """A count as real tokenizers make it of English: about 4.5 characters a token."""
    return 10 + int(len(words_of(request)) / 4.5)


def words_of(request: Mapping[str, Any]) -> str:
    """All that was said to the model, as messages or as one text to continue."""
    if "prompt" in request:
        return str(request["prompt"])
    return "\n".join(message["content"] for message in request["messages"])


@dataclass(slots=True)
class Asked:
    """One request: its body, when it came (time.monotonic), and its headers by lower-case name."""

    body: dict[str, Any]
    at: float
    headers: Mapping[str, str]

    @property
    def format(self) -> str:
        """json_schema, json_object or plain."""
        return str(self.body.get("response_format", {}).get("type", "plain"))

    @property
    def text(self) -> str:
        return words_of(self.body)


class ModelServer(Loopback):
    """The server, while its `with` lasts, and what it was asked; `hung_up` counts clients that left."""

    def __init__(
        self, script: Script, *, models: Sequence[str] | None = None, context: int | None = None
    ) -> None:
        self.model = f"scripted-{next(_names)}"  # a name of its own: what is learnt of a server is by name
        self.models = [self.model] if models is None else list(models)
        self.context = context  # as the list of models tells it, or not
        self.asked: list[Asked] = []
        self.hung_up = 0
        self.most_at_once = 0
        self._script = script
        self._at_once = 0
        self._lock = Lock()
        super().__init__(type("Handler", (_Handler,), {"model": self}))

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def settings(self) -> dict[str, str]:
        """Variables that lead to this server."""
        return {
            "CARECITE_LLM_BASE_URL": self.base_url,
            "CARECITE_LLM_API_KEY": KEY,
            "CARECITE_LLM_MODEL": self.model,
        }

    def endpoint(self, **more: Any) -> ModelEndpoint:
        """The same as a group of the settings."""
        fixed = {"base_url": self.base_url, "api_key": KEY, "model": self.model}
        return ModelEndpoint.model_validate(fixed | more)

    def wait_for(self, happened: Callable[[], object]) -> bool:
        """Whether it happens within ten seconds, which is a limit against hanging. Blocking."""
        return any(happened() or self.closing.wait(0.01) for _ in range(1000))

    def take(self, request: dict[str, Any], headers: Mapping[str, str]) -> Reply:
        with self._lock:
            number = len(self.asked)
            self.asked.append(Asked(request, time.monotonic(), headers))
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        if callable(self._script):
            return self._script(request, number)
        return self._script[min(number, len(self._script) - 1)]

    def leave(self, *, early: bool) -> None:
        with self._lock:
            self._at_once -= 1
            self.hung_up += early

    def pause(self, connection: socket.socket, seconds: float) -> bool:
        """Wait; False where the client or the test has left meanwhile."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self.closing.is_set():
            readable, _, _ = select.select([connection], [], [], min(left, 0.02))
            if readable and not connection.recv(1, socket.MSG_PEEK):
                return False
        return not self.closing.is_set()


class _Handler(BaseHTTPRequestHandler):
    model: ModelServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        more = {"max_model_len": self.model.context} if self.model.context else {}
        models = [{"id": name, "object": "model"} | more for name in self.model.models]
        listed = {"object": "list", "data": models}
        self._begin(body(listed), len(json.dumps(listed)))
        self.wfile.write(json.dumps(listed).encode())

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        reply = self.model.take(request, {name.lower(): value for name, value in self.headers.items()})
        stayed = False
        try:
            stayed = self._answer(_wire(reply, request) if isinstance(reply, Chat) else reply)
        except OSError:
            pass
        finally:
            self.model.leave(early=not stayed)
            self.close_connection = True

    def _answer(self, reply: Wire) -> bool:
        """Send it; False where the client left before its end."""
        if reply.before and not self.model.pause(self.connection, reply.before):
            return False
        whole = all(isinstance(part, bytes) for part in reply.parts) and "event" not in reply.kind
        self._begin(reply, sum(map(len, reply.parts)) if whole else None)  # type: ignore[arg-type]
        for part in reply.parts:
            if part is RESET:
                now = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
                self.connection.close()
                return True
            if isinstance(part, bytes):
                self.wfile.write(part)
                self.wfile.flush()
            elif not self.model.pause(self.connection, part):
                return False
        return True

    def _begin(self, reply: Wire, length: int | None) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")  # said, so that no client tries the closed one again
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """The tests' output stays clean."""


def _wire(chat: Chat, request: Mapping[str, Any]) -> Wire:
    """The envelope in one piece, or as a stream where the request wants one."""
    usage = (count_tokens(request), 20) if chat.usage == "count" else chat.usage
    counts = None if usage is None else {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    if "prompt" in request:  # /completions: the text alone
        said = {"index": 0, "finish_reason": chat.finish, "text": chat.content}
        whole = json.dumps({"id": "c", "object": "text_completion", "choices": [said], "usage": counts})
        return Wire([whole.encode()], before=chat.before)
    if not request.get("stream"):
        message = {"role": "assistant", "content": chat.content, **chat.more}
        choice = {"index": 0, "finish_reason": chat.finish, "message": message}
        value = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        whole = json.dumps(value | ({"usage": counts} if counts else {})).encode()
        return Wire([whole], before=chat.before)
    text = chat.content or ""
    size = max(1, -(-len(text) // chat.pieces))
    parts: list[bytes | float | None] = [chunk("", role="assistant", **chat.more)]
    for at in range(0, len(text), size):
        parts += (
            [chat.between, chunk(text[at : at + size])] if chat.between else [chunk(text[at : at + size])]
        )
    parts.append(chunk(finish=chat.finish))
    if counts and request.get("stream_options", {}).get("include_usage"):
        last = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []}
        parts.append(b"data: " + json.dumps(last | {"usage": counts}).encode() + b"\n\n")
    return Wire([*parts, b"data: [DONE]\n\n"], kind="text/event-stream", before=chat.before)
