"""Accounts and sessions: who comes in, who does not, and for how long."""

from __future__ import annotations

import time

import pyotp
import pytest

from storage.errors import AccountRefused, LoginThrottled, NotPermitted, NotThere
from storage.history.chat import Workspace
from storage.history.review import OPERATOR, Actor, Grant, ReviewRoom, permit
from storage.history.review.sessions import FAILURES
from tests.integration.review.conftest import Staff, as_
from tests.integration.storage.documents import query

PASSWORD = "correct horse battery"
FROM = "192.0.2.1"


class Local:
    """A local account, and the codes its owner reads off."""

    def __init__(self, id: int, address: str) -> None:
        self.id, self._codes = id, pyotp.parse_uri(address)

    def code(self, steps: int = 0) -> str:
        assert isinstance(self._codes, pyotp.TOTP)
        return self._codes.at(int(time.time()) + 30 * steps)


@pytest.fixture
async def ann(room: ReviewRoom) -> Local:
    account = Local(*await room.accounts.add_local(OPERATOR, "Ann", " Ann@Example.org ", PASSWORD))
    await room.accounts.grant(OPERATOR, account.id, "reviewer")
    return account


async def sign_in(
    room: ReviewRoom,
    code: str,
    *,
    login: str = "ann@example.org",
    password: str = PASSWORD,
    address: str = FROM,
) -> str | None:
    return await room.sessions.sign_in(login, password, code, address=address)


async def test_in_and_out(room: ReviewRoom, ann: Local) -> None:
    token = await sign_in(room, ann.code(), login="ANN@example.org")
    assert token
    session = await room.sessions.find(token)
    assert session
    assert session.account.grants == (Grant("reviewer", None),)
    again = await room.sessions.find(token)
    assert again
    assert again.csrf == session.csrf != token
    await room.sessions.end(token)
    assert await room.sessions.find(token) is None
    assert await room.sessions.find("nonsense") is None


async def test_each_login_is_a_new_session(room: ReviewRoom, ann: Local) -> None:
    first, second = await sign_in(room, ann.code()), await sign_in(room, ann.code(1))
    assert first != second
    for token in (first, second):
        assert token
        assert await room.sessions.find(token)


async def test_what_does_not_come_in(room: ReviewRoom, ann: Local) -> None:
    code = ann.code()
    assert await sign_in(room, code, password="wrong horse battery") is None
    assert await sign_in(room, code, login="nobody") is None
    assert await sign_in(room, "000000" if code != "000000" else "111111") is None
    assert await sign_in(room, ann.code(5)) is None
    assert await sign_in(room, "") is None
    assert await sign_in(room, "０" * 6, address="192.0.2.9") is None


async def test_a_code_is_taken_once(room: ReviewRoom, ann: Local) -> None:
    code = ann.code()
    assert await sign_in(room, code)
    assert await sign_in(room, code) is None


async def test_failures_are_throttled_by_login_and_by_address(room: ReviewRoom, ann: Local, url: str) -> None:
    for n in range(FAILURES["login"]):
        assert await sign_in(room, "1", address=f"192.0.2.{n}") is None
    with pytest.raises(LoginThrottled):
        await sign_in(room, ann.code(), address="192.0.2.200")
    query(url, "UPDATE failed_logins SET failed_at = now() - interval '16 minutes'")
    assert await sign_in(room, ann.code())
    for n in range(FAILURES["address"]):
        assert await sign_in(room, "1", login=f"nobody{n}") is None
    with pytest.raises(LoginThrottled):
        await sign_in(room, ann.code(1))
    assert await sign_in(room, ann.code(1), address="192.0.2.201")


@pytest.mark.parametrize(
    "over", ["seen_at = now() - interval '16 minutes'", "ends_at = now()"], ids=["idle", "old"]
)
async def test_a_session_ends(room: ReviewRoom, ann: Local, url: str, over: str) -> None:
    token = await sign_in(room, ann.code())
    assert token
    query(url, f"UPDATE staff_sessions SET {over}")
    assert await room.sessions.find(token) is None


async def test_nothing_of_a_secret_is_kept_as_it_is(room: ReviewRoom, ann: Local, url: str) -> None:
    token = await sign_in(room, ann.code())
    rows = str(query(url, "SELECT staff::text FROM staff")) + str(
        query(url, "SELECT s::text FROM staff_sessions s")
    )
    assert token
    for secret in (PASSWORD, token, token.encode().hex(), str(ann._codes.secret)):
        assert secret not in rows
    assert "$argon2id$" in rows


async def test_a_change_of_rights_signs_out(room: ReviewRoom, ann: Local) -> None:
    token = await sign_in(room, ann.code())
    assert token
    await room.accounts.revoke(OPERATOR, ann.id, "reviewer")
    assert await room.sessions.find(token) is None
    token = await sign_in(room, ann.code(1))
    assert token
    session = await room.sessions.find(token)
    assert session
    with pytest.raises(NotPermitted):
        permit(session.account, "read")
    await room.accounts.disable(OPERATOR, ann.id)
    assert await room.sessions.find(token) is None


async def test_oidc(room: ReviewRoom, staff: Staff) -> None:
    token = await room.sessions.sign_in_oidc("https://idp.example", "ann")
    assert token
    session = await room.sessions.find(token)
    assert session
    assert session.account.name == "ann"
    assert await room.sessions.sign_in_oidc("https://idp.example", "stranger") is None
    assert await room.sessions.sign_in_oidc("https://other.example", "ann") is None
    await room.accounts.disable(OPERATOR, staff.ann.id)
    assert await room.sessions.sign_in_oidc("https://idp.example", "ann") is None


async def test_accounts_that_cannot_be(room: ReviewRoom, ann: Local) -> None:
    for name, login, password in (
        ("Ann", "ann@example.org", PASSWORD),
        ("Ben", "ben", "short"),
        (" ", "c", PASSWORD),
    ):
        with pytest.raises(AccountRefused):
            await room.accounts.add_local(OPERATOR, name, login, password)
    with pytest.raises(AccountRefused):
        await room.accounts.grant(OPERATOR, ann.id, "owner")  # type: ignore[arg-type]


async def test_an_administrator_of_one_workspace_gives_no_other(
    room: ReviewRoom, staff: Staff, slack: Workspace, telegram: Workspace
) -> None:
    local = Actor("account:9", "admin", frozenset({slack.id}), 9)
    await room.accounts.grant(local, staff.ben.id, "lead", slack.id)
    for workspace in (telegram.id, None):
        with pytest.raises(NotThere):
            await room.accounts.grant(local, staff.ben.id, "lead", workspace)
    await room.accounts.disable(local, staff.ben.id)
    for account in (staff.other, staff.chief):
        with pytest.raises(NotThere):
            await room.accounts.disable(local, account.id)
        with pytest.raises(NotThere):
            await room.accounts.renew(local, account.id, PASSWORD)


async def test_sign_ins_are_in_the_audit(room: ReviewRoom, ann: Local, staff: Staff) -> None:
    await sign_in(room, "1")
    await sign_in(room, ann.code())
    entries = await room.audit.read(as_(staff.auditor, "audit"), who=f"account:{ann.id}")
    assert [(entry.action, entry.refused) for entry in entries] == [("sign in", False), ("sign in", True)]
