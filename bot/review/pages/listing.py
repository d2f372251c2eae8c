"""The list of answers: filters are in the address, words to search for are not; pages go on behind a row."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlencode

from fastapi import Form, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from bot.review.visits import Handler, Visit, Visiting
from config.fields import drop_blanks
from reasoning.types import Level, Method
from storage.history.review import ROLES, Filters
from storage.history.review_tables import CAUSES, VERDICTS, Cause, Verdict

Flag = Literal["yes", "no"]
Platform = Literal["slack", "telegram", "local"]
Feedback = Literal["helpful", "mixed", "unhelpful"]
Assigned = Literal["me", "somebody", "nobody"]
LONGEST = 200  # characters of a search
AT_ONCE = 50  # rows of a page: some 100 kB
CHOICES: dict[str, tuple[str, ...]] = {
    "platform": get_args(Platform),
    "method": get_args(Method),
    "triage": get_args(Level),
    "feedback": get_args(Feedback),
    "abstained": get_args(Flag),
    "degraded": get_args(Flag),
    "verdict": VERDICTS,
    "cause": CAUSES,
    "assigned": get_args(Assigned),
}


class Asked(BaseModel):
    """What may stand in an address: nothing here is anybody's words."""

    model_config = ConfigDict(hide_input_in_errors=True, frozen=True)

    platform: Platform | None = None
    method: Method | Literal["none"] | None = None
    language: str | None = Field(None, pattern=r"^[a-z]{2,3}$")
    since: date | None = None
    until: date | None = None
    triage: Level | None = None
    feedback: Feedback | None = None
    abstained: Flag | None = None
    degraded: Flag | None = None
    verdict: Verdict | None = None
    cause: Cause | None = None
    assigned: Assigned | None = None
    workspace: int | None = Field(None, ge=1, le=2**62)
    search: str | None = Field(None, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")

    _blanks = model_validator(mode="before")(drop_blanks)

    def filters(self, account: int, words: str | None) -> Filters:
        """`until` is a day that belongs to it; days are of UTC."""
        given: dict[str, Any] = self.model_dump(
            include=set(Asked.model_fields) - {"search", "assigned"}, exclude_none=True
        )
        given |= {name: given[name] == "yes" for name in ("abstained", "degraded") if name in given}
        if self.since:
            given["since"] = datetime.combine(self.since, time(), UTC)
        if self.until:
            given["until"] = datetime.combine(self.until, time(), UTC) + timedelta(days=1)
        if self.assigned == "me":
            given["assigned_to"] = account
        elif self.assigned:
            given["assigned"] = self.assigned == "somebody"
        return Filters(**given, words=words)

    @classmethod
    def of(cls, filters: Filters, account: int) -> Asked:
        """The other way round; what is no field here is left out."""
        given = {name: value for name, value in filters.given().items() if name in cls.model_fields}
        given |= {name: "yes" if given[name] else "no" for name in ("abstained", "degraded") if name in given}
        if filters.since:
            given["since"] = filters.since.date()
        if filters.until:
            given["until"] = (filters.until - timedelta(days=1)).date()
        if filters.assigned_to == account:
            given["assigned"] = "me"
        elif filters.assigned is not None:
            given["assigned"] = "somebody" if filters.assigned else "nobody"
        return cls(**given)

    def given(self) -> dict[str, str]:
        """Names and values as they stand in an address or a form, without a search."""
        return {
            name: str(value)
            for name, value in self.model_dump(mode="json", exclude_none=True).items()
            if name != "search"
        }

    def address(self, **more: str) -> str:
        given = self.model_dump(mode="json", exclude_none=True) | more
        return f"/cases?{urlencode(given)}" if given else "/cases"


class Listed(Asked):
    after: str | None = Field(None, max_length=200)


class Searched(Asked):
    words: str = Field("", max_length=LONGEST, repr=False)


async def show_list(visit: Visiting, asked: Annotated[Listed, Query()]) -> Response:
    account = visit.account.id
    words = visit.desk.searches.find(account, asked.search) if asked.search else None
    forgotten = asked.search is not None and words is None
    filters = asked.filters(account, words)
    is_new = visit.desk.searches.is_new((account, filters, asked.after))
    page = await visit.room.listing.find(
        visit.actor, filters, after=asked.after, limit=AT_ONCE, audited=is_new
    )
    saved = [
        (one.id, one.name, Asked.of(one.filters, account).address())
        for one in await visit.room.saved.list(visit.actor)
    ]
    plain = Asked(**asked.model_dump(exclude={"after"}))
    return visit.show(
        "cases.html",
        page=page,
        asked=plain,
        words=words or "",
        forgotten=forgotten,
        choices=CHOICES,
        longest=LONGEST,
        many=_sees_many(visit),
        narrowed=bool(filters.given()),
        older=plain.address(after=page.after) if page.after else None,
        first=asked.after is None,
        saved=saved,
    )


async def search(visit: Visiting, asked: Annotated[Searched, Form()]) -> Response:
    """The words stay here; the address that it leads to has an id in their place."""
    words = " ".join(asked.words.split())
    kept = visit.desk.searches.keep(visit.account.id, words) if words else None
    return visit.go(Asked(**asked.model_dump(exclude={"words", "search"}), search=kept).address())


async def start(visit: Visiting) -> Response:
    """Where somebody begins: at the list, or with what else their roles allow."""
    if visit.account.may("read"):
        return visit.go("/cases")
    if visit.account.may("audit"):
        return visit.go("/audit")
    return visit.show("start.html")


HANDLERS: dict[str, Handler] = {"start": start, "list": show_list, "search": search}


def _sees_many(visit: Visit) -> bool:
    """Whether they see several workspaces, so that one can be chosen."""
    reach = visit.account.reach(ROLES["read"])
    return reach is None or len(reach) > 1
