"""The review on the history of the settings: for the web pages and for the terminal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from bot.app import Say, open_history_database, quiet
from bot.stopping import told_to_stop
from config import Settings
from storage.errors import NotThere
from storage.history.chat import Chat, Platform, open_chat
from storage.history.replaying import ReplayedRun
from storage.history.review import ReviewRoom, open_review

_CONNECTIONS = 8  # to the history database, for requests at the same time


@asynccontextmanager
async def open_review_room(settings: Settings, say: Say = quiet) -> AsyncIterator[ReviewRoom]:
    """The history brought up to date, with the keys of the chat. Raises StorageError."""
    async with open_chat_store(settings, say) as chat:
        yield open_review(chat)


@asynccontextmanager
async def open_chat_store(
    settings: Settings, say: Say = quiet, *, connections: int = 2
) -> AsyncIterator[Chat]:
    """What the review stands on, with the workspaces by their names. Raises StorageError."""
    async with open_history_database(settings, say, connections=connections) as database:
        yield await open_chat(database.engine, settings)


async def review(settings: Settings, say: Say) -> None:
    """The review alone, until it is told to end. Raises NoAddress, PortTaken, StorageError."""
    from bot.review.serving import address_of, serve_review

    address = address_of(settings.review)
    async with open_chat_store(settings, say, connections=_CONNECTIONS) as chat:
        with told_to_stop() as stop:
            room = open_review(chat)
            await tell_of_accounts(room, say)
            told = f"The review is at {address}; Ctrl-C ends it."
            await serve_review(room, settings.review, stop, lambda: say(told))
    say("The review has ended.")


async def tell_of_accounts(room: ReviewRoom, say: Say) -> None:
    """How the first one is made, where nobody can sign in yet."""
    if not await room.accounts.any():
        say("Nobody can sign in yet: carecite review account add NAME --login NAME --role lead -w all")


@asynccontextmanager
async def open_history_of_run(
    settings: Settings, run_id: str, say: Say = quiet
) -> AsyncIterator[ReplayedRun]:
    """The history as one run knew it. Raises StorageError."""
    async with open_history_database(settings, say) as database:
        yield ReplayedRun(database.engine, run_id)


async def find_workspace(chat: Chat, named: str) -> int | None:
    """Its number by its name on the platform, as slack:T0123456; None is all of them. Raises NotThere."""
    if named == "all":
        return None
    platform, _, external = named.partition(":")
    found = await chat.workspaces.find(cast(Platform, platform), external)
    if found is None:
        raise NotThere(remedy="Name it as slack:T…, or telegram:ID of the bot, or say all.")
    return found.id
