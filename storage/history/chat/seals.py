"""Hashes that find a person again, and seals that give the platform's id back (chat.md 6, PHI).

A seal is AES-256-GCM: version, length and name of the key, nonce (12 bytes), ciphertext with tag. The purpose
is authenticated with it, so that a sealed token put in the place of a sealed id does not open.
"""

from __future__ import annotations

import hashlib
import hmac
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from storage.errors import SealBroken
from storage.history.chat.keys import KeyRing
from storage.text import clean_text

_VERSION, _NONCE = 1, 12


class Seals:
    """Shows no key and nothing sealed, whatever prints it."""

    def __init__(self, keys: KeyRing) -> None:
        self._hash_key = keys.hash_key
        self._ciphers = {name.encode("ascii"): AESGCM(key) for name, key in keys.sealing.items()}
        self._newest = next(iter(self._ciphers))

    def hash(self, purpose: str, *parts: str) -> bytes:
        """HMAC-SHA-256 (32 bytes); moving text between parts changes it."""
        words = b"".join(len(part).to_bytes(4, "big") + part for part in map(_encode, (purpose, *parts)))
        return hmac.new(self._hash_key, words, hashlib.sha256).digest()

    def seal(self, purpose: str, value: str) -> bytes:
        nonce = os.urandom(_NONCE)
        return (
            self.head + nonce + self._ciphers[self._newest].encrypt(nonce, _encode(value), _encode(purpose))
        )

    def open(self, purpose: str, sealed: bytes) -> str:
        """Raises SealBroken."""
        try:
            version, length = sealed[0], sealed[1]
            nonce_at, words_at = 2 + length, 2 + length + _NONCE
            cipher = self._ciphers[sealed[2:nonce_at]]
            words = cipher.decrypt(sealed[nonce_at:words_at], sealed[words_at:], _encode(purpose))
        except (InvalidTag, KeyError, IndexError, ValueError):
            raise SealBroken from None
        if version != _VERSION:
            raise SealBroken
        return words.decode("utf-8")

    @property
    def head(self) -> bytes:
        """How every seal of the first key begins."""
        return bytes((_VERSION, len(self._newest))) + self._newest


def _encode(text: str) -> bytes:
    return clean_text(text).encode("utf-8")
