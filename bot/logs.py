"""What `serve` and `worker` write to stderr: ids and codes, never a token and nobody's words.

Our own lines hold neither. Of other libraries only warnings come through, since at lower levels they write
addresses with tokens and texts of messages. What comes through is searched for tokens all the same, and of an
exception its type and place are told, not its words.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from pydantic import BaseModel, SecretStr

from config import Settings

OWN = ("bot", "reasoning", "storage", "config")
LOUD = (
    "httpx",
    "httpcore",
    "telegram",
    "aiohttp",
    "slack_bolt",
    "slack_sdk",
    "asyncio",
    "procrastinate",
    "sqlalchemy",
    "psycopg",
    "openai",
    "uvicorn",
    "authlib",
    "python_multipart",
)
_TOKEN = re.compile(r"\b\d{3,}:[A-Za-z0-9_-]{8,}|\bx(?:ox[a-z]|app)-[A-Za-z0-9-]+")
HIDDEN = "[hidden]"


def set_up_logs(settings: Settings) -> None:
    """One handler on stderr. What other libraries say is capped at WARNING whatever the level is."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter([*_secrets(settings)]))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for name in OWN:
        logging.getLogger(name).setLevel(settings.log.level.upper())
    for name in LOUD:
        logging.getLogger(name).setLevel(logging.WARNING)


class _Formatter(logging.Formatter):
    def __init__(self, secrets: list[str]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = sorted(secrets, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """Other libraries' words are their own with values of ours filled in: only the pattern is told."""
        if record.name.partition(".")[0] not in OWN:
            record = logging.makeLogRecord(record.__dict__ | {"args": None, "exc_text": None})
        return self._hide(super().format(record))

    def formatException(self, info: Any) -> str:
        return _describe(info[0], info[2])

    def _hide(self, line: str) -> str:
        for secret in self._secrets:
            line = line.replace(secret, HIDDEN)
        return _TOKEN.sub(HIDDEN, line)


def _describe(kind: type[BaseException] | None, trace: TracebackType | None) -> str:
    """Type and places of an exception; its message may quote a row or a request."""
    frames = [f"  {frame.name} ({frame.filename}:{frame.lineno})" for frame in traceback.extract_tb(trace)]
    return "\n".join([kind.__name__ if kind else "?", *frames])


def _secrets(settings: BaseModel) -> Iterator[str]:
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr) and value.get_secret_value():
            yield value.get_secret_value()
        elif isinstance(value, BaseModel):
            yield from _secrets(value)
