"""What a reader hands on in place of an article that it could not read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rejected:
    """`where` names file and record or line; `reason` tells the person who loads it (case F20)."""

    where: str
    reason: str
