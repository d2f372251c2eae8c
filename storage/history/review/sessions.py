"""Signing in, and being signed in: sessions on the server, of which the browser has a random token.

A login begins a new session, an idle or an old one is over. Failures are counted by login and by address,
before a password is looked at. Whether the login, the password or the code was wrong is told to nobody.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text

from storage.errors import LoginThrottled
from storage.history.chat.ground import Ground
from storage.history.review.access import ITSELF, Account, Actor
from storage.history.review.accounts import GRANTS, account_of, hash_oidc
from storage.history.review.audit import Event, write

IDLE = timedelta(minutes=15)  # chat.md 5
LONGEST = timedelta(hours=8)
WINDOW = timedelta(minutes=15)
FAILURES = {"login": 5, "address": 20}  # in a window; many may share an address
STEP = 30  # seconds of a code (RFC 6238)

_ACCOUNT = f"""
SELECT a.id, a.name, a.login, a.disabled_at IS NOT NULL AS disabled, a.password, a.sealed_totp, a.totp_step,
  {GRANTS} FROM staff a
"""
_BY_LOGIN = f"{_ACCOUNT} WHERE a.login = :login AND a.disabled_at IS NULL"
_BY_OIDC = f"{_ACCOUNT} WHERE a.oidc_hash = :oidc AND a.disabled_at IS NULL"
_FAILED = """
SELECT count(*) FILTER (WHERE hash = :login) AS login, count(*) FILTER (WHERE hash = :address) AS address
FROM failed_logins WHERE hash IN (:login, :address) AND failed_at > now() - :window
"""
_FAIL = "INSERT INTO failed_logins (hash) VALUES (:login), (:address)"
_STEP = """
UPDATE staff SET totp_step = :step, password = coalesce(:rehashed, password)
WHERE id = :account AND coalesce(totp_step, 0) < :step RETURNING id
"""
_START = "INSERT INTO staff_sessions (hash, account_id, ends_at) VALUES (:hash, :account, :ends)"
_END = "DELETE FROM staff_sessions WHERE hash = :hash RETURNING account_id"
_FIND = f"""
WITH seen AS (
  UPDATE staff_sessions SET seen_at = now()
  WHERE hash = :hash AND ends_at > now() AND seen_at > now() - :idle RETURNING account_id, ends_at
)
SELECT a.id, a.name, a.login, false AS disabled, seen.ends_at, {GRANTS}
FROM seen JOIN staff a ON a.id = seen.account_id WHERE a.disabled_at IS NULL
"""


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is signed in. `csrf` belongs into every form; it is made of the token, kept nowhere."""

    account: Account
    csrf: str = field(repr=False)
    ends_at: datetime


class Sessions:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def sign_in(
        self, login: str, password: str, code: str, *, address: str, request: str | None = None
    ) -> str | None:
        """The token of a new session of a local account; None where anything was wrong. `address`: of the
        network that it came from. Raises LoginThrottled, SealBroken.
        """
        login = login.strip().lower()
        hash_ = self._ground.seals.hash
        failing = {"login": hash_("login", login), "address": hash_("address", address)}
        async with self._ground.single() as connection:
            counts = (await connection.execute(text(_FAILED), failing | {"window": WINDOW})).one()
            row = (await connection.execute(text(_BY_LOGIN), {"login": login})).first()
        if counts.login >= FAILURES["login"] or counts.address >= FAILURES["address"]:
            raise LoginThrottled
        rehashed, right = await _check_password(row.password if row else None, password)
        step = self._step(row, code)
        async with self._ground.begin() as connection:
            fields = {"account": row.id if row else 0, "step": step, "rehashed": rehashed}
            if not right or step is None or (await connection.execute(text(_STEP), fields)).first() is None:
                await connection.execute(text(_FAIL), failing)
                known = Actor(f"account:{row.id}", "none", None, row.id, request) if row else ITSELF
                await write(connection, known, Event("sign in", "session", refused=True))
                return None
            return await self._start(connection, account_of(row), request)

    async def sign_in_oidc(self, issuer: str, subject: str, request: str | None = None) -> str | None:
        """The same for a subject whose provider vouched for them; None for a stranger."""
        async with self._ground.begin() as connection:
            fields = {"oidc": hash_oidc(self._ground, issuer, subject)}
            row = (await connection.execute(text(_BY_OIDC), fields)).first()
            if row is None:
                await write(connection, ITSELF, Event("sign in", "session", refused=True))
                return None
            return await self._start(connection, account_of(row), request)

    async def find(self, token: str) -> Session | None:
        """Who a request comes from, who is thereby not idle. One statement; None once it is over."""
        fields = {"hash": self._hash(token), "idle": IDLE}
        async with self._ground.single() as connection:
            row = (await connection.execute(text(_FIND), fields)).first()
        if row is None:
            return None
        return Session(account_of(row), self._ground.seals.hash("csrf", token).hex(), row.ends_at)

    async def end(self, token: str, request: str | None = None) -> None:
        """Sign out."""
        async with self._ground.begin() as connection:
            account = (await connection.execute(text(_END), {"hash": self._hash(token)})).scalar()
            if account is not None:
                actor = Actor(f"account:{account}", "none", None, int(account), request)
                await write(connection, actor, Event("sign out", "session"))

    async def _start(self, connection: Any, account: Account, request: str | None) -> str:
        token = secrets.token_urlsafe(32)
        fields = {"hash": self._hash(token), "account": account.id, "ends": datetime.now(UTC) + LONGEST}
        await connection.execute(text(_START), fields)
        actor = Actor(f"account:{account.id}", "none", None, account.id, request)
        await write(connection, actor, Event("sign in", "session"))
        return token

    def _hash(self, token: str) -> bytes:
        return self._ground.seals.hash("session", token)

    def _step(self, row: Any, code: str) -> int | None:
        """The step that a code is of: this one, or one beside it, as clocks differ."""
        import pyotp

        if row is None or row.sealed_totp is None:
            return None
        codes = pyotp.TOTP(self._ground.seals.open("totp", row.sealed_totp), interval=STEP)
        now = int(time.time()) // STEP
        given = code.replace(" ", "").encode()
        near = (now, now - 1, now + 1)
        return next((at for at in near if hmac.compare_digest(codes.at(at * STEP).encode(), given)), None)


async def _check_password(kept: str | None, password: str) -> tuple[str | None, bool]:
    """(a hash with newer parameters, if the kept one's are old; whether it is right); slow for anybody."""
    from argon2 import PasswordHasher
    from argon2.exceptions import InvalidHashError, VerificationError

    hasher = PasswordHasher()

    def check() -> tuple[str | None, bool]:
        if kept is None:
            hasher.hash(password)
            return None, False
        try:
            hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return None, False
        return (hasher.hash(password) if hasher.check_needs_rehash(kept) else None), True

    return await asyncio.to_thread(check)
