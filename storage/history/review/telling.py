"""Telling the person whose answer was found wrong: once, in the chat it came from.

What is told waits in the outbox as parts of the question, so it goes out once, in order and where the answer
stands, whatever dies meanwhile; a deleted question takes it along. It may be told once a verdict stands:
"unsupported" when it is submitted, "unsafe" when a second reviewer or a lead confirmed it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import NotThere
from storage.history.cases import CORRECTED
from storage.history.chat.ground import Ground
from storage.history.chat.outbox import add_parts
from storage.history.chat.records import CORRECTION, Part
from storage.history.review.access import Actor
from storage.history.review.audit import Event, write

Hindrance = Literal["local", "erased", "consent", "uninstalled", "verdict"]
_RIPE = {("unsupported", "submitted"), ("unsupported", "confirmed"), ("unsafe", "confirmed")}

_WHOSE = """
SELECT i.id, i.person_id FROM cases k JOIN inbox i USING (run_id) WHERE k.run_id = :run AND {sees}
"""
# As erasure locks: the person, then what they asked, then what came of it.
_LOCKS = (
    "SELECT id FROM people WHERE id = :person_id FOR SHARE",
    "SELECT id FROM inbox WHERE id = :id FOR SHARE",
    "SELECT run_id FROM cases WHERE run_id = :run FOR UPDATE",
)
_CASE = f"""
SELECT k.workspace_id, k.platform, k.language, k.verdict, k.state, k.asked_at, r.answer, i.id AS question,
  i.conversation_id, c.lane_id, p.consent, w.removed_at, {CORRECTED} AS corrected
FROM cases k JOIN runs r USING (run_id) LEFT JOIN inbox i USING (run_id)
LEFT JOIN conversations c ON c.id = i.conversation_id LEFT JOIN people p ON p.id = i.person_id
LEFT JOIN workspaces w ON w.id = k.workspace_id WHERE k.run_id = :run AND {{sees}}
"""
_PARTS = """
SELECT part, state, sealed_message IS NOT NULL AS shown, coalesce(sent_at, created_at) AS at
FROM outbox WHERE inbox_id = :question ORDER BY id
"""


@dataclass(frozen=True, slots=True)
class Told:
    """What was told: when it went out, or was put in; `state` is that of the outbox."""

    state: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Prospect:
    """Whether somebody can be told. `hindrance` is why not, None where they can or were `told`."""

    hindrance: Hindrance | None
    told: Told | None = None


@dataclass(frozen=True, slots=True)
class Wronged:
    """What is told of: an answer (the object of `ask --json`), and what it should have been, if somebody
    wrote that. `shown` are the parts that have a message in the chat, the oldest first.
    """

    platform: str
    language: str
    asked_at: datetime
    verdict: str
    answer: dict[str, Any] = field(repr=False)
    corrected: str | None = field(repr=False)
    shown: tuple[str, ...]


class Telling:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def look(self, actor: Actor, run_id: str) -> Prospect:
        """Raises NotThere."""
        async with self._ground.begin() as connection:
            case = await _find(connection, actor, run_id)
            return _prospect(case, await _parts(connection, case))

    async def tell(self, actor: Actor, run_id: str, compose: Callable[[Wronged], Sequence[Part]]) -> Prospect:
        """Put in what `compose` makes of it, unless something hinders it or it was told; audited then.

        The parts of the correction are named by CORRECTION. Raises NotThere.
        """
        fields = {"run": run_id} | actor.fields
        async with self._ground.begin() as connection:
            query = text(_WHOSE.format(sees=actor.sees("k.workspace_id")))
            asked = (await connection.execute(query, fields)).first()
            if asked is not None:
                for lock in _LOCKS:
                    await connection.execute(text(lock), {"run": run_id} | asked._asdict())
            case = await _find(connection, actor, run_id)
            parts = await _parts(connection, case)
            prospect = _prospect(case, parts)
            if prospect.hindrance is None and prospect.told is None:
                wronged = Wronged(
                    case.platform,
                    case.language,
                    case.asked_at,
                    case.verdict,
                    case.answer,
                    case.corrected,
                    tuple(part.part for part in parts if part.shown),
                )
                made = compose(wronged)
                await add_parts(
                    connection, case.question, case.lane_id, made, conversation=case.conversation_id
                )
                await write(connection, actor, Event("tell the person", "answer", run_id, case.workspace_id))
                prospect = _prospect(case, await _parts(connection, case))
        return prospect


async def _find(connection: AsyncConnection, actor: Actor, run_id: str) -> Any:
    query = text(_CASE.format(sees=actor.sees("k.workspace_id")))
    case = (await connection.execute(query, {"run": run_id} | actor.fields)).first()
    if case is None:
        raise NotThere
    return case


async def _parts(connection: AsyncConnection, case: Any) -> Sequence[Any]:
    return (await connection.execute(text(_PARTS), {"question": case.question})).all()


def _prospect(case: Any, parts: Sequence[Any]) -> Prospect:
    told = [part for part in parts if part.part.startswith(f"{CORRECTION} ")]
    if told:
        return Prospect(None, Told(told[0].state, told[0].at))
    return Prospect(_hindrance(case))


def _hindrance(case: Any) -> Hindrance | None:
    if case.platform == "local":
        return "local"
    if case.removed_at is not None:
        return "uninstalled"
    if case.lane_id is None or case.consent is None:
        return "erased"
    if case.consent == "withdrawn":
        return "consent"
    return None if (case.verdict, case.state) in _RIPE else "verdict"
