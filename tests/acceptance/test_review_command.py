"""`carecite review` as its own program: an account is made in the terminal, and signs in."""

from __future__ import annotations

import json
import re
import signal
import socket

import httpx
import pyotp

from tests.acceptance.serving import Serving, address_of, killed_in_the_end, settings_for
from tests.acceptance.test_sema_rag import GOUT
from tests.emulators.telegram.server import TelegramServer
from tests.integration.web.conftest import free_port
from tests.program import Call, Program, run_process, says_sorry

PASSWORD = "four words and a comma"
ASKED = {  # questions, and what the review shows of how the method came to its answer
    ("What are the side effects of radiation therapy for lung cancer?",): "Adapt-E",
    ("How is high blood pressure related to kidney failure?",): "Chains over the graph",
    (GOUT,): "Round 1:",
}


async def test_an_account_is_made_and_signs_in(carecite: Program):
    port = free_port()
    asked = {
        str(carecite.run("ask", "--json", *question).json()["run_id"]): words
        for question, words in ASKED.items()
    }
    settings = settings_for(
        carecite, "review_alone", CARECITE_REVIEW_PORT=str(port), CARECITE_REVIEW_PLAIN_HTTP="true"
    )
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
            page = await browser.get("/cases")  # what the program was asked, which is of no workspace
            assert set(asked) <= set(re.findall(r'href="/cases/([\w-]+)"', page.text))
            for run_id, words in asked.items():
                page = await browser.get(f"/cases/{run_id}")
                assert page.status_code == 200
                ids = set(re.findall(r'\bid="([^"]+)"', page.text))
                assert "c1" in ids
                assert set(re.findall(r'href="#([^"]+)"', page.text)) <= ids
                assert words in page.text
        assert await served.end(signal.SIGTERM) == 0
    assert not [line for line in served.lines if "/cases" in line or "Error" in line], served.lines


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


async def test_serve_has_the_review_where_a_port_is_set(carecite: Program):
    port = free_port()
    settings = {"CARECITE_REVIEW_PORT": str(port), "CARECITE_WORKER_CONCURRENCY": "0"}
    async with TelegramServer() as telegram:
        own = settings | address_of(telegram)
        served = Serving(settings_for(carecite, "review_beside", **own, CARECITE_REVIEW_PLAIN_HTTP="true"))
        async with killed_in_the_end(served):
            await served.start("carecite serves telegram")
            async with httpx.AsyncClient() as browser:
                await served.until(lambda: answers(port))
                assert "Sign in" in (await browser.get(f"http://127.0.0.1:{port}/sign-in")).text
            assert await served.end(signal.SIGTERM) == 0
        unsafe = run_process("serve", **settings_for(carecite, "review_beside", **own))
        says_sorry(unsafe, 2, "CARECITE_REVIEW_URL")


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
