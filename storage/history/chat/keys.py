"""The keys of the chat store: from the settings, or from a file that is made on first use.

The file has the two settings as lines, so that it can be moved into the environment as it is. Whoever loses
it loses the platform ids: nothing sealed can be opened, and people are met as strangers.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dotenv import dotenv_values

from config import Settings
from storage.errors import HomeUnusable, KeysUnusable

FILE = "chat.keys"
LENGTH = 32  # bytes: AES-256, and a whole block of HMAC-SHA-256's output
HASH_KEY, SEALING_KEYS = "CARECITE_CHAT_HASH_KEY", "CARECITE_CHAT_SEALING_KEYS"

_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")


@dataclass(frozen=True, slots=True, repr=False)
class KeyRing:
    """One key for hashes, and the named keys for seals, of which the first one seals and all open."""

    hash_key: bytes
    sealing: dict[str, bytes]


def load_keys(settings: Settings) -> KeyRing:
    """The configured keys, else those of the file in CARECITE_HOME, which is made if it is missing.

    Blocking. Raises KeysUnusable, naming a setting but never its value, and HomeUnusable.
    """
    chat = settings.chat
    if chat.hash_key and chat.sealing_keys:
        return _read(chat.hash_key.get_secret_value(), chat.sealing_keys.get_secret_value())
    if chat.hash_key or chat.sealing_keys:
        missing = SEALING_KEYS if chat.hash_key else HASH_KEY
        raise KeysUnusable(f"{missing} is not set.")
    path = settings.home / FILE
    try:
        if not path.exists():
            _make(path)
        if path.stat().st_mode & 0o077:
            raise KeysUnusable(f"Others may read the file {FILE}.", remedy="Run chmod 600 on it.")
        values = dotenv_values(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise HomeUnusable(f"{FILE}: {reason}.") from None
    return _read(values.get(HASH_KEY) or "", values.get(SEALING_KEYS) or "")


def _read(hash_key: str, sealing: str) -> KeyRing:
    named: dict[str, bytes] = {}
    for entry in sealing.split(","):
        name, _, key = entry.strip().partition(":")
        if not _NAME.fullmatch(name) or name in named:
            raise KeysUnusable(f"{SEALING_KEYS}: each key is NAME:BASE64, with a name of its own.")
        named[name] = _decode(key, SEALING_KEYS)
    return KeyRing(_decode(hash_key, HASH_KEY), named)


def _decode(key: str, setting: str) -> bytes:
    try:
        raw = base64.b64decode(key.strip().replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) != LENGTH:
        raise KeysUnusable(f"{setting}: a key is {LENGTH} bytes in base64.")
    return raw


def _make(path: Path) -> None:
    """Write new keys, readable for the owner alone. Of two processes at once, the first one's stay."""
    path.parent.mkdir(parents=True, exist_ok=True)
    words = f"{HASH_KEY}={_new()}\n{SEALING_KEYS}=k1:{_new()}\n"
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{FILE}-")  # mode 0600
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(words)
            file.flush()
            os.fsync(descriptor)
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)


def _new() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(LENGTH)).decode("ascii")
