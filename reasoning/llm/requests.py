"""A request that fits: the rendered prompt, measured, with inputs dropped where it is too long (case F23)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Generic

from pydantic import BaseModel

from config.settings import ModelEndpoint
from reasoning.llm.errors import PromptTooLong
from reasoning.llm.prompts import Prompt, Rendered, as_data, render_prompt
from reasoning.llm.schemas import full_schema, reduced_schema, schema_in_words
from reasoning.llm.servers import LADDER, Server
from reasoning.llm.step import Inputs, Reply, Step, TokenForm
from storage.text import clean_text

_COMPACT = (
    "Keep the reply as short as it can be: one line, no blanks between the fields, no more than is asked."
)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a step is put to the model this time. `room` in tokens; `fault` is what was wrong with the last
    reply; `limit` a context, in tokens, below that of the settings."""

    rung: int
    room: int
    compact: bool = False
    fault: str | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Request(Generic[Inputs]):
    """What is sent; `tokens` is the measure of its prompt, on the high side, `room` those of the reply;
    `inputs` are those in it."""

    body: dict[str, Any]
    options: frozenset[str]  # of those that a server may refuse
    texts: tuple[str, ...]
    tokens: int
    room: int
    inputs: Inputs
    manner: Manner


def fit_request(
    step: Step[Inputs, Reply],
    prompt: Prompt,
    inputs: Inputs,
    manner: Manner,
    server: Server,
    endpoint: ModelEndpoint,
) -> Request[Inputs]:
    """The request with as many of the inputs as fit, the least dropped first. Raises PromptTooLong."""
    context = min(endpoint.context, server.context or endpoint.context)
    limit = min(context, manner.limit or context)
    room = min(manner.room, limit // 2)
    while True:
        form = step.tokens if endpoint.completions else None
        texts = _texts(step, render_prompt(prompt, inputs), manner, plain=form is not None)
        if form or "system" in server.left_out:
            texts = ("\n\n".join(texts),)
        tokens = server.tokens.tokens(*texts)
        smaller = step.fewer(inputs) if tokens + room > limit else None
        if smaller is None and tokens + room <= context:  # a limit that is only a guess stops nothing
            if form:
                body, options = _continuation(texts[0], form, prompt.temperature, room, server)
            else:
                body, options = _body(step, texts, prompt.temperature, manner.rung, room, server)
            body["model"] = endpoint.model
            return Request(body, options, texts, tokens, room, inputs, manner)
        if smaller is None:
            raise PromptTooLong(
                f"It has up to {tokens:,} tokens, the reply {room:,}; the context has {context:,}."
            )
        inputs = smaller


def _texts(step: Step[Inputs, Reply], rendered: Rendered, manner: Manner, *, plain: bool) -> tuple[str, ...]:
    """System and user text; a `plain` one asks for no JSON and is not told what was wrong with any."""
    if plain:
        return clean_text(rendered.system), clean_text(rendered.user)
    system = [rendered.system, schema_in_words(step.reply), *([_COMPACT] if manner.compact else [])]
    user = [rendered.user]
    if manner.fault:
        user.append(
            f"Your last reply could not be used: {as_data(manner.fault)} Reply again, with the JSON alone."
        )
    return clean_text("\n\n".join(system)), clean_text("\n\n".join(user))


def _body(
    step: Step[Inputs, Reply],
    texts: tuple[str, ...],
    temperature: float,
    rung: int,
    room: int,
    server: Server,
) -> tuple[dict[str, Any], frozenset[str]]:
    """The request's body, and which options it has that a server may refuse."""
    roles = ("user",) if len(texts) == 1 else ("system", "user")
    body: dict[str, Any] = {
        "messages": [{"role": role, "content": text} for role, text in zip(roles, texts, strict=True)]
    }
    optional: dict[str, Any] = {
        "max_tokens": room,
        "temperature": temperature,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    left_out = server.left_out | ({"stream_options"} if "stream" in server.left_out else set())
    body |= {name: value for name, value in optional.items() if name not in left_out}
    if "max_tokens" in left_out:  # the newer name of the same limit: one is always set
        body["max_completion_tokens"] = room
    options = set(optional) - left_out | ({"system"} if len(texts) > 1 else set())
    if rung < len(LADDER) - 1:
        body["response_format"] = _format(step.name, step.reply, rung)
        options.add("format")
    return body, frozenset(options)


def _continuation(
    text: str, form: TokenForm, temperature: float, room: int, server: Server
) -> tuple[dict[str, Any], frozenset[str]]:
    """The body for a server that continues the text up to one of the strings that end a reply."""
    optional = {"max_tokens": room, "temperature": temperature}
    kept = {name: value for name, value in optional.items() if name not in server.left_out}
    return {"prompt": text, "stop": list(form.stop), **kept}, frozenset(kept)


def _format(name: str, reply: type[BaseModel], rung: int) -> dict[str, Any]:
    if LADDER[rung] == "json_object":
        return {"type": "json_object"}
    named: dict[str, Any] = {"name": re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64]}
    if LADDER[rung] == "json_schema":
        return {"type": "json_schema", "json_schema": named | {"schema": full_schema(reply), "strict": True}}
    return {"type": "json_schema", "json_schema": named | {"schema": reduced_schema(reply)}}
