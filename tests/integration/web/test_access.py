"""Who may open what: every route for every role, every id of another workspace, and forged forms."""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute

from bot.review.access import ROUTES, Route
from bot.review.app import create_app
from config.review import Review
from storage.history.chat import Chat, Workspace
from storage.history.review import ROLES, Filters, Judgement, ReviewRoom
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.conftest import Browser, EnterAs

FORMS: dict[str, dict[str, str]] = {
    "reveal": {"reason": "call back"},
    "review": {"verdict": "correct"},
    "search": {"words": "socks"},
    "hand over": {"account": "1"},
}
INSIDE = [route for route in ROUTES if route.needs != "nobody"]
PEOPLE = {"ann": "reviewer", "lead": "lead", "auditor": "auditor", "admin": "admin"}


@pytest.fixture
async def answers(chat: Chat, slack: Workspace, telegram: Workspace) -> None:
    await answer(chat, slack, "here")
    await answer(chat, telegram, "there", sender="77")


@pytest.fixture
async def people(room: ReviewRoom, staff: Staff, slack: Workspace, answers: None) -> dict[str, str]:
    """One of each role, and of no role, in the first workspace: their names by role."""
    from storage.history.review import OPERATOR

    for name, role in (("admin", "admin"), ("nobody", None)):
        account = await room.accounts.add_oidc(OPERATOR, name, "https://idp.example", name)
        if role == "admin":
            await room.accounts.grant(OPERATOR, account, "admin", slack.id)
    return {role: name for name, role in PEOPLE.items()} | {"none": "nobody"}


async def ask(browser: Browser, route: Route, run_id: str = "here", **more: str | None) -> httpx.Response:
    path = route.path.format(run_id=run_id)
    if route.method == "GET":
        return await browser.get(path)
    return await browser.post(path, **(FORMS.get(route.name, {}) | more))


def test_every_route_is_in_the_table(room: ReviewRoom):
    app: FastAPI = create_app(room, Review(plain_http=True), 1)
    found = {
        (method, route.path)
        for route in app.routes
        if isinstance(route, APIRoute)
        for method in route.methods
    }
    assert found == {(route.method, route.path) for route in ROUTES}
    others = [route for route in app.routes if not isinstance(route, APIRoute)]
    assert [getattr(route, "path", None) for route in others] == ["/static"]


@pytest.mark.parametrize("role", ["reviewer", "lead", "auditor", "admin", "none"])
async def test_roles_and_routes(
    people: dict[str, str], enter_as: EnterAs, room: ReviewRoom, staff: Staff, role: str
):
    """What the table of storage says; a refusal is in the audit."""
    browser = await enter_as(people[role])
    replies = {}
    for route in sorted(INSIDE, key=lambda route: route.name == "sign out"):
        response = await ask(browser, route, account=str(staff.ann.id))
        replies[route.name] = response.status_code, response.headers["x-request-id"]
    allowed = {one.name for one in INSIDE if one.needs == "anybody" or role in ROLES[one.needs]}
    assert {name for name, (status, _) in replies.items() if status != 403} == allowed
    assert {status for status, _ in replies.values()} <= {200, 303, 403}
    entries = await room.audit.read(as_(staff.auditor, "audit"))
    refused = {entry.action: entry.request for entry in entries if entry.refused}
    assert refused == {name: number for name, (status, number) in replies.items() if status == 403}


async def test_nobody_gets_in_without_signing_in(people: dict[str, str], browser: Browser):
    replies = {route.name: await ask(browser, route) for route in INSIDE}
    found = {name: (reply.status_code, reply.headers["location"]) for name, reply in replies.items()}
    assert found == dict.fromkeys(replies, (303, "/sign-in"))


@pytest.mark.parametrize("run_id", ["there", "nowhere", "x' OR 1=1--", "..%2f..%2fetc"])
async def test_what_is_out_of_reach_is_not_found(
    people: dict[str, str], enter_as: EnterAs, room: ReviewRoom, staff: Staff, run_id: str
):
    """The same words for an id of another workspace and one that never was."""
    browser = await enter_as("lead")
    names = [route.name for route in ROUTES if "{run_id}" in route.path]
    for route in ROUTES:
        if route.name in names:
            response = await ask(browser, route, run_id)
            assert response.status_code == 404, route
            assert "Socks" not in response.text
    entries = [one for one in await room.audit.read(as_(staff.auditor, "audit")) if one.refused]
    if "%2f" not in run_id:  # no route has such a path
        assert sorted(one.action for one in entries) == sorted(names)
    assert {one.subject for one in entries} <= {run_id if run_id.isalpha() else None}
    [case] = (await room.listing.find(as_(staff.other), Filters())).cases
    assert (case.verdict, case.assigned_to) == (None, None)


async def test_all_ids_of_another_workspace(
    enter_as: EnterAs, chat: Chat, slack: Workspace, telegram: Workspace
):
    theirs = [await answer(chat, telegram, f"theirs{n}", sender=str(n)) for n in range(8)]
    ours = [await answer(chat, slack, f"ours{n}") for n in range(3)]
    browser = await enter_as("ann")
    found = {run_id: (await browser.get(f"/cases/{run_id}")).status_code for run_id in ours + theirs}
    assert found == dict.fromkeys(ours, 200) | dict.fromkeys(theirs, 404)
    listed = (await browser.get("/cases")).text
    assert not [run_id for run_id in theirs if run_id in listed]
    assert f"workspace={telegram.id}" not in listed
    assert "Nothing was found" in (await browser.get(f"/cases?workspace={telegram.id}")).text


@pytest.mark.parametrize(
    "wrong",
    [
        {"token": None},
        {"token": "guessed"},
        {"origin": None},
        {"origin": "null"},
        {"origin": "https://evil.example"},
    ],
    ids=lambda wrong: "{}={}".format(*next(iter(wrong.items()))),
)
async def test_forged_forms(
    people: dict[str, str], enter_as: EnterAs, room: ReviewRoom, staff: Staff, wrong: dict[str, str | None]
):
    browser = await enter_as("lead")
    replies = {
        route.name: (await ask(browser, route, **wrong)).status_code
        for route in INSIDE
        if route.method == "POST"
    }
    assert replies == dict.fromkeys(replies, 403)
    refused = [one for one in await room.audit.read(as_(staff.auditor, "audit")) if one.refused]
    assert sorted(one.action for one in refused) == sorted(replies)
    assert (await browser.get("/cases")).status_code == 200, "nobody was signed out"


async def test_a_token_of_another_session_is_forged(people: dict[str, str], enter_as: EnterAs):
    mine, other = await enter_as("lead"), await enter_as("lead")
    response = await mine.post("/cases/here/review", token=other.token, verdict="correct")
    assert response.status_code == 403
    assert (await mine.post("/cases/here/review", verdict="correct")).status_code == 303


async def test_a_form_that_is_too_large(people: dict[str, str], enter_as: EnterAs):
    browser = await enter_as("ann")
    response = await browser.post("/cases/here/review", verdict="correct", note="x" * 300_000)
    assert response.status_code == 413
    assert response.headers["content-security-policy"]


async def test_roles_that_were_taken_away_are_gone_at_once(
    people: dict[str, str], enter_as: EnterAs, room: ReviewRoom, staff: Staff, slack: Workspace
):
    from storage.history.review import OPERATOR

    browser = await enter_as("ann")
    await room.accounts.revoke(OPERATOR, staff.ann.id, "reviewer", slack.id)
    assert (await browser.get("/cases")).headers["location"] == "/sign-in"
    assert (await (await enter_as("ann")).get("/cases")).status_code == 403


async def test_what_was_done_is_in_the_audit(
    people: dict[str, str], enter_as: EnterAs, room: ReviewRoom, staff: Staff
):
    browser = await enter_as("lead")
    for route in INSIDE:
        if "{run_id}" in route.path:
            await ask(browser, route, account=str(staff.ann.id))
    await room.reviews.submit(as_(staff.ben, "review"), "here", Judgement("correct"))
    entries = await room.audit.read(as_(staff.auditor, "audit"), who=f"account:{staff.lead.id}")
    done = [entry.action.split()[0] for entry in entries if entry.subject == "here"]
    assert set(done) == {"view", "reveal", "review", "assign"}
    assert all(entry.request for entry in entries if entry.subject == "here")
