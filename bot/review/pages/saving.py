"""Filters that somebody keeps under a name; they open as an address of the list. Words are never kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form
from fastapi.responses import Response
from pydantic import BaseModel, Field

from bot.review.pages.listing import Asked
from bot.review.visits import Handler, Visiting


class Named(Asked):
    name: str = Field("", max_length=80, repr=False)


class One(BaseModel):
    saved: int = Field(ge=1, le=2**62)


async def save(visit: Visiting, given: Annotated[Named, Form()]) -> Response:
    asked = Asked(**given.model_dump(exclude={"name", "search"}))
    await visit.room.saved.save(visit.actor, given.name, asked.filters(visit.account.id, None))
    return visit.go(asked.address())


async def drop(visit: Visiting, given: Annotated[One, Form()]) -> Response:
    await visit.room.saved.drop(visit.actor, given.saved)
    return visit.go("/cases")


HANDLERS: dict[str, Handler] = {"save filters": save, "drop filters": drop}
