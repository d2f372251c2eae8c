"""What `doctor` asks, on loopback: a model endpoint, E-utilities, Slack and Telegram in one HTTP server.

Each answers as its mood says: `ok`, or one of the ways in which such services fail. Tokens are compared as
the real ones do it. The larger emulators, which hold conversations, are apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

KEY, BOT_TOKEN, TELEGRAM_TOKEN = "sk-key-4711", "xoxb-bot-4711", "4711:telegram-token"
MODEL = "small-model"

Reply = tuple[int, str, bytes]


def _json(value: object, status: int = 200) -> Reply:
    return status, "application/json", json.dumps(value).encode()


GARBAGE: Reply = (200, "text/html", b"<html>\xff\x1b[31m Please log in to the network \x00</html>")
BROKEN: Reply = (502, "text/plain", b"Bad gateway")


@dataclass(slots=True)
class Services:
    """The server and what it was asked; `moods` are by service: model, chat, pubmed, slack,
    telegram."""

    port: int = 0
    moods: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=lambda: [MODEL, "large-model"])

    def settings(self) -> dict[str, str]:
        """Settings that lead to this server, with tokens that it takes."""
        root = f"http://127.0.0.1:{self.port}"
        return {
            "CARECITE_LLM_BASE_URL": f"{root}/v1",
            "CARECITE_LLM_API_KEY": KEY,
            "CARECITE_LLM_MODEL": MODEL,
            "CARECITE_EUTILS_BASE_URL": f"{root}/entrez/eutils",
            "CARECITE_SLACK_BOT_TOKEN": BOT_TOKEN,
            "CARECITE_SLACK_BASE_URL": f"{root}/api",
            "CARECITE_TELEGRAM_TOKEN": TELEGRAM_TOKEN,
            "CARECITE_TELEGRAM_BASE_URL": f"{root}/bot",
        }

    def reply(self, path: str, bearer: str | None) -> Reply:
        if path == "/v1/models":
            service, right = "model", bearer == KEY
            good = _json({"object": "list", "data": [{"id": name} for name in self.models]})
            refused = _json({"error": {"message": "Incorrect API key provided"}}, 401)
        elif path == "/v1/chat/completions":
            service, right, refused = "chat", bearer == KEY, BROKEN
            good = _json(
                {"choices": [{"finish_reason": "stop", "message": {"content": '{"word": "ready"}'}}]}
            )
        elif path == "/entrez/eutils/einfo.fcgi":
            service, right, refused = "pubmed", True, BROKEN
            good = 200, "text/xml", b"<?xml version='1.0'?><eInfoResult><DbInfo/></eInfoResult>"
        elif path == "/api/auth.test":
            service, right = "slack", bearer == BOT_TOKEN
            good, refused = _json({"ok": True, "team": "T"}), _json({"ok": False, "error": "invalid_auth"})
        elif path.startswith("/bot") and path.endswith("/getMe"):
            service, right = "telegram", path == f"/bot{TELEGRAM_TOKEN}/getMe"
            good = _json({"ok": True, "result": {"is_bot": True}})
            refused = _json({"ok": False, "error_code": 401, "description": "Unauthorized"}, 401)
        else:
            return 404, "text/plain", b"no such page"
        moods = {"ok": good, "garbage": GARBAGE, "broken": BROKEN}
        return moods[self.moods.get(service, "ok")] if right else refused


class _Handler(BaseHTTPRequestHandler):
    services: Services

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self.rfile.read(length)
        path = urlsplit(self.path).path
        self.services.asked.append(f"{self.command} {path}")
        bearer = (self.headers.get("Authorization") or "").removeprefix("Bearer ") or None
        status, kind, body = self.services.reply(path, bearer)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """The tests' output stays clean."""


@contextmanager
def run_services() -> Iterator[Services]:
    """The services on a free port of 127.0.0.1."""
    services = Services()
    handler = type("Handler", (_Handler,), {"services": services})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        services.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield services
        finally:
            server.shutdown()
            thread.join()
