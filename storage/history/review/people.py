"""How reviewers see people: by a short code that is always the same, and says nothing."""

from __future__ import annotations

import base64
from typing import Any

from storage.history.chat.seals import Seals

LOCAL = "local"  # whoever asked on the command line
GONE = "gone"


def pseudonym(seals: Seals, person: bytes | None, platform: str) -> str:
    """Eight letters and digits (40 bits) of a keyed hash of the person's keyed hash."""
    if platform == "local":
        return LOCAL
    if person is None:
        return GONE
    return base64.b32encode(seals.hash("pseudonym", person.hex())[:5]).decode("ascii").lower()


def without_ids(seals: Seals, row: Any) -> dict[str, Any]:
    """Fields of a case's row as they leave: its `person`, a hash, by a pseudonym."""
    values: dict[str, Any] = row._asdict()
    person = pseudonym(seals, values.pop("person"), row.platform)
    named = {"conversation": values.pop("conversation_id"), "workspace": values.pop("workspace_id")}
    return values | named | {"person": person}
