"""`carecite review` as its own program: an account is made in the terminal, and signs in."""

from __future__ import annotations

import json
import re
import signal

import httpx
import pyotp

from tests.acceptance.serving import Serving, killed_in_the_end, settings_for
from tests.integration.web.conftest import free_port
from tests.program import Call, Program, run_process, says_sorry

PASSWORD = "four words and a comma"


async def test_an_account_is_made_and_signs_in(carecite: Program):
    port = free_port()
    settings = settings_for(
        carecite, "review_alone", CARECITE_REVIEW_PORT=str(port), CARECITE_REVIEW_PLAIN_HTTP="true"
    )
    empty = Serving(settings, ("review",))
    async with killed_in_the_end(empty):
        await empty.start("Nobody can sign in yet: carecite review account add")
        assert await empty.end(signal.SIGTERM) == 0
    words = ("review", "account", "add", "Ward 3", "--login", "ward3", "--role", "lead", "-w", "all")
    made = run_process(*words, stdin=f"{PASSWORD}\n".encode(), **settings)
    assert made.code == 0, made
    [account, address] = made.out.splitlines()
    assert re.fullmatch(r"account \d+", account)
    codes = pyotp.parse_uri(address)
    assert isinstance(codes, pyotp.TOTP)
    served = Serving(settings, ("review",))
    async with killed_in_the_end(served):
        await served.start("The review is at")
        site = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=site, headers={"Origin": site}) as browser:
            page = await browser.get("/sign-in")
            [token] = re.findall(r'name="csrf" value="([^"]+)"', page.text)
            form = {"csrf": token, "login": "ward3", "password": PASSWORD, "code": codes.now()}
            assert (await browser.post("/sign-in", data=form)).status_code == 303
            page = await browser.get("/cases")
            assert "local" in page.text  # what the program was asked before, of all workspaces
        assert await served.end(signal.SIGTERM) == 0
    assert not [line for line in served.lines if "/cases" in line or "Error" in line], served.lines
    assert not [line for line in served.lines if "Nobody" in line]


def test_accounts_are_listed_changed_and_locked_out(call: Call):
    added = call("review", "account", "add", "Ann", "--issuer", "https://idp.example", "--subject", "1")
    number = added.out.split()[1]
    assert call("review", "account", "grant", number, "auditor", "-w", "all").code == 0
    assert call("review", "account", "grant", number, "reviewer", "-w", "all").code == 0
    assert call("review", "account", "revoke", number, "reviewer", "-w", "all").code == 0
    assert call("review", "account", "disable", number).code == 0
    lines = [json.loads(line) for line in call("review", "account", "list", "--json").out.splitlines()]
    [found] = [line for line in lines if str(line["id"]) == number]
    assert (found["name"], found["grants"], found["disabled"]) == ("Ann", [["auditor", None]], True)
    assert f"{number}  Ann  (oidc, disabled)  auditor in all" in call("review", "account", "list").out


def test_what_cannot_be_made(call: Call, call_alone: Call):
    add = ("review", "account", "add", "Ann")
    says_sorry(call_alone(*add), 2, "--login")
    says_sorry(call_alone(*add, "--login", "ann", "--issuer", "x"), 2, "--login")
    says_sorry(call_alone(*add, "--login", "ann", "--role", "lead"), 2, "--workspace")
    says_sorry(call(*add, "--login", "ann", stdin=b"short\n"), 2, "12 characters")
    says_sorry(
        call(*add, "--login", "ann", "--role", "lead", "-w", "slack:T0NOWHERE", stdin=b"x" * 20), 2, "slack:T"
    )
    says_sorry(call_alone("review"), 2, "CARECITE_REVIEW_PLAIN_HTTP")
