"""People: found again by a keyed hash, reached by a sealed id; what they agreed to, and their language."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.history.chat.ground import Ground
from storage.history.chat.records import CORRECTION, Consent, Person

_MEET = """
INSERT INTO people (workspace_id, hash, sealed_id, consent, language)
VALUES (:workspace, :hash, :sealed, 'unasked', :language)
ON CONFLICT (workspace_id, hash) DO UPDATE SET language = coalesce(people.language, excluded.language)
RETURNING id
"""
_CONSENT = """
INSERT INTO people (workspace_id, hash, sealed_id, consent, consent_at, language)
VALUES (:workspace, :hash, :sealed, :consent, now(), :language)
ON CONFLICT (workspace_id, hash) DO UPDATE SET consent = excluded.consent, consent_at = excluded.consent_at,
    language = coalesce(people.language, excluded.language)
RETURNING id, consent, consent_at, language
"""
_FIND = """
SELECT id, consent, consent_at, language FROM people WHERE workspace_id = :workspace AND hash = :hash
"""
_UNTOLD = """
DELETE FROM outbox o USING inbox i
WHERE i.person_id = :person AND o.inbox_id = i.id AND o.state = 'pending' AND o.part LIKE :part
"""
_LANGUAGE = "UPDATE people SET language = :language WHERE workspace_id = :workspace AND hash = :hash"


async def meet(
    connection: AsyncConnection, ground: Ground, workspace: int, sender: str, language: str | None
) -> int:
    """The id of a person, who is kept from now on; the row stays locked until the transaction ends."""
    fields = _fields(ground, workspace, sender, language)
    return int((await connection.execute(text(_MEET), fields)).scalar_one())


class People:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def find(self, workspace: int, sender: str) -> Person | None:
        """None for somebody of whom nothing is kept."""
        fields = {"workspace": workspace, "hash": self._ground.hash_person(workspace, sender)}
        async with self._ground.single() as connection:
            row = (await connection.execute(text(_FIND), fields)).first()
        return None if row is None else Person(row.id, row.consent, row.consent_at, row.language)

    async def note_consent(
        self, workspace: int, sender: str, consent: Consent, language: str | None = None
    ) -> Person:
        """Keep what somebody decided, and when; the first decision begins the keeping of the person.

        No correction that waits goes out any more to somebody who took their consent back.
        """
        fields = _fields(self._ground, workspace, sender, language) | {"consent": consent}
        async with self._ground.begin() as connection:
            row = (await connection.execute(text(_CONSENT), fields)).one()
            if consent == "withdrawn":
                await connection.execute(text(_UNTOLD), {"person": row.id, "part": f"{CORRECTION} %"})
        return Person(row.id, row.consent, row.consent_at, row.language)

    async def choose_language(self, workspace: int, sender: str, language: str) -> None:
        """The language of notices, where somebody chose one; nobody is kept by it."""
        fields = {"workspace": workspace, "hash": self._ground.hash_person(workspace, sender)}
        async with self._ground.single() as connection:
            await connection.execute(text(_LANGUAGE), fields | {"language": language})

    async def external_id(self, person: int) -> str | None:
        """The platform's id of a person. Raises SealBroken."""
        query = text("SELECT sealed_id FROM people WHERE id = :id")
        async with self._ground.single() as connection:
            sealed = (await connection.execute(query, {"id": person})).scalar()
        return None if sealed is None else self._ground.seals.open("person", sealed)


def _fields(ground: Ground, workspace: int, sender: str, language: str | None) -> dict[str, Any]:
    return {
        "workspace": workspace,
        "hash": ground.hash_person(workspace, sender),
        "sealed": ground.seals.seal("person", sender),
        "language": language,
    }
