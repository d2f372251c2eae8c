"""What staff erase: an answer, a conversation with all who spoke in it, or a person, as the chat does.

A legal hold stops it. That it was done is in the audit, without a reason, which could name who is gone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import NotThere, OnHold
from storage.history.chat.erasure import erase, forget, forget_views, open_posts, write_tombstone
from storage.history.chat.ground import Ground
from storage.history.chat.records import Erased
from storage.history.review.access import Actor
from storage.history.review.audit import Event, write

Extent = Literal["answer", "conversation", "person"]

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
_HELD = """
SELECT 1 FROM inbox i JOIN holds h ON h.workspace_id = i.workspace_id AND h.lifted_at IS NULL
  AND (h.conversation_id IS NULL OR h.conversation_id = i.conversation_id)
WHERE i.id = ANY(:ids) LIMIT 1
"""
_DROP_RUN = "DELETE FROM runs WHERE run_id = :run"


class Erasing:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def erase(self, actor: Actor, run_id: str, extent: Extent) -> Erased:
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
            await write(connection, actor, Event(f"erase {extent}", "answer", run_id, case.workspace_id))
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
