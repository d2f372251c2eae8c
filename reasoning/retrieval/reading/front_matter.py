"""The YAML front matter of library pages and of documents of the house's own."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import frontmatter
import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from reasoning.retrieval.reading.errors import BadRecord
from reasoning.retrieval.reading.pubmed_dates import date_parts, date_text
from storage.documents import PartialDate


def _partial(value: object) -> object:
    if isinstance(value, date):
        return date_parts(str(value.year), str(value.month), str(value.day))
    found = date_text(str(value)) if isinstance(value, str | int) else None
    if value is not None and found is None:
        raise ValueError("is no date")
    return found


def _text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class FrontMatter(BaseModel):
    """Keys that are read; others are passed over. A page of the library has a `kind`."""

    model_config = ConfigDict(extra="ignore", arbitrary_types_allowed=True)

    id: Annotated[str | None, BeforeValidator(_text)] = None
    title: Annotated[str | None, BeforeValidator(_text)] = None
    kind: Literal["cancer", "condition", "drug", "test"] | None = None
    keywords: tuple[str, ...] = ()
    language: str = "en"
    source_name: str | None = None
    source_url: str | None = None
    source_read: Annotated[PartialDate | None, BeforeValidator(_partial)] = (
        None  # checked, not a date of issue
    )
    published: Annotated[PartialDate | None, BeforeValidator(_partial)] = None


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Front matter, empty where there is none, and the text below it. Raises BadRecord."""
    try:
        values, body = frontmatter.parse(text)
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise BadRecord(f"Its front matter is no YAML mapping ({' '.join(str(error).split())}).") from error
    try:
        return FrontMatter.model_validate(values), body
    except ValidationError as error:
        raise BadRecord(f"Its front matter is wrong: {first_fault(error)}.") from error


def first_fault(error: ValidationError) -> str:
    """The first fault as `key: what is wrong`."""
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in fault["loc"]) or "record"
    return f"{place}: {fault['msg']}"
