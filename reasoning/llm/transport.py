"""One request to an OpenAI-compatible server and its whole reply, or one of our errors (case F26)."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reasoning.llm.errors import BrokenReply, Incomplete, NoAnswer, TooSlow
from reasoning.llm.failures import explain_body, explain_failure

if TYPE_CHECKING:
    from openai import AsyncAPIResponse, AsyncOpenAI, AsyncStream
    from openai.types.chat import ChatCompletionChunk

    from config.settings import ModelEndpoint

_MOST_BYTES = 4_000_000  # of a body; the longest reply that anyone may set is shorter
_CHARACTERS = 12  # a token of room, at most; a server that writes on ignores the limit
_NO_KEY = "none"
_PLAIN_HEADERS = ("accept", "content-type", "user-agent")
_AFTERWARDS = 2.0  # seconds for the usage, once the reply is whole


@dataclass(frozen=True, slots=True)
class RawReply:
    """A whole reply as it came; the counts are None where the server gave none."""

    content: str
    thoughts: str
    finish_reason: str
    refusal: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    streamed: bool = False


def build_client(endpoint: ModelEndpoint) -> AsyncOpenAI:
    """The client, with nothing from the environment but proxies. Blocking: it reads certificates."""
    from openai import AsyncOpenAI, Timeout

    for name in ("openai", "httpx2", "httpcore2"):  # at debug level they print prompts
        logging.getLogger(name).setLevel(logging.WARNING)
    return AsyncOpenAI(
        api_key=endpoint.api_key.get_secret_value() if endpoint.api_key else _NO_KEY,
        base_url=endpoint.base_url,
        max_retries=0,
        timeout=Timeout(endpoint.timeout, connect=min(10.0, endpoint.timeout)),
    )


def own_headers(client: AsyncOpenAI) -> dict[str, Any]:
    """The key if there is one, and nothing that the client reads from the environment or the machine."""
    from openai import Omit

    left_out: dict[str, Any] = {
        name: Omit() for name in client.default_headers if name.lower() not in _PLAIN_HEADERS
    }
    has_key = client.api_key != _NO_KEY
    return left_out | {"Authorization": f"Bearer {client.api_key}" if has_key else Omit()}


async def send(
    client: AsyncOpenAI, request: dict[str, Any], sent: Collection[str], *, room: int, seconds: float
) -> RawReply:
    """Send it and read the reply to its end, within `room` tokens and `seconds`; a cancelled one is closed.

    `sent` are the options that the server might refuse, "format" among them. Raises NoAnswer in one of its
    kinds, and nothing else.
    """
    progress = _Progress(room)
    headers = own_headers(client)
    create = client.chat.completions.with_streaming_response.create
    try:
        async with asyncio.timeout(seconds), create(**request, extra_headers=headers) as response:
            kind = response.headers.get("content-type", "").lower()
            if request.get("stream") and "json" not in kind and "html" not in kind:
                return await progress.read(await response.parse())
            return _read_body(await whole_body(response), kind, sent)
    except NoAnswer as error:
        raise without_key(client.api_key, error) from None
    except Exception as error:
        if progress.finish:  # what breaks after the end costs the usage only
            return progress.whole()
        explain = progress.explain_break if progress.begun else explain_failure
        raise without_key(client.api_key, explain(error, sent)) from None


def without_key(key: str, error: NoAnswer) -> NoAnswer:
    """The error without the key, which some servers repeat."""
    error.args = tuple(str(each).replace(key, "…") if len(key) > 4 else each for each in error.args)
    return error


async def whole_body(response: AsyncAPIResponse[Any]) -> str:
    body = bytearray()
    async for part in response.iter_bytes():
        body += part
        if len(body) > _MOST_BYTES:
            raise BrokenReply("It does not end.")
    return body.decode("utf-8", "replace")


class _Progress:
    """A stream as it grows; what it holds is provisional until there is a finish reason."""

    def __init__(self, room: int) -> None:
        self.begun = False
        self.finish = ""
        self.content: list[str] = []
        self.thoughts: list[str] = []
        self.refusal: list[str] = []
        self.usage: tuple[int | None, int | None] = (None, None)
        self._left = room * _CHARACTERS + 2000

    async def read(self, stream: AsyncStream[ChatCompletionChunk]) -> RawReply:
        async with asyncio.timeout(None) as limit:
            async for chunk in stream:
                self._add(chunk)
                if self.finish and limit.when() is None:
                    limit.reschedule(asyncio.get_running_loop().time() + _AFTERWARDS)
        if not self.finish:
            raise BrokenReply("The stream ended early." if self.begun else "Nothing came.")
        return self.whole()

    def whole(self) -> RawReply:
        """The reply, once there is a finish reason."""
        content, thoughts, refusal = map("".join, (self.content, self.thoughts, self.refusal))
        return RawReply(content, thoughts, self.finish, refusal, *self.usage, streamed=True)

    def explain_break(self, error: Exception, sent: Collection[str]) -> NoAnswer:
        if "Timeout" in type(error).__name__:
            return TooSlow("It had begun.")
        return BrokenReply(f"The stream broke off. {explain_failure(error, sent)}")

    def _add(self, chunk: Any) -> None:
        self.usage = usage_of(_field(chunk, "usage")) or self.usage
        for choice in _field(chunk, "choices") or ():  # none in the first chunk of some, the last of others
            if _field(choice, "index") not in (None, 0):
                continue
            delta = _field(choice, "delta")
            for name, parts in (
                ("content", self.content),
                ("reasoning_content", self.thoughts),
                ("reasoning", self.thoughts),
                ("refusal", self.refusal),
            ):
                text = _field(delta, name)
                if isinstance(text, str) and text:
                    self.begun = True
                    self._left -= len(text)
                    parts.append(text)
            self.finish = _worse(self.finish, _field(choice, "finish_reason"))
        if self._left < 0:
            raise Incomplete("It wrote far more than it was given room for.", blank=self._blank_tail())

    def _blank_tail(self) -> bool:
        return not "".join(self.content)[-200:].strip()


def _read_body(text: str, kind: str, sent: Collection[str]) -> RawReply:
    """A reply that came in one piece."""
    try:
        body = json.loads(text)
        choice = next(each for each in body["choices"] if each.get("index", 0) == 0)
        message, finish = choice["message"], _worse("", choice.get("finish_reason"))
        contents = [message.get(name) for name in ("content", "reasoning_content", "reasoning", "refusal")]
    except (ValueError, TypeError, KeyError, AttributeError, StopIteration, RecursionError):
        raise explain_body(text, kind, sent) from None
    if body.get("error"):
        raise explain_body(text, kind, sent)
    if not finish:
        raise BrokenReply("It does not say whether it is finished.")
    content, thoughts, more, refusal = (each if isinstance(each, str) else "" for each in contents)
    usage = usage_of(body.get("usage")) or (None, None)
    return RawReply(content, thoughts or more, finish, refusal, *usage)


def _worse(known: str, given: Any) -> str:
    """Of several finish reasons the one that says that something is missing."""
    if not isinstance(given, str) or not given:
        return known
    return given if known in ("", "stop") else known


def usage_of(value: Any) -> tuple[int | None, int | None] | None:
    """Prompt and reply tokens; cached ones are counted too, where a server leaves them out."""
    if value is None:
        return None
    prompt, reply = (_count(_field(value, name)) for name in ("prompt_tokens", "completion_tokens"))
    cached = _count(_field(_field(value, "prompt_tokens_details"), "cached_tokens")) or 0
    if prompt is not None and prompt < cached:
        prompt += cached
    return prompt, reply


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
