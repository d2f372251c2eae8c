"""The schema as it is sent, and in words."""

from __future__ import annotations

import json
from typing import Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel, ConfigDict, Field

from reasoning.llm.schemas import full_schema, reduced_schema, schema_in_words


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str = Field(max_length=20, description="a heading")
    cites: list[str] = Field(min_length=1, max_length=4)


class Whole(BaseModel):
    """A reply with everything that replies have."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["a", "b"]
    only: Literal["x"] = "x"
    parts: list[Part] = Field(min_length=1)
    best: Part | None = None
    score: float = Field(ge=0, le=1, default=0.5)
    default: int = 3
    sure: bool


class Ring(BaseModel):
    inner: Ring | None = None


GOOD = {
    "kind": "a",
    "only": "x",
    "parts": [{"title": "t", "cites": ["1"]}],
    "best": {"title": "t", "cites": ["1"]},
    "score": 0.1,
    "default": 1,
    "sure": True,
}


def keywords(node: Any) -> set[str]:
    """Of a schema, names of fields left out."""
    if isinstance(node, list):
        return set().union(*map(keywords, node)) if node else set()
    if not isinstance(node, dict):
        return set()
    inner = (keywords(value) for key, value in node.items() if key not in ("properties", "enum", "required"))
    fields = (keywords(value) for value in node.get("properties", {}).values())
    return set(node).union(*inner, *fields)


def test_only_the_common_core_is_sent() -> None:
    core = {"type", "properties", "required", "items", "enum", "additionalProperties"}
    assert keywords(full_schema(Whole)) == core | {"anyOf", "description"}
    assert keywords(reduced_schema(Whole)) == core


@pytest.mark.parametrize("schema", [full_schema(Whole), reduced_schema(Whole)])
def test_it_is_a_schema_that_takes_the_right_and_refuses_the_wrong(schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(GOOD, schema)
    for wrong in ({"kind": "c"}, {"more": 1}, {"parts": [{"title": "t"}]}, {"default": "x"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(GOOD | wrong, schema)
    assert set(schema["required"]) == set(Whole.model_fields), "each field, the optional ones too"


def test_a_field_may_be_named_like_a_keyword() -> None:
    assert "default" in full_schema(Whole)["properties"]
    assert "title" in full_schema(Whole)["properties"]["parts"]["items"]["properties"]


def test_the_words_hold_what_the_schema_leaves_out() -> None:
    words = schema_in_words(Whole)
    for part in ("JSON", '"a", "b"', "at most 20 characters", "at least 1 items", "a heading", "at most 1"):
        assert part in words
    assert words.index("- parts") < words.index("  - title") < words.index("- score")


def test_a_schema_that_holds_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="holds itself"):
        full_schema(Ring)


def test_both_can_be_sent() -> None:
    assert json.dumps([full_schema(Whole), reduced_schema(Whole)])
