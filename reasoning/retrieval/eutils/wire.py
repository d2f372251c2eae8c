"""One request over HTTP and the whole of what came back, or the kind of failure; by httpx."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from reasoning.retrieval.eutils.errors import BrokenReply, EutilsError, NoConnection, Refused

if TYPE_CHECKING:
    from httpx import AsyncClient, Response

CONNECT, READ = 3.0, 10.0  # seconds (methods.md 5.1)
LONGEST_GET = 500  # characters of parameters; more go by POST (methods.md 5.1, case F03)
MOST_BYTES = 128 << 20  # of a body, unpacked: 20 of the largest PMC articles stay below


@dataclass(frozen=True, slots=True)
class Answered:
    """Whatever the server sent, to its end; `headers` by lower-case name."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


def build_client(base_url: str) -> AsyncClient:
    """Blocking: it reads certificates."""
    from httpx import AsyncClient, Timeout

    for name in ("httpx", "httpcore"):  # they print addresses, and those hold the key and the search words
        logging.getLogger(name).setLevel(logging.WARNING)
    headers = {"User-Agent": "carecite", "Accept": "*/*"}
    return AsyncClient(base_url=base_url, timeout=Timeout(READ, connect=CONNECT), headers=headers)


async def send(
    client: AsyncClient, endpoint: str, params: Mapping[str, str], seconds: float
) -> Answered | EutilsError:
    """By GET, or by POST where that is too long. No error of the client gets out: it holds the address."""
    try:
        async with asyncio.timeout(seconds):
            if len(urlencode(params)) <= LONGEST_GET:
                request = client.build_request("GET", endpoint, params=params)
            else:
                request = client.build_request("POST", endpoint, data=params)
            response = await client.send(request, stream=True)
            async with aclosing(response):
                return await _read_whole(response)
    except Exception as error:
        return _explain(error)


async def _read_whole(response: Response) -> Answered | EutilsError:
    body = bytearray()
    async for part in response.aiter_bytes():
        body += part
        if len(body) > MOST_BYTES:
            return BrokenReply("It does not end.")
    return Answered(response.status_code, response.headers, bytes(body))


def _explain(error: Exception) -> EutilsError:
    """The kind of failure only: the text may hold the address."""
    import httpx

    name = type(error).__name__
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return NoConnection(f"No connection ({name}).", at_once=True)
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return NoConnection("No whole reply in time.")
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol | ValueError):
        return Refused("The address in the settings cannot be asked.")
    if isinstance(error, httpx.TransportError | httpx.DecodingError):
        return BrokenReply(f"The connection broke ({name}).")
    return BrokenReply(f"It cannot be read ({name}).")
