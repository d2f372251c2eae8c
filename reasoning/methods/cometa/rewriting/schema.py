"""What rewriting makes of a question (methods.md 1.2), closed: concepts, never a query."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Intent = Literal["treatment", "diagnosis", "prognosis", "side_effect", "screening", "cause", "other"]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Concept(_Closed):
    """One thing that the question is about, in the words of the literature."""

    name: str = Field(description="short clinical name in English, one to four words")
    mesh_candidates: list[str] = Field(default=[], description="MeSH headings that may fit")
    synonyms: list[str] = Field(default=[], description="at most three other names in the literature")
    drug_generic: str | None = Field(default=None, description="generic name, of a drug")
    drug_brand: list[str] = Field(default=[], description="brand names, of a drug")
    gene: str | None = Field(default=None, description="gene symbol, of a gene or variant")
    must: bool = Field(default=True, description="whether an article without it cannot answer")

    @property
    def names(self) -> tuple[str, ...]:
        """All names, the main one first, each once."""
        names = (self.name, self.drug_generic, self.gene, *self.synonyms, *self.drug_brand)
        return tuple({name.casefold(): name for name in reversed(names) if name}.values())[::-1]


class Pico(_Closed):
    P: list[Concept] = Field(default=[], description="disease, symptom, gene or group of people")
    I: list[Concept] = Field(default=[], description="drug, operation, test or exposure asked about")  # noqa: E741
    C: list[Concept] = Field(default=[], description="what it is compared with")
    O: list[Concept] = Field(default=[], description="outcome, such as survival or a side effect")  # noqa: E741


class DateLimit(_Closed):
    """`value`: years for last_years, YYYY for since, YYYY-YYYY for range."""

    kind: Literal["none", "last_years", "range", "since"] = "none"
    value: str | None = None


class Rewriting(_Closed):
    """`corrected` is in the language of the question, everything else in English."""

    corrected: str = Field(description="the question with its spelling mistakes put right, same language")
    question_en: str = Field(description="the question in English, one or two sentences, nothing added")
    intent: Intent = "other"
    pico: Pico
    modifiers: list[Concept] = Field(default=[], description="stage, setting or the like")
    date: DateLimit = DateLimit()
    wants_recent: bool = Field(default=False, description="whether the newest evidence is asked for")

    @property
    def concepts(self) -> tuple[Concept, ...]:
        """All of them, each name once: P, I, C, O, then modifiers."""
        pico = self.pico
        listed = (*pico.P, *pico.I, *pico.C, *pico.O, *self.modifiers)
        return tuple({concept.name.casefold(): concept for concept in reversed(listed)}.values())[::-1]
