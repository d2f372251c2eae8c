"""A chat store with conversations of two people, and staff who may see one workspace, or all, or nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import psycopg
import pytest

from storage.history.chat import Chat, Place, Workspace
from storage.history.review import OPERATOR, Actor, Grant, ReviewRoom, open_review, permit
from storage.history.review.access import Account, Permission
from tests.integration.chat.conftest import (
    HOME,
    PLENTY,
    TABLES,
    chat,
    engine,
    message,
    run_of,
    settings,
    slack,
    telegram,
)
from tests.integration.conftest import NewDatabase

__all__ = ["chat", "engine", "settings", "slack", "telegram"]


@pytest.fixture(scope="module")
def review_database(new_database: NewDatabase) -> str:
    return new_database("history")


@pytest.fixture
def url(review_database: str) -> str:
    """Emptied for each test, the audit too, which only a superuser can bring about."""
    with psycopg.connect(review_database) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(
            f"TRUNCATE {TABLES}, staff, audit, audit_reasons, exports RESTART IDENTITY CASCADE"
        )
        connection.execute("ALTER TABLE audit ENABLE TRIGGER USER")
    return review_database


@pytest.fixture
def room(chat: Chat) -> ReviewRoom:
    return open_review(chat)


async def answer(
    chat: Chat, workspace: Workspace, run_id: str, *, sender: str = "U1", place: Place = HOME, **fields: Any
) -> str:
    """A question that was answered; `fields` of its run. Its run id."""
    receipt = await chat.inbox.accept(message(workspace, run_id, sender=sender, place=place), PLENTY)
    claim = await chat.questions.claim(receipt.question or 0)
    assert claim
    run = replace(run_of(claim, run_id), masked=f"Do socks keep feet warm?\n\nSocks are warm, {run_id}.")
    await chat.questions.keep(claim, replace(run, **fields))
    await chat.questions.finish(claim, "answered", [])
    return run_id


class Staff(NamedTuple):
    """Of the first workspace, but for `chief`, who has all roles everywhere, and `other`, of the second."""

    ann: Account
    ben: Account
    lead: Account
    other: Account
    auditor: Account
    chief: Account


@pytest.fixture
async def staff(room: ReviewRoom, slack: Workspace, telegram: Workspace) -> Staff:
    here, there = slack.id, telegram.id
    roles: dict[str, list[Grant]] = {
        "ann": [Grant("reviewer", here)],
        "ben": [Grant("reviewer", here)],
        "lead": [Grant("lead", here)],
        "other": [Grant("lead", there)],
        "auditor": [Grant("auditor", None)],
        "chief": [Grant("reviewer", None), Grant("lead", None), Grant("admin", None)],
    }
    made = []
    for name, grants in roles.items():
        account = await room.accounts.add_oidc(OPERATOR, name, "https://idp.example", name)
        for grant in grants:
            await room.accounts.grant(OPERATOR, account, *grant)
        made.append(Account(account, name, tuple(grants)))
    return Staff(*made)


def as_(account: Account, permission: Permission = "read") -> Actor:
    return permit(account, permission, "request-1")
