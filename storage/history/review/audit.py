"""Who looked at what, and who changed what: append-only, each row chained to the one before.

A row's hash is SHA-256 over the hash before it and a canonical form of the row, ids without gaps, so that a
changed, missing or inserted row breaks the chain there; a cut end shows where somebody noted the head. A
typed reason is not in a row but beside it, under a salted hash, and may be erased with its subject.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import ReasonMissing
from storage.history.chat.ground import Ground
from storage.history.review.access import Account, Actor
from storage.text import clean_text

_LOCK = "SELECT pg_advisory_xact_lock(25449, 0)"  # one writer at a time, until its transaction ends
_LAST = """
SELECT clock_timestamp() AS at, last.id, last.hash
FROM (SELECT) one LEFT JOIN LATERAL (SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1) last ON true
"""
_SHOWN = "id, at, actor, role, action, subject_kind, subject_id, workspace_id, request_id, refused"
_COLUMNS = f"{_SHOWN}, reason_hash"
_ADD = f"""
INSERT INTO audit ({_COLUMNS}, hash)
VALUES (:{_COLUMNS.replace(", ", ", :")}, :hash)
"""
_REASON = "INSERT INTO audit_reasons (audit_id, salt, reason) VALUES (:id, :salt, :reason)"
_ALL = f"""
SELECT {_COLUMNS}, a.hash, r.salt, r.reason FROM audit a LEFT JOIN audit_reasons r ON r.audit_id = a.id
ORDER BY a.id
"""
_READ = f"""
SELECT {_SHOWN}, r.reason FROM audit a LEFT JOIN audit_reasons r ON r.audit_id = a.id
WHERE a.id < :before {{and_more}} ORDER BY a.id DESC LIMIT :limit
"""
START = b"\x00" * 32
_NEWEST = 2**62
_AT_ONCE = 1000  # rows


@dataclass(frozen=True, slots=True)
class Event:
    """What the audit keeps. `kind` and `subject` name a thing by its id; no words of anybody."""

    action: str
    kind: str
    subject: str | None = None
    workspace: int | None = None
    reason: str | None = field(default=None, repr=False)
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the audit; without its reason once that was erased."""

    id: int
    at: datetime
    actor: str
    role: str
    action: str
    kind: str
    subject: str | None
    workspace: int | None
    request: str | None
    refused: bool
    reason: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Verification:
    """`head` is the last row's number and hash, to be noted elsewhere; `broken` the first row that is missing
    or not as it was written.
    """

    rows: int
    head: str
    broken: int | None = None

    @property
    def intact(self) -> bool:
        return self.broken is None


def checked_reason(reason: str) -> str:
    """Raises ReasonMissing."""
    reason = " ".join(clean_text(reason).split())
    if len(reason) < 3:
        raise ReasonMissing
    return reason


async def write(connection: AsyncConnection, actor: Actor, event: Event) -> int:
    """The one way into the audit: in the transaction of what it tells of, and best at its end, since other
    writers wait from here on. The number of the row.
    """
    await connection.execute(text(_LOCK))
    last = (await connection.execute(text(_LAST))).one()
    salt = secrets.token_bytes(16)
    row: dict[str, Any] = {
        "id": (last.id or 0) + 1,
        "at": last.at,
        "actor": actor.name,
        "role": actor.role,
        "action": event.action,
        "subject_kind": event.kind,
        "subject_id": event.subject,
        "workspace_id": event.workspace,
        "request_id": actor.request,
        "refused": event.refused,
        "reason_hash": _hash_reason(salt, event.reason),
    }
    await connection.execute(text(_ADD), row | {"hash": chain(last.hash or START, row)})
    if event.reason is not None:
        await connection.execute(text(_REASON), {"id": row["id"], "salt": salt, "reason": event.reason})
    return int(row["id"])


class Audit:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def refuse(self, account: Account, event: Event, request: str | None = None) -> None:
        """What somebody was not let do."""
        actor = Actor(f"account:{account.id}", "none", frozenset(), account.id, request)
        await self.note(actor, replace(event, refused=True))

    async def note(self, actor: Actor, event: Event) -> None:
        """What changes nothing else in the database."""
        async with self._ground.begin() as connection:
            await write(connection, actor, event)

    async def read(
        self,
        actor: Actor,
        *,
        before: int | None = None,
        who: str | None = None,
        action: str | None = None,
        subject: tuple[str, str] | None = None,
        limit: int = 100,
    ) -> list[Entry]:
        """The newest first, of the workspaces that the actor may audit. That it was read is in it, too."""
        more = "" if actor.reach is None else " AND a.workspace_id = ANY(:reach)"
        more += " AND a.actor = :who" if who else ""
        more += " AND a.action = :action" if action else ""
        more += " AND a.subject_kind = :kind AND a.subject_id = :subject" if subject else ""
        kind, named = subject or (None, None)
        fields = {"before": before or _NEWEST, "limit": limit, "who": who, "action": action}
        async with self._ground.begin() as connection:
            rows = await connection.execute(
                text(_READ.format(and_more=more)), fields | {"kind": kind, "subject": named} | actor.fields
            )
            found = [Entry(*row) for row in rows]
            await write(connection, actor, Event("read", "audit"))
        return found

    async def verify(self, actor: Actor, head: str | None = None) -> Verification:
        """Read the whole chain, some rows at a time. With a `head` that was noted, that row must be there."""
        found = await self._verify(head)
        await self.note(actor, Event("verify", "audit", "intact" if found.intact else "broken"))
        return found

    async def _verify(self, head: str | None) -> Verification:
        before, count, broken, seen = START, 0, None, head is None
        in_parts = {"yield_per": _AT_ONCE}
        async with (
            self._ground.begin() as connection,
            connection.stream(text(_ALL), execution_options=in_parts) as rows,
        ):
            async for row in rows.mappings():
                if row["id"] != count + 1 or not _holds(before, row):
                    broken = count + 1
                    break
                before, count = row["hash"], row["id"]
                seen = seen or head == _name(count, before)
        if broken is None and not seen:
            broken = _number(head) if head else count + 1
        return Verification(count, _name(count, before), broken)


def _holds(before: bytes, row: Any) -> bool:
    if row["reason"] is not None and row["reason_hash"] != _hash_reason(row["salt"], row["reason"]):
        return False
    return bool(row["hash"] == chain(before, row))


def chain(before: bytes, row: Any) -> bytes:
    values = [_plain(row[name]) for name in _COLUMNS.split(", ")]
    words = json.dumps(values, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(before + words.encode("ascii")).digest()


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value.hex() if isinstance(value, bytes) else value


def _hash_reason(salt: bytes, reason: str | None) -> bytes | None:
    return None if reason is None else hashlib.sha256(salt + reason.encode("utf-8")).digest()


def _name(number: int, value: bytes) -> str:
    return f"{number}:{value.hex()}"


def _number(head: str) -> int:
    """The row of a noted head; 0 where that is none."""
    number = head.partition(":")[0]
    return int(number) if number.isdecimal() else 0
