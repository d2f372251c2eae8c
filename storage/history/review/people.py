"""How reviewers see people: by a short code that is always the same, and says nothing."""

from __future__ import annotations

import base64

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
