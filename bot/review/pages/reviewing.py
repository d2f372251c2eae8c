"""Judging an answer, and who has which."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from bot.correcting import tell_person
from bot.review.visits import Handler, Visiting
from config.fields import drop_blanks
from storage.history.review import Judgement
from storage.history.review.reviews import LONGEST
from storage.history.review_tables import Severity, Verdict


class Opinion(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)

    verdict: Verdict | None = None
    severity: Severity | None = None
    corrected: str | None = Field(None, max_length=LONGEST, repr=False)
    note: str | None = Field(None, max_length=LONGEST, repr=False)
    tell: bool = False

    _blanks = model_validator(mode="before")(drop_blanks)

    @property
    def judgement(self) -> Judgement:
        return Judgement(self.verdict, self.severity, self.corrected, self.note)


class Somebody(BaseModel):
    account: int = Field(ge=1, le=2**62)


async def keep_draft(visit: Visiting, run_id: str, given: Annotated[Opinion, Form()]) -> Response:
    """For htmx while somebody types, and by a button. Raises NotThere."""
    await visit.room.reviews.keep_draft(visit.actor, run_id, given.judgement)
    if "hx-request" in visit.request.headers:
        return visit.show("kept.html")
    return visit.go(f"/cases/{run_id}#review")


async def review(visit: Visiting, run_id: str, given: Annotated[Opinion, Form()]) -> Response:
    """Raises NotThere, ReviewRefused."""
    await visit.room.reviews.submit(visit.actor, run_id, given.judgement)
    if given.tell:  # the page says what hinders it
        await tell_person(visit.room, visit.actor, run_id)
    return visit.go(f"/cases/{run_id}#review")


async def take(visit: Visiting, run_id: str) -> Response:
    """Raises NotThere, ReviewRefused where somebody else has it."""
    await visit.room.reviews.take(visit.actor, run_id)
    return visit.go(f"/cases/{run_id}#review")


async def give_back(visit: Visiting, run_id: str) -> Response:
    """Raises NotThere, ReviewRefused where somebody else has it."""
    await visit.room.reviews.give_back(visit.actor, run_id)
    return visit.go(f"/cases/{run_id}#review")


async def hand_over(visit: Visiting, run_id: str, given: Annotated[Somebody, Form()]) -> Response:
    """Raises NotThere, ReviewRefused where that account may not review it."""
    await visit.room.reviews.assign(visit.actor, run_id, given.account)
    return visit.go(f"/cases/{run_id}#review")


HANDLERS: dict[str, Handler] = {
    "keep draft": keep_draft,
    "review": review,
    "take": take,
    "give back": give_back,
    "hand over": hand_over,
}
