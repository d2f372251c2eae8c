"""What documents of the house's own have in common: an id that outlives a change of the text (case F21)."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from reasoning.retrieval.reading.errors import BadRecord

_TAKEN = re.compile(r"(?:pmid\W*|pmc)?\d+", re.IGNORECASE)


def file_id(path: Path) -> str:
    """By place, not by content: a changed file replaces what was read from it before."""
    return "file-" + hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def checked_id(given: str) -> str:
    """An id from front matter. Raises BadRecord where it could be taken for a PMID or PMCID."""
    if _TAKEN.fullmatch(given):
        raise BadRecord(f"Its id {given!r} looks like a PMID or PMCID; choose another.")
    return given
