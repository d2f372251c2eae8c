"""What staff erase: an answer, a conversation with all who spoke in it, or a person, as the chat does.

A legal hold stops it. That it was done is in the audit, with why, out of a few: words could name who is gone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import NotThere, OnHold
from storage.history.chat.erasure import erase, forget, forget_views, open_posts, write_tombstone
from storage.history.chat.ground import Ground
from storage.history.chat.holding import held
from storage.history.chat.records import Erased
from storage.history.review.access import Actor
from storage.history.review.audit import Event, write

Extent = Literal["answer", "conversation", "person"]
Because = Literal["they asked", "another duty", "sent by mistake", "a trial"]

_FIND = """
SELECT c.workspace_id, c.conversation_id, c.person_id, i.id AS question
FROM cases c LEFT JOIN inbox i ON i.run_id = c.run_id WHERE c.run_id = :run AND {sees}
"""
_PERSON = "SELECT id FROM people WHERE id = :person_id FOR UPDATE"
_IDS: dict[Extent, str] = {
    "answer": "SELECT id FROM inbox WHERE id = :question FOR UPDATE",
    "conversation": "SELECT id FROM inbox WHERE conversation_id = :conversation_id ORDER BY id FOR UPDATE",
    "person": "SELECT id FROM inbox WHERE person_id = :person_id ORDER BY id FOR UPDATE",
}
_HELD = f"SELECT 1 FROM inbox i WHERE i.id = ANY(:ids) AND {held('i')} LIMIT 1"
_WHICH: dict[Extent, str] = {
    "answer": "i.id = :question",
    "conversation": "i.conversation_id = :conversation_id",
    "person": "i.person_id = :person_id",
}
_COUNT = f"""
SELECT count(*), count(DISTINCT i.person_id), count(DISTINCT i.conversation_id),
  (SELECT count(DISTINCT e.export_id) FROM inbox i JOIN exported_cases e USING (run_id) WHERE {{which}}),
  coalesce(bool_or({held("i")}), false)
FROM inbox i WHERE {{which}}
"""
_DROP_RUN = "DELETE FROM runs WHERE run_id = :run"


class Erasable(NamedTuple):
    """What would go. `exports`: so many have copies of it; `held`: a legal hold keeps it."""

    extent: Extent
    messages: int
    people: int
    conversations: int
    exports: int
    held: bool


class Erasing:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def count(self, actor: Actor, run_id: str) -> list[Erasable]:
        """Of each extent that an answer has; one of the command line has none of them. Raises NotThere."""
        query = text(_FIND.format(sees=actor.sees("c.workspace_id")))
        found = []
        async with self._ground.begin() as connection:
            case = (await connection.execute(query, {"run": run_id} | actor.fields)).first()
            if case is None:
                raise NotThere
            if case.question is None:
                found = [Erasable("answer", 1, 0, 0, 0, False)]
            else:
                for extent, which in _WHICH.items():
                    counted = text(_COUNT.format(which=which))
                    row = (await connection.execute(counted, case._asdict())).one()
                    found.append(Erasable(extent, *row))
            await write(connection, actor, Event("count", "answer", run_id, case.workspace_id))
        return found

    async def erase(
        self, actor: Actor, run_id: str, extent: Extent, because: Because | None = None
    ) -> Erased:
        """An answer, or what it is part of. One of the command line has neither conversation nor person.

        Raises NotThere, and OnHold, with which nothing is erased.
        """
        query = text(_FIND.format(sees=actor.sees("c.workspace_id")))
        async with self._ground.begin() as connection:
            case = (await connection.execute(query, {"run": run_id} | actor.fields)).first()
            if case is None:
                raise NotThere
            if case.question is None:
                exports = await forget_views(connection, [run_id])
                await connection.execute(text(_DROP_RUN), {"run": run_id})
                erased = Erased(runs=1, exports=exports)
            else:
                erased = await self._erase(connection, case._asdict(), extent)
                await write_tombstone(connection, case.workspace_id, extent, erased)
            event = Event(f"erase {extent}", "answer", run_id, case.workspace_id, because)
            await write(connection, actor, event)
        return erased

    async def _erase(self, connection: AsyncConnection, case: dict[str, Any], extent: Extent) -> Erased:
        if extent == "person":
            await connection.execute(text(_PERSON), case)
        ids = list((await connection.execute(text(_IDS[extent]), case)).scalars())
        if (await connection.execute(text(_HELD), {"ids": ids})).first():
            raise OnHold
        erased, posts = await erase(connection, ids)
        erased = replace(erased, posts=tuple(open_posts(self._ground, posts)))
        return await forget(connection, erased, [case["person_id"]]) if extent == "person" else erased
