"""Dashboards, drawn by the server; none names anybody."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Literal

from fastapi import Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from bot.review.dashboard import draw
from bot.review.visits import Handler, Visiting

PERIODS = ("7", "30", "90")


class Period(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)

    days: Literal["7", "30", "90"] = "30"


async def show_figures(visit: Visiting, period: Annotated[Period, Query()]) -> Response:
    """Up to today, with it."""
    until = datetime.now(UTC).date()
    since = until - timedelta(days=int(period.days) - 1)
    end = datetime.combine(until + timedelta(days=1), time(), UTC)
    overview = await visit.room.figures.read(visit.actor, datetime.combine(since, time(), UTC), end)
    return visit.show(
        "figures.html",
        overview=overview,
        charts=draw(overview, since, until),
        period=period.days,
        periods=PERIODS,
    )


HANDLERS: dict[str, Handler] = {"figures": show_figures}
