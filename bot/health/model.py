"""The chat model: is it listed, and what can its server do? A real tiny step tells."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

import httpx

from bot.health.findings import Finding, get_reply
from config import Settings
from config.settings import ModelEndpoint
from storage.text import clean_text

_CONTEXTS = ("max_model_len", "context_length", "context_window", "max_context_length", "n_ctx")


def _failed(detail: str, remedy: str) -> Finding:
    return Finding("model", False, detail, remedy)


async def check_model(settings: Settings) -> Finding:
    """Listed, and able to answer."""
    endpoint = settings.llm
    if not endpoint.base_url:
        remedy = "Set CARECITE_LLM_BASE_URL and CARECITE_LLM_MODEL."
        return Finding("model", None, "none set: answers are verbatim quotes", remedy)
    key = endpoint.api_key.get_secret_value() if endpoint.api_key else None
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    reply = await get_reply(urljoin(endpoint.base_url.rstrip("/") + "/", "models"), headers=headers)
    if isinstance(reply, str):
        return _failed(reply, "Check CARECITE_LLM_BASE_URL, and that the server runs.")
    return _look_at_list(endpoint, reply, key is not None) or await _ask(endpoint)


def _look_at_list(endpoint: ModelEndpoint, reply: httpx.Response, has_key: bool) -> Finding | None:
    """What is wrong with the server's list of models, or None."""
    if reply.status_code in (401, 403):
        words = "the key is refused" if has_key else "it wants a key"
        return _failed(words, "Check CARECITE_LLM_API_KEY.")
    usual = "CARECITE_LLM_BASE_URL usually ends in /v1."
    if reply.status_code != 200:
        return _failed(f"status {reply.status_code}", usual)
    try:
        listed = {clean_text(str(entry["id"]))[:80]: entry for entry in reply.json()["data"]}
    except (ValueError, KeyError, TypeError):
        return _failed("no list of models came back", usual)
    names = ", ".join(list(listed)[:5])
    if not endpoint.model:
        return _failed("no model chosen", f"Set CARECITE_LLM_MODEL; the server has {names or 'none yet'}.")
    if endpoint.model not in listed:
        return _failed(f"the server has no {endpoint.model}", f"It has {names or 'none at all'}.")
    context = _context_of(listed[endpoint.model])
    if context and context < endpoint.context:
        words = f"its context has {context:,} tokens, the settings say {endpoint.context:,}"
        return _failed(words, f"Set CARECITE_LLM_CONTEXT={context}.")
    return None


def _context_of(entry: dict[str, Any]) -> int | None:
    """The context length where the list tells it, as vLLM, llama.cpp and others do."""
    meta = entry.get("meta")
    for place in (entry, meta if isinstance(meta, dict) else {}):
        for name in _CONTEXTS:
            if isinstance(place.get(name), int):
                return int(place[name])
    return None


async def _ask(endpoint: ModelEndpoint) -> Finding:
    """One real step: which format works, and whether replies are streamed."""
    from reasoning.llm.errors import NoAnswer
    from reasoning.llm.probing import probe_model

    try:
        found = await probe_model(endpoint)
    except NoAnswer as error:
        return _failed(str(error), error.remedy)
    return Finding("model", True, f"{endpoint.model}: {found}")
