"""PICO by the kind of a concept and where it stands (methods.md 1.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from config.resources import read_toml
from reasoning.meanings import Meaning
from reasoning.rewriting.choosing import Chosen
from reasoning.rewriting.schema import Concept, Pico

_ROLES = {
    "disease": "P", "symptom": "P", "gene": "P", "variant": "P", "population": "P", "anatomy": "P",
    "drug": "I", "procedure": "I", "test": "I", "exposure": "I", "outcome": "O",
}  # fmt: skip
_LANGUAGES = ("en", "zh", "es")


def assign_roles(chosen: Sequence[Chosen], text: str, language: str) -> tuple[Pico, list[Concept]]:
    """PICO, and modifiers, which have no role. Of two treatments that are compared, the second is C."""
    roles: dict[str, list[Concept]] = {"P": [], "I": [], "C": [], "O": [], "": []}
    first: Chosen | None = None
    for item in chosen:
        role = _ROLES.get(item.meaning.kind, "")
        if role == "I":
            if first is not None and _compared(text[first.start : item.start], language):
                role = "C"
            first = first or item
        roles[role].append(concept_of(item.meaning, must=item.must))
    modifiers = roles.pop("")
    return Pico(**roles), modifiers


def concept_of(meaning: Meaning, *, must: bool) -> Concept:
    return Concept(
        name=meaning.name,
        mesh_candidates=list(meaning.mesh),
        synonyms=list(meaning.synonyms),
        drug_generic=meaning.name if meaning.brands or meaning.wider else None,
        drug_brand=list(meaning.brands),
        gene=meaning.name if meaning.kind in ("gene", "variant") else None,
        must=must,
    )


def _compared(between: str, language: str) -> bool:
    return _comparisons(language if language in _LANGUAGES else "en").search(between.lower()) is not None


@cache
def _comparisons(language: str) -> re.Pattern[str]:
    words = read_toml("lexicons/rewriting.toml")["comparison"][language]
    edge = "" if language == "zh" else r"\b"
    return re.compile(edge + "(?:" + "|".join(re.escape(word) for word in words) + ")" + edge)
