"""One line of `doctor`, and how a service is asked for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import httpx

TIMEOUT = httpx.Timeout(10.0, connect=5.0)
LONGEST = 20.0  # seconds for a whole reply, however slowly it drips


@dataclass(frozen=True, slots=True)
class Finding:
    """`ok` None: not set up, and not needed."""

    name: str
    ok: bool | None
    detail: str
    remedy: str = ""


async def get_reply(
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
