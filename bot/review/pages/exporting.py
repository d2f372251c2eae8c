"""Taking answers out of the house, for a purpose that the audit keeps; written as they are read."""

from __future__ import annotations

import io
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Form, Query
from fastapi.responses import Response, StreamingResponse
from pydantic import Field
from starlette.types import Receive, Scope, Send

from bot.render.exports import WRITERS
from bot.review.pages.listing import CHOICES, Asked
from bot.review.visits import Handler, Visit, Visiting
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
    return Written(
        _write(visit, rows, wanted.format),
        media_type=f"{TYPES[wanted.format]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


class Written(StreamingResponse):
    """Nothing is cancelled in the middle of a query: who writes it looks whether somebody still reads."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.stream_response(send)


HANDLERS: dict[str, Handler] = {"export page": show_form, "export": export}


async def _write(
    visit: Visit, rows: AsyncGenerator[Exported, None], format: str
) -> AsyncGenerator[str, None]:
    """A row at a time, so that memory stays flat."""
    buffer = io.StringIO(newline="")
    write = WRITERS[format](buffer)
    async with aclosing(rows):
        async for row in rows:
            if await visit.request.is_disconnected():
                return
            write(row)
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()
