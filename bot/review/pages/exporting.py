"""Taking answers out of the house, for a purpose that the audit keeps; written as they are read."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Form, Query
from fastapi.responses import Response, StreamingResponse
from pydantic import Field

from bot.render.exports import WRITERS
from bot.review.pages.listing import CHOICES, Asked
from bot.review.visits import Handler, Visiting
from storage.history.review import Exported
from storage.history.review.audit import checked_reason

TYPES = {"jsonl": "application/jsonl", "csv": "text/csv"}


class Wanted(Asked):
    purpose: str = Field("", max_length=500, repr=False)
    format: Literal["jsonl", "csv"] = "csv"


async def show_form(visit: Visiting, asked: Annotated[Asked, Query()]) -> Response:
    return visit.show("export.html", asked=asked, choices=CHOICES)


async def export(visit: Visiting, wanted: Annotated[Wanted, Form()]) -> Response:
    """Raises ReasonMissing before anything is sent."""
    purpose = checked_reason(wanted.purpose)
    filters = wanted.filters(visit.account.id, None)
    rows = visit.room.exports.stream(visit.actor, filters, purpose, wanted.format)
    name = f"carecite-{datetime.now(UTC):%Y-%m-%d}.{wanted.format}"
    return StreamingResponse(
        _written(rows, wanted.format),
        media_type=f"{TYPES[wanted.format]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


HANDLERS: dict[str, Handler] = {"export page": show_form, "export": export}


async def _written(rows: AsyncIterator[Exported], format: str) -> AsyncIterator[str]:
    """A row at a time, so that memory stays flat."""
    buffer = io.StringIO(newline="")
    write = WRITERS[format](buffer)
    async for row in rows:
        write(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()
