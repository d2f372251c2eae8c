"""Is everything there that carecite was told to use? A line a check and, where it fails, a remedy."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urljoin

import httpx

from config import Settings, bare_names
from storage.text import clean_text

TIMEOUT = httpx.Timeout(10.0, connect=5.0)
LONGEST = 20.0  # seconds for a whole reply, however slowly it drips


@dataclass(frozen=True, slots=True)
class Finding:
    """`ok` None: not set up, and not needed."""

    name: str
    ok: bool | None
    detail: str
    remedy: str = ""


Check = Callable[[Settings], Awaitable[Finding]]


async def check_health(settings: Settings) -> list[Finding]:
    """All checks, side by side; one that breaks is a finding itself."""
    checks: dict[str, Check] = {
        "database": check_database,
        "encoder": check_encoder,
        "model": check_model,
        "pubmed": check_pubmed,
        "slack": check_slack,
        "telegram": check_telegram,
    }
    results = await asyncio.gather(*(check(settings) for check in checks.values()), return_exceptions=True)
    findings = [
        result if isinstance(result, Finding) else _broken(name, result)
        for name, result in zip(checks, results, strict=True)
    ]
    return findings + [
        Finding(
            name,
            None,
            "is set, but carecite reads only names that begin with CARECITE_",
            f"Set CARECITE_… instead of {name}.",
        )
        for name in bare_names()
    ]


def _broken(name: str, error: BaseException) -> Finding:
    if not isinstance(error, Exception):
        raise error
    words = f"the check itself failed ({type(error).__name__})"
    return Finding(name, False, words, "Report this, please, with the versions of your packages.")


async def check_database(settings: Settings) -> Finding:
    from bot.app import prepare_databases
    from storage.database import check_server, create_engine
    from storage.errors import StorageError

    try:
        urls = await asyncio.to_thread(prepare_databases, settings)
        engine = create_engine(urls.corpus, pool_size=1)
        try:
            words = await check_server(engine, vector=True)
        finally:
            await engine.dispose()
            urls.release()
    except StorageError as error:
        return Finding("database", False, str(error), error.remedy)
    places = {"corpus": settings.corpus.url, "history": settings.history.url}
    own = [name for name, url in places.items() if url]
    where = f"own server for {' and '.join(own)}" if own else "embedded server"
    return Finding("database", True, f"{words}, {where}")


async def check_encoder(settings: Settings) -> Finding:
    from bot.app import load_configured_encoder
    from reasoning.encoders import EncoderError

    try:
        encoder = await asyncio.to_thread(load_configured_encoder, settings)
    except EncoderError as error:
        return Finding("encoder", False, str(error), error.remedy)
    manifest = encoder.manifest
    return Finding("encoder", True, f"{manifest.name}, {manifest.dimensions} dimensions, {manifest.dtype}")


async def check_model(settings: Settings) -> Finding:
    endpoint = settings.llm
    if not endpoint.base_url:
        return Finding(
            "model",
            None,
            "none set: answers are verbatim quotes",
            "Set CARECITE_LLM_BASE_URL and CARECITE_LLM_MODEL.",
        )
    key = endpoint.api_key.get_secret_value() if endpoint.api_key else None
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    reply = await _get(urljoin(endpoint.base_url.rstrip("/") + "/", "models"), headers=headers)
    if isinstance(reply, str):
        return Finding("model", False, reply, "Check CARECITE_LLM_BASE_URL, and that the server runs.")
    if reply.status_code in (401, 403):
        words = "the key is refused" if key else "it wants a key"
        return Finding("model", False, words, "Check CARECITE_LLM_API_KEY.")
    if reply.status_code != 200:
        return Finding(
            "model", False, f"status {reply.status_code}", "CARECITE_LLM_BASE_URL usually ends in /v1."
        )
    try:
        names = [clean_text(str(entry["id"]))[:80] for entry in reply.json()["data"]]
    except (ValueError, KeyError, TypeError):
        return Finding(
            "model", False, "no list of models came back", "CARECITE_LLM_BASE_URL usually ends in /v1."
        )
    if not endpoint.model:
        return Finding(
            "model",
            False,
            "no model chosen",
            f"Set CARECITE_LLM_MODEL; the server has {', '.join(names[:5]) or 'none yet'}.",
        )
    if endpoint.model not in names:
        return Finding(
            "model",
            False,
            f"the server has no {endpoint.model}",
            f"It has {', '.join(names[:5]) or 'none at all'}.",
        )
    return Finding("model", True, endpoint.model)


async def check_pubmed(settings: Settings) -> Finding:
    params = {"db": "pubmed", "tool": "carecite", "retmode": "xml"}
    if settings.ncbi.email:
        params["email"] = settings.ncbi.email
    reply = await _get(urljoin(settings.eutils.base_url, "einfo.fcgi"), params=params)
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
    reply = await _get(urljoin(settings.slack.base_url, "auth.test"), headers=headers, post=True)
    return _chat_finding("slack", reply, "CARECITE_SLACK_BOT_TOKEN")


async def check_telegram(settings: Settings) -> Finding:
    token = settings.telegram.token
    if token is None:
        return Finding("telegram", None, "no token set")
    reply = await _get(f"{settings.telegram.base_url}{token.get_secret_value()}/getMe")
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


async def _get(
    url: str,
    *,
    headers: dict[str, str] | None = None,
    params: dict[str, str] | None = None,
    post: bool = False,
) -> httpx.Response | str:
    """The reply, or why there is none; the address may hold a token and is never part of that."""
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT) as client, asyncio.timeout(LONGEST):
            return await client.request("POST" if post else "GET", url, headers=headers, params=params)
    except (httpx.HTTPError, TimeoutError) as error:
        return f"cannot be reached ({type(error).__name__})"
    except (httpx.InvalidURL, ValueError):  # a key of other letters than ASCII, for one
        return "the address or the key in the settings cannot be sent"
