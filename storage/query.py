"""A boolean query as a typed tree: built from concepts, never from text that a person or a model wrote.

    Query = Term | AllOf | AnyOf | Without | Published | HasAbstract

The corpus runs it as SQL (`storage.corpus.boolean`); PubMed gets it as text (`reasoning.retrieval.pubmed`).
Both mean the same, so that an offline search and a private mirror behave alike (issue 4.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from storage.documents import PartialDate


class Field(StrEnum):
    """Where a term is looked for; the value is PubMed's tag, empty for automatic term mapping."""

    ANY = ""
    TITLE_ABSTRACT = "tiab"
    TITLE = "ti"
    MESH = "mh"  # with all that lies below the heading
    MESH_ALONE = "mh:noexp"
    TYPE = "pt"
    LANGUAGE = "la"


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase in a field. `near` lets that many words stand between those of a phrase, in any order
    (title and abstract only); `prefix` takes every word that begins so (four letters at least)."""

    text: str
    field: Field = Field.ANY
    near: int | None = None
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Without:
    """What matches `base` but not `unwanted`."""

    base: Query
    unwanted: Query


@dataclass(frozen=True, slots=True)
class Published:
    """Publication date, both ends inclusive, either may be open."""

    first: PartialDate | None = None
    last: PartialDate | None = None


@dataclass(frozen=True, slots=True)
class HasAbstract:
    pass


Query = Term | AllOf | AnyOf | Without | Published | HasAbstract
