"""A conversation whole, opened at one of its answers: each sentence with its evidence, how the answer came
about, what people think of it, and, for those who may and say why, who asked.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Form
from fastapi.responses import Response
from pydantic import BaseModel, Field

from bot.review.evidence import read_evidence
from bot.review.pages.forms import judging
from bot.review.timeline import read_timeline
from bot.review.visits import Handler, Visit, Visiting


class Reason(BaseModel):
    reason: str = Field("", max_length=500, repr=False)


async def view(visit: Visiting, run_id: str) -> Response:
    """Raises NotThere."""
    return await show_conversation(visit, run_id)


async def reveal(visit: Visiting, run_id: str, given: Annotated[Reason, Form()]) -> Response:
    """The platform's id of who asked, on the page and nowhere else. Raises ReasonMissing, NotThere."""
    person = await visit.room.reading.reveal(visit.actor, run_id, given.reason)
    if "hx-request" in visit.request.headers:
        return visit.show("revealed.html", person=person)
    return await show_conversation(visit, run_id, person=person)


HANDLERS: dict[str, Handler] = {"view": view, "reveal": reveal}


async def show_conversation(visit: Visit, run_id: str, *, person: str | None = None) -> Response:
    dossier = await visit.room.reading.read(visit.as_("read"), run_id)
    evidence = read_evidence(dossier.opened)
    return visit.show(
        "conversation.html",
        dossier=dossier,
        opened=dossier.opened,
        evidence=evidence,
        timeline=read_timeline(dossier.trace, evidence),
        form=await judging(visit, dossier),
        may_reveal=dossier.platform != "local" and visit.may("reveal", dossier.workspace),
        person=person,
    )
