"""PubMed, Slack and Telegram."""

from __future__ import annotations

from urllib.parse import urljoin

import httpx

from bot.health.findings import Finding, get_reply
from config import Settings


async def check_pubmed(settings: Settings) -> Finding:
    params = {"db": "pubmed", "tool": "carecite", "retmode": "xml"}
    if settings.ncbi.email:
        params["email"] = settings.ncbi.email
    reply = await get_reply(urljoin(settings.eutils.base_url, "einfo.fcgi"), params=params)
    remedy = (
        "Answers come from the local corpus meanwhile. Check the network, or set CARECITE_EUTILS_BASE_URL."
    )
    if isinstance(reply, str):
        return Finding("pubmed", False, reply, remedy)
    if reply.status_code != 200 or b"eInfoResult" not in reply.content:
        return Finding("pubmed", False, f"an unexpected reply, status {reply.status_code}", remedy)
    missing = "" if settings.ncbi.email else "; set CARECITE_NCBI_EMAIL, NCBI asks for it"
    return Finding("pubmed", True, f"reachable{missing}")


async def check_slack(settings: Settings) -> Finding:
    token = settings.slack.bot_token
    if token is None:
        return Finding("slack", None, "no token set")
    headers = {"Authorization": f"Bearer {token.get_secret_value()}"}
    reply = await get_reply(urljoin(settings.slack.base_url, "auth.test"), headers=headers, post=True)
    return _chat_finding("slack", reply, "CARECITE_SLACK_BOT_TOKEN")


async def check_telegram(settings: Settings) -> Finding:
    token = settings.telegram.token
    if token is None:
        return Finding("telegram", None, "no token set")
    reply = await get_reply(f"{settings.telegram.base_url}{token.get_secret_value()}/getMe")
    return _chat_finding("telegram", reply, "CARECITE_TELEGRAM_TOKEN")


def _chat_finding(name: str, reply: httpx.Response | str, variable: str) -> Finding:
    """Both platforms answer {"ok": …}."""
    if isinstance(reply, str):
        return Finding(name, False, reply, "Check the network, or the address in the settings.")
    try:
        accepted = bool(reply.json().get("ok"))
    except (ValueError, AttributeError):
        return Finding(
            name, False, f"an unexpected reply, status {reply.status_code}", f"Check the {name} address."
        )
    if not accepted:
        return Finding(name, False, "the token is refused", f"Check {variable}.")
    return Finding(name, True, "token accepted")
