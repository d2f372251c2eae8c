"""The audit: who looked at what and who changed what, and whether it is as it was written."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import Form, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from bot.review.visits import Handler, Visiting
from config.fields import drop_blanks

AT_ONCE = 100  # rows of a page


class Rows(BaseModel):
    """Ids and names of actions alone, so that it may stand in an address."""

    model_config = ConfigDict(hide_input_in_errors=True, frozen=True)

    who: str | None = Field(None, pattern=r"^(account:\d{1,18}|operator|carecite)$")
    action: str | None = Field(None, max_length=80, pattern=r"^[A-Za-z0-9 ():._-]+$")
    before: int | None = Field(None, ge=1, le=2**62)

    _blanks = model_validator(mode="before")(drop_blanks)

    def address(self, **changed: str | int | None) -> str:
        given = {name: value for name, value in (self.model_dump() | changed).items() if value is not None}
        return f"/audit?{urlencode(given)}" if given else "/audit"


class Noted(BaseModel):
    head: str | None = Field(None, max_length=100, pattern=r"^\d{1,19}:[0-9a-f]{64}$")

    _blanks = model_validator(mode="before")(drop_blanks)


async def show_audit(visit: Visiting, rows: Annotated[Rows, Query()]) -> Response:
    entries = await visit.room.audit.read(
        visit.actor, before=rows.before, who=rows.who, action=rows.action, limit=AT_ONCE
    )
    older = rows.address(before=entries[-1].id) if len(entries) == AT_ONCE else None
    return visit.show("audit.html", entries=entries, rows=rows, older=older)


async def verify(visit: Visiting, given: Annotated[Noted, Form()]) -> Response:
    """The whole chain, whosever rows they are; with a head that was noted, its row must be there."""
    return visit.show("verified.html", found=await visit.room.audit.verify(visit.actor, given.head))


HANDLERS: dict[str, Handler] = {"audit": show_audit, "verify": verify}
