"""What every part of the chat store stands on: transactions that tell nobody's words, and the seals."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage.database import connect
from storage.errors import StatementRefused
from storage.history.chat.records import Place
from storage.history.chat.seals import Seals


class Ground:
    """Connections and seals."""

    def __init__(self, engine: AsyncEngine, seals: Seals) -> None:
        self.seals = seals
        self._engine = engine
        self._single = engine.execution_options(isolation_level="AUTOCOMMIT")  # no BEGIN, no COMMIT

    def begin(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """One transaction. Raises ServerUnavailable, QueryTooSlow, DatabaseDamaged, StatementRefused."""
        return self._connect(self._engine)

    def single(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """One statement. Raises as `begin` does."""
        return self._connect(self._single)

    @asynccontextmanager
    async def _connect(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """A server's message quotes rows (`Failing row contains …`), so only its code is told."""
        try:
            async with connect(engine) as connection:
                yield connection
        except (DBAPIError, psycopg.Error) as error:
            cause = getattr(error, "orig", error)  # SQLAlchemy wraps the driver's
            code = getattr(cause, "sqlstate", None) or type(cause).__name__
            raise StatementRefused(f"Code {code}.") from None

    def hash_person(self, workspace: int, sender: str) -> bytes:
        return self.seals.hash("person", str(workspace), sender)

    def hash_key(self, workspace: int, key: str) -> bytes:
        return self.seals.hash("key", str(workspace), key)

    def hash_message(self, workspace: int, place: Place, message: str) -> bytes:
        return self.seals.hash("message", str(workspace), place.chat, message)

    def hash_chat(self, workspace: int, place: Place) -> bytes:
        return self.seals.hash("chat", str(workspace), place.chat)

    def hash_place(self, workspace: int, place: Place) -> bytes:
        return self.seals.hash("place", str(workspace), place.chat, place.thread or "")

    def seal_place(self, place: Place, message: str | None = None) -> bytes:
        return self.seals.seal("place", json.dumps([place.chat, place.thread, message]))

    def open_place(self, sealed: bytes, *, shared: bool) -> tuple[Place, str | None]:
        """The place, and the message there that was sealed with it."""
        chat, thread, message = json.loads(self.seals.open("place", sealed))
        return Place(chat, thread, shared), message

    def seal_message(self, message: str) -> bytes:
        return self.seals.seal("message", message)

    def open_message(self, sealed: bytes | None) -> str | None:
        return None if sealed is None else self.seals.open("message", sealed)
