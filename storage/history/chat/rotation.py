"""Sealing anew with the first key, after which the older keys may go."""

from __future__ import annotations

from sqlalchemy import text

from storage.history.chat.ground import Ground

_SEALED = {
    ("workspaces", "sealed_id"): "workspace",
    ("workspaces", "sealed_tokens"): "tokens",
    ("people", "sealed_id"): "person",
    ("conversations", "sealed_place"): "place",
    ("inbox", "sealed_message"): "message",
    ("outbox", "sealed_place"): "place",
    ("outbox", "sealed_message"): "message",
    ("staff", "sealed_totp"): "totp",
}
_BATCH = 500
_OLD = """
SELECT id, {column} AS sealed FROM {table}
WHERE id > :after AND {column} IS NOT NULL AND substring({column} FOR :length) <> :head
ORDER BY id LIMIT :batch
"""
_NEW = "UPDATE {table} SET {column} = :fresh WHERE id = :id AND {column} = :sealed"


async def reseal(ground: Ground) -> int:
    """Seal with the first key whatever another one sealed; how many values that were. The service may run.

    Raises SealBroken.
    """
    seals, done = ground.seals, 0
    for (table, column), purpose in _SEALED.items():
        fields = {"after": 0, "length": len(seals.head), "head": seals.head, "batch": _BATCH}
        while True:
            async with ground.begin() as connection:
                statement = text(_OLD.format(table=table, column=column))
                rows = (await connection.execute(statement, fields)).all()
                fresh = [
                    row._asdict() | {"fresh": seals.seal(purpose, seals.open(purpose, row.sealed))}
                    for row in rows
                ]
                if fresh:
                    await connection.execute(text(_NEW.format(table=table, column=column)), fresh)
            if not rows:
                break
            done, fields["after"] = done + len(rows), rows[-1].id
    return done
