"""How long a workspace keeps what was said, legal holds, and erasure for good."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from bot.review.errors import NotConfirmed
from bot.review.visits import Handler, Visiting
from config.fields import drop_blanks
from storage.history.review import Because, Extent

Number = Annotated[int, Field(ge=1, le=2**62)]


class Blank(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)

    _blanks = model_validator(mode="before")(drop_blanks)


class Place(Blank):
    workspace: Number | None = None
    conversation: Number | None = None


class Days(Blank):
    workspace: Number
    days: int | None = Field(None, ge=1, le=3650)


class NewHold(Blank):
    workspace: Number
    conversation: Number | None = None
    reason: str = Field("", max_length=500, repr=False)


class Lifting(Blank):
    hold: Number
    reason: str = Field("", max_length=500, repr=False)


class Erasure(Blank):
    extent: Extent
    because: Because
    confirm: str = Field("", max_length=40)


async def show_keeping(visit: Visiting, place: Annotated[Place, Query()]) -> Response:
    """`place` is what the form of a hold begins with."""
    kept = await visit.room.holds.kept(visit.actor)
    holds = await visit.room.holds.list(visit.actor)
    return visit.show("keeping.html", kept=kept, holds=holds, place=place)


async def keep_for(visit: Visiting, given: Annotated[Days, Form()]) -> Response:
    """Raises NotThere."""
    await visit.room.holds.keep_for(visit.actor, given.workspace, given.days)
    return visit.go("/retention")


async def hold(visit: Visiting, given: Annotated[NewHold, Form()]) -> Response:
    """Raises ReasonMissing, NotThere."""
    await visit.room.holds.place(visit.actor, given.workspace, given.reason, given.conversation)
    return visit.go("/retention")


async def lift(visit: Visiting, given: Annotated[Lifting, Form()]) -> Response:
    """Raises ReasonMissing, NotThere."""
    await visit.room.holds.lift(visit.actor, given.hold, given.reason)
    return visit.go("/retention")


async def show_erasing(visit: Visiting, run_id: str) -> Response:
    """What would go, before it does. Raises NotThere."""
    return visit.show(
        "erasing.html", run_id=run_id, found=await visit.room.erasing.count(visit.actor, run_id)
    )


async def erase(visit: Visiting, run_id: str, given: Annotated[Erasure, Form()]) -> Response:
    """The word of the extent is typed again. Raises NotConfirmed, NotThere, OnHold."""
    if given.confirm.strip().lower() != given.extent:
        raise NotConfirmed
    erased = await visit.room.erasing.erase(visit.actor, run_id, given.extent, given.because)
    return visit.show("erased.html", erased=erased, extent=given.extent)


HANDLERS: dict[str, Handler] = {
    "retention": show_keeping,
    "keep for": keep_for,
    "hold": hold,
    "lift hold": lift,
    "erase page": show_erasing,
    "erase": erase,
}
