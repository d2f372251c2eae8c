"""From what a model wrote to the one object that is its answer, without its thinking (case F25)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from reasoning.llm.errors import Nonsense
from storage.text import clean_json

Reply = TypeVar("Reply", bound=BaseModel)

_OPEN = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_ANY_OPEN = re.compile(r"<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_DECODER = json.JSONDecoder(strict=False)  # a line break inside a text does no harm
_MOST_BRACES = 200  # places where an object may begin; a loop of braces would cost the square of its length


def read_reply(content: str, thoughts: str, kind: type[Reply]) -> tuple[Reply, str]:
    """The answer, and the JSON text of it alone. Raises Nonsense, saying what is wrong with the reply."""
    if not content.strip():
        whole = _decode(thoughts)
        if whole is None:
            raise _empty(thoughts)
        return _validate(whole, kind), json.dumps(whole, ensure_ascii=False)
    whole = _decode(content)
    if whole is None:
        objects = list(_objects(_set_thinking_aside(content)))
        if not objects:
            raise Nonsense("There is no JSON object in it.", shapeless=True)
        whole = _choose(objects, kind)
    return _validate(whole, kind), json.dumps(whole, ensure_ascii=False)


def _empty(thoughts: str) -> Nonsense:
    if thoughts.strip():
        return Nonsense("It thought and gave no answer.")
    return Nonsense("It is empty.", shapeless=True)


def has_thinking(content: str, thoughts: str) -> bool:
    """Whether room went into thinking."""
    return bool(thoughts.strip() or _OPEN.match(content) or _CLOSE.search(content))


def _choose(objects: list[dict[str, Any]], kind: type[BaseModel]) -> dict[str, Any]:
    """The one object that fits; the last of all where none does, so that its faults can be told."""
    fitting: list[dict[str, Any]] = []
    for each in objects:
        try:
            _validate(each, kind)
        except Nonsense:
            continue
        if each not in fitting:
            fitting.append(each)
    if len(fitting) > 1:
        raise Nonsense("It holds more than one answer.")
    return fitting[0] if fitting else objects[-1]


def _decode(text: str) -> dict[str, Any] | None:
    """The text as one object; None where it is anything else."""
    try:
        value = _DECODER.decode(text.strip())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _set_thinking_aside(content: str) -> str:
    """What comes after the thinking; nothing where a block is never closed."""
    rest = content
    while opened := _OPEN.match(rest):
        closed = _CLOSE.search(rest, opened.end())
        if closed is None:
            return ""
        rest = rest[closed.end() :]
    if _decode(rest) is not None:  # a tag inside of a value is text
        return rest
    after = _CLOSE.split(rest)[-1]
    return "" if _ANY_OPEN.search(after) else after


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects of a text, in order."""
    at = -1
    for _ in range(_MOST_BRACES):
        at = text.find("{", at + 1)
        if at < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value
        at = end - 1


def _validate(value: dict[str, Any], kind: type[Reply]) -> Reply:
    """Checked against the whole model, as JSON. Raises Nonsense with the place of each fault."""
    try:
        return kind.model_validate_json(json.dumps(clean_json(value)))
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False, include_context=False)
        told = [f"{'.'.join(map(str, fault['loc'])) or 'the object'}: {fault['msg']}" for fault in faults[:5]]
        raise Nonsense("; ".join(told) + ".") from None
    except (ValueError, RecursionError):
        raise Nonsense("Its JSON cannot be read.") from None
