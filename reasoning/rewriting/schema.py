"""What rewriting makes of a question (methods.md 1.2), closed: concepts, never a query."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from reasoning.llm import Closed

Intent = Literal["treatment", "diagnosis", "prognosis", "side_effect", "screening", "cause", "other"]


class Draft(Closed):
    """What a model writes: a hundred tokens, so that a small one is done in time. Everything else of a
    `Rewriting` follows from it by tables and rules."""

    question_en: str = Field(description="the question in English, one or two sentences, nothing added")
    intent: Intent
    P: list[str] = Field(description="disease, symptom, gene, stage or group of people")
    I: list[str] = Field(description="drug, operation, test or exposure asked about")  # noqa: E741
    C: list[str] = Field(description="what it is compared with")
    O: list[str] = Field(description="outcome, such as survival or a side effect")  # noqa: E741

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.P, *self.I, *self.C, *self.O)


class Concept(Closed):
    """One thing that the question is about, in the words of the literature."""

    name: str
    mesh_candidates: list[str] = Field(default_factory=list)
    synonyms: list[str] = Field(default_factory=list)
    drug_generic: str | None = None
    drug_brand: list[str] = Field(default_factory=list)
    gene: str | None = None
    must: bool = True  # an article without it cannot answer

    @property
    def names(self) -> tuple[str, ...]:
        """All names, the main one first, each once."""
        names = (self.name, self.drug_generic, self.gene, *self.synonyms, *self.drug_brand)
        return tuple({name.casefold(): name for name in reversed(names) if name}.values())[::-1]


class Pico(Closed):
    P: list[Concept] = Field(default_factory=list)
    I: list[Concept] = Field(default_factory=list)  # noqa: E741
    C: list[Concept] = Field(default_factory=list)
    O: list[Concept] = Field(default_factory=list)  # noqa: E741


class DateLimit(Closed):
    """`value`: years for last_years, YYYY for since, YYYY-YYYY for range."""

    kind: Literal["none", "last_years", "range", "since"] = "none"
    value: str | None = None


class Rewriting(Closed):
    """`corrected` is in the language of the question, everything else in English."""

    corrected: str
    question_en: str
    intent: Intent = "other"
    pico: Pico
    modifiers: list[Concept] = Field(default_factory=list)
    date: DateLimit = DateLimit()
    wants_recent: bool = False

    @property
    def concepts(self) -> tuple[Concept, ...]:
        """All of them, each name once: P, I, C, O, then modifiers."""
        pico = self.pico
        listed = (*pico.P, *pico.I, *pico.C, *pico.O, *self.modifiers)
        return tuple({concept.name.casefold(): concept for concept in reversed(listed)}.values())[::-1]
