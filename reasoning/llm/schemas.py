"""The schema of a reply as it is sent: the core that all servers know, and the same in words (case F24).

What is left out (patterns, lengths, item limits, defaults) is said in words, and checked when the reply is
there: a server may refuse a keyword, or take it and ignore it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]

_LIMITS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "pattern": "matching {}",
}
_KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}


@cache
def full_schema(reply: type[BaseModel]) -> Schema:
    """Types, fields, enumerations and meanings, closed, without references; every field is required."""
    return _core(_whole(reply), described=True)


@cache
def reduced_schema(reply: type[BaseModel]) -> Schema:
    """Types, fields and enumerations only: what the plainest grammar builder knows."""
    return _core(_whole(reply), described=False)


@cache
def schema_in_words(reply: type[BaseModel]) -> str:
    """Instructions for the system text, with the word JSON, which some servers insist on."""
    lines = "\n".join(_field_lines(_whole(reply), 0))
    return f"Reply with one JSON object and nothing else. Its fields:\n{lines}"


@cache
def _whole(reply: type[BaseModel]) -> Schema:
    schema = reply.model_json_schema()
    whole: Schema = _inline(schema, schema.get("$defs", {}), ())
    return whole


def _inline(node: Any, defs: Mapping[str, Any], inside: tuple[str, ...]) -> Any:
    """The node with its references put in place. Raises ValueError for a schema that holds itself."""
    if isinstance(node, list):
        return [_inline(each, defs, inside) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        if name in inside:
            raise ValueError(f"the reply {name} holds itself, which no server's grammar knows")
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return _inline(defs[name], defs, (*inside, name)) | _inline(rest, defs, inside)
    return {key: _inline(value, defs, inside) for key, value in node.items() if key != "$defs"}


def _core(node: Schema, *, described: bool) -> Schema:
    choices = node.get("anyOf") or node.get("oneOf")
    if choices and not described:  # the first that is not null: a grammar without alternatives
        return _core(next(each for each in choices if each.get("type") != "null"), described=False)
    core: Schema = {"anyOf": [_core(each, described=True) for each in choices]} if choices else {}
    if "type" in node:
        core["type"] = node["type"]
    if "const" in node:
        core["enum"] = [node["const"]]
    elif "enum" in node:
        core["enum"] = node["enum"]
    if "properties" in node:
        core["properties"] = {
            name: _core(each, described=described) for name, each in node["properties"].items()
        }
        core["required"] = list(node["properties"])
        core["additionalProperties"] = False
    if "items" in node:
        core["items"] = _core(node["items"], described=described)
    if described and "description" in node:
        core["description"] = node["description"]
    return core


def _field_lines(node: Schema, depth: int) -> Iterator[str]:
    for name, field in node.get("properties", {}).items():
        meaning = f": {field['description']}" if field.get("description") else ""
        yield f"{'  ' * depth}- {name} ({_kind(field)}){meaning}"
        inner = field
        while inner.get("items"):
            inner = inner["items"]
        for choice in inner.get("anyOf", [inner]):
            yield from _field_lines(choice, depth + 1)


def _kind(node: Schema) -> str:
    """The type of a field in words, with its limits."""
    limits = [words.format(node[key]) for key, words in _LIMITS.items() if key in node]
    if "const" in node or "enum" in node:
        kind = "one of " + ", ".join(f'"{each}"' for each in node.get("enum", [node.get("const")]))
    elif "anyOf" in node:
        kind = " or ".join(_kind(each) for each in node["anyOf"])
    elif node.get("type") == "array":
        kind = f"list, each item: {_kind(node.get('items', {}))}"
    elif node.get("type") == "object":
        kind = "object with its own fields" if "properties" in node else "object"
    else:
        kind = _KINDS.get(str(node.get("type")), str(node.get("type", "any value")))
    return ", ".join((kind, *limits))
