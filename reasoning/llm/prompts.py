"""Prompts: versioned files of config/prompts, filled by jinja2.

Whatever a template inserts is data, not instruction, and passes through one place, `_as_data`: personal
details are masked and what acts like an instruction is neutralised. Public text, marked with the filter
`document`, is neutralised and fenced, and keeps its names and numbers.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from config.resources import read_toml
from reasoning.safety.injection import fence, neutralise
from reasoning.safety.personal_data import mask_personal

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment

_NAME = re.compile(r"[a-z][a-z0-9_]*\.v([1-9][0-9]*)")


class Prompt(BaseModel):
    """One version of a prompt; a change of its words is a new file with the next number.

    `name` as in `Step.prompt`: "answer.v1". `max_reply_tokens` is the room for the reply without thinking.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=_NAME.pattern)
    version: int
    changed: datetime.date
    temperature: float = Field(ge=0, le=2)
    max_reply_tokens: int = Field(ge=16)
    system: str
    user: str

    @model_validator(mode="after")
    def _named_by_version(self) -> Prompt:
        if not self.name.endswith(f".v{self.version}"):
            raise ValueError("the version is not that of the name")
        return self


@dataclass(frozen=True, slots=True)
class Rendered:
    """The two texts of a prompt with everything in place."""

    system: str
    user: str


class _Document(str):
    """Public text on its way into a template."""

    source: str


@cache
def load_prompt(name: str) -> Prompt:
    """A shipped prompt. Raises FileNotFoundError, or ValidationError where the file is no prompt."""
    return Prompt.model_validate({"name": name} | read_toml(f"prompts/{name}.toml"))


def render_prompt(prompt: Prompt, inputs: object) -> Rendered:
    """Both texts with the inputs in place. Raises jinja2.UndefinedError for a name that is not there."""
    texts = (_template(text).render(inputs=inputs).strip() for text in (prompt.system, prompt.user))
    return Rendered(*texts)


def as_data(text: str) -> str:
    """Text of a person or a model, made safe to stand in a prompt."""
    return neutralise(mask_personal(text))


def _as_data(value: Any) -> Any:
    """What jinja2 calls for every inserted value; numbers are ours, such as those of passages."""
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return value
    text = str(value)  # of an undefined name this raises
    if isinstance(value, _Document):
        return fence(text, value.source)  # which neutralises it too
    return as_data(text)


def _document(text: str, source: str = "document") -> _Document:
    marked = _Document(text)
    marked.source = source
    return marked


@cache
def _template(text: str) -> Template:
    return _environment().from_string(text)


@cache
def _environment() -> SandboxedEnvironment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, finalize=_as_data, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["document"] = _document
    return environment
