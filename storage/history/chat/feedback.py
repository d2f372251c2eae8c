"""What people think of answers: one opinion a person and answer, which they may change."""

from __future__ import annotations

from sqlalchemy import text

from storage.history.cases import note_opinions
from storage.history.chat.ground import Ground
from storage.history.chat.people import meet
from storage.history.chat.records import Message, Opinion

# Ids of answers come back from clients, which can send any: only an answer of the chat of the click counts.
_FIND = """
SELECT 1 FROM inbox i JOIN conversations c ON c.id = i.conversation_id JOIN lanes l ON l.id = c.lane_id
WHERE i.run_id = :answer AND i.workspace_id = :workspace AND l.hash = :chat
"""
_GIVE = """
INSERT INTO feedback (run_id, person_id, helpful, reason)
SELECT run_id, :person, :helpful, :reason FROM runs WHERE run_id = :answer
ON CONFLICT (run_id, person_id) DO UPDATE SET helpful = excluded.helpful, given_at = now(),
  reason = coalesce(excluded.reason, CASE WHEN feedback.helpful = excluded.helpful THEN feedback.reason END)
RETURNING run_id
"""
_OF_PERSON = """
SELECT run_id, helpful, reason, given_at FROM feedback
WHERE person_id = (SELECT id FROM people WHERE workspace_id = :workspace AND hash = :person)
ORDER BY given_at
"""


class Feedback:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def give(self, message: Message, answer: str, *, helpful: bool, reason: str | None = None) -> bool:
        """What the sender thinks of an answer, by its run id; said twice it is the same. `reason` is a code,
        and what did not help keeps the last one.

        False where the chat of `message` has no such answer; then nobody is kept. The person is locked first,
        as in erasure.
        """
        workspace, ground = message.workspace, self._ground
        chat = ground.hash_chat(workspace, message.place)
        fields = {"answer": answer, "workspace": workspace, "chat": chat}
        async with ground.begin() as connection:
            if (await connection.execute(text(_FIND), fields)).first() is None:
                return False
            person = await meet(connection, ground, workspace, message.sender, message.language)
            fields |= {"person": person, "helpful": helpful, "reason": reason}
            given = (await connection.execute(text(_GIVE), fields)).first() is not None
            await note_opinions(connection, [answer])
        return given

    async def of_person(self, workspace: int, sender: str) -> list[Opinion]:
        """The oldest first: `/export`."""
        fields = {"workspace": workspace, "person": self._ground.hash_person(workspace, sender)}
        async with self._ground.single() as connection:
            rows = (await connection.execute(text(_OF_PERSON), fields)).all()
        return [Opinion(*row) for row in rows]
