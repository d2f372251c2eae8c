"""What waits for a reviewer: red flags before all else, second opinions, and the rest; the oldest first."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from bot.review.visits import Handler, Visiting
from storage.history.review import Event, Filters

Whose = Literal["mine", "unassigned", "all"]
AT_ONCE = 30  # rows of a lane: three of them are some 100 kB


class Wanted(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)

    whose: Whose = "all"


async def show_queue(visit: Visiting, wanted: Annotated[Wanted, Query()]) -> Response:
    """Second opinions are shown whosever they are: who gave the first one has them."""
    mine = visit.account.id if wanted.whose == "mine" else None
    free = False if wanted.whose == "unassigned" else None
    lanes = {
        "flags": Filters(waiting=True, red_flag=True, assigned_to=mine, assigned=free),
        "second": Filters(second=True),
        "rest": Filters(waiting=True, red_flag=False, assigned_to=mine, assigned=free),
    }
    if visit.desk.searches.is_new((visit.account.id, "queue", wanted.whose)):
        await visit.room.audit.note(visit.actor, Event("view", "queue", wanted.whose))
    pages = {
        name: await visit.room.listing.find(
            visit.actor, filters, limit=AT_ONCE, oldest_first=True, audited=False
        )
        for name, filters in lanes.items()
    }
    return visit.show("queue.html", whose=wanted.whose, lanes=pages)


HANDLERS: dict[str, Handler] = {"queue": show_queue}
