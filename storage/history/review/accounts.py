"""Accounts of the staff. Most come through OIDC; a local one, with a password and a code, is for the day on
which that is down.
"""

from __future__ import annotations

import asyncio
from typing import Any, get_args

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import AccountRefused, NotThere
from storage.history.chat.ground import Ground
from storage.history.review.access import Account, Actor, Grant, Role
from storage.history.review.audit import Event, write
from storage.text import clean_text

SHORTEST = (
    12  # characters of a password (NIST SP 800-63B-4 asks for 15 where it stands alone; a code is beside it)
)
ISSUER = "carecite"

GRANTS = """
(SELECT coalesce(json_agg(json_build_array(g.role, g.workspace_id) ORDER BY g.id), '[]')
 FROM grants g WHERE g.account_id = a.id) AS grants
"""
_ADD = """
INSERT INTO staff (name, login, password, sealed_totp, oidc_hash)
VALUES (:name, :login, :password, :totp, :oidc) ON CONFLICT DO NOTHING RETURNING id
"""
_LIST = f"""
SELECT a.id, a.name, a.login, a.disabled_at IS NOT NULL AS disabled, {GRANTS} FROM staff a ORDER BY a.id
"""
_GRANT = """
INSERT INTO grants (account_id, role, workspace_id) SELECT id, :role, :workspace FROM staff
WHERE id = :account ON CONFLICT DO NOTHING
"""
_REVOKE = """
DELETE FROM grants WHERE account_id = :account AND role = :role
  AND workspace_id IS NOT DISTINCT FROM CAST(:workspace AS bigint)
"""
_DISABLE = (
    "UPDATE staff SET disabled_at = CASE WHEN :disabled THEN now() END WHERE id = :account RETURNING id"
)
_PASSWORD = "UPDATE staff SET password = :password, sealed_totp = :totp WHERE id = :account RETURNING login"
_ELSEWHERE = """
SELECT 1 FROM grants WHERE account_id = :account AND (workspace_id IS NULL OR NOT workspace_id = ANY(:reach))
"""
_SIGN_OUT = "DELETE FROM staff_sessions WHERE account_id = :account"


class Accounts:
    """For `manage`; a change signs the account out, so that it comes back with what it may now."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def add_local(self, actor: Actor, name: str, login: str, password: str) -> tuple[int, str]:
        """(id, otpauth:// address for an authenticator, shown once). Raises AccountRefused."""
        login = login.strip().lower()
        hashed, secret = await _protect(password)
        fields = {"login": login, "password": hashed, "totp": self._ground.seals.seal("totp", secret)}
        return await self._add(actor, name, fields), _address(secret, login)

    async def add_oidc(self, actor: Actor, name: str, issuer: str, subject: str) -> int:
        """Raises AccountRefused where somebody has that subject already."""
        return await self._add(actor, name, {"oidc": hash_oidc(self._ground, issuer, subject)})

    async def renew(self, actor: Actor, account: int, password: str) -> str:
        """A new password and a new code for a local account; its address. Raises AccountRefused, NotThere."""
        hashed, secret = await _protect(password)
        fields = {"account": account, "password": hashed, "totp": self._ground.seals.seal("totp", secret)}
        async with self._ground.begin() as connection:
            await _check_reach(connection, actor, account)
            login = (await connection.execute(text(_PASSWORD), fields)).scalar()
            if login is None:
                raise NotThere
            await self._changed(connection, actor, "renew password", account)
        return _address(secret, str(login))

    async def list(self, actor: Actor) -> list[Account]:
        async with self._ground.begin() as connection:
            rows = (await connection.execute(text(_LIST))).all()
            await write(connection, actor, Event("list", "accounts"))
        return [account_of(row) for row in rows]

    async def grant(self, actor: Actor, account: int, role: Role, workspace: int | None = None) -> None:
        """Raises AccountRefused, NotThere."""
        await self._regrant(actor, _GRANT, "grant", account, role, workspace)

    async def revoke(self, actor: Actor, account: int, role: Role, workspace: int | None = None) -> None:
        await self._regrant(actor, _REVOKE, "revoke", account, role, workspace)

    async def disable(self, actor: Actor, account: int, *, disabled: bool = True) -> None:
        """Raises NotThere."""
        fields = {"account": account, "disabled": disabled}
        async with self._ground.begin() as connection:
            await _check_reach(connection, actor, account)
            if (await connection.execute(text(_DISABLE), fields)).first() is None:
                raise NotThere
            await self._changed(connection, actor, "disable" if disabled else "enable", account)

    async def _add(self, actor: Actor, name: str, fields: dict[str, Any]) -> int:
        name = " ".join(clean_text(name).split())
        if not name:
            raise AccountRefused("It has no name.")
        empty = {"name": name, "login": None, "password": None, "totp": None, "oidc": None}
        async with self._ground.begin() as connection:
            found = (await connection.execute(text(_ADD), empty | fields)).scalar()
            if found is None:
                raise AccountRefused("Somebody has it already.")
            await write(connection, actor, Event("add", "account", str(found)))
        return int(found)

    async def _regrant(
        self, actor: Actor, statement: str, action: str, account: int, role: Role, workspace: int | None
    ) -> None:
        if role not in get_args(Role):
            raise AccountRefused("There is no such role.")
        if actor.reach is not None and workspace not in actor.reach:
            raise NotThere  # an administrator of some workspaces gives no more than those
        fields = {"account": account, "role": role, "workspace": workspace}
        async with self._ground.begin() as connection:
            await connection.execute(text(statement), fields)
            await self._changed(connection, actor, f"{action} {role}", account, workspace)

    async def _changed(
        self,
        connection: AsyncConnection,
        actor: Actor,
        action: str,
        account: int,
        workspace: int | None = None,
    ) -> None:
        await connection.execute(text(_SIGN_OUT), {"account": account})
        await write(connection, actor, Event(action, "account", str(account), workspace))


async def _check_reach(connection: AsyncConnection, actor: Actor, account: int) -> None:
    """An administrator of some workspaces takes over nobody who may see more. Raises NotThere."""
    if actor.reach is not None:
        fields = {"account": account} | actor.fields
        if (await connection.execute(text(_ELSEWHERE), fields)).first():
            raise NotThere


def account_of(row: Any) -> Account:
    grants = tuple(Grant(role, workspace) for role, workspace in row.grants)
    return Account(row.id, row.name, grants, row.login, row.disabled)


def hash_oidc(ground: Ground, issuer: str, subject: str) -> bytes:
    return ground.seals.hash("oidc", issuer, subject)


async def _protect(password: str) -> tuple[str, str]:
    """(argon2id hash, secret of the codes). Some 50 ms of work, off the loop."""
    import pyotp
    from argon2 import PasswordHasher

    if len(password) < SHORTEST:
        raise AccountRefused(f"A password has at least {SHORTEST} characters.")
    return await asyncio.to_thread(PasswordHasher().hash, password), pyotp.random_base32()


def _address(secret: str, login: str) -> str:
    import pyotp

    return pyotp.TOTP(secret).provisioning_uri(name=login, issuer_name=ISSUER)
