"""Which follow-ups are asked: new ones, on the matter, without an option in them (methods.md 3.2, 3.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reasoning.evidence import Question
from reasoning.methods.sema_rag.guarding import names_option
from reasoning.methods.sema_rag.interpreting import Schema
from reasoning.methods.sema_rag.presets import Preset
from reasoning.methods.sema_rag.sufficiency import Judged
from reasoning.retrieval.subject import subject_terms
from storage.corpus.terms import terms_of

_GAP = 2  # words of the gap that a follow-up holds at least, where the gap has so many; our choice


@dataclass(frozen=True, slots=True)
class Followups:
    """What is asked next, and what is not, with the reason."""

    kept: tuple[str, ...]
    rejected: tuple[tuple[str, str], ...]


def sift(
    judged: Judged,
    schema: Schema,
    asked: Sequence[str],
    question: Question,
    preset: Preset,
    likeness: Mapping[tuple[str, str], float],
) -> Followups:
    """The first m that stand; pure. `likeness` is the cosine of two queries; where it is empty, since the
    encoder failed, only the same words count as a repetition."""
    kept: list[str] = []
    rejected: list[tuple[str, str]] = []
    for followup in dict.fromkeys(text.strip() for text in judged.followups):
        reason = _fault(followup, [*asked, *kept], judged, schema, question, preset, likeness)
        if reason is None and len(kept) == preset.width:
            reason = f"more than {preset.width} were written"
        if reason:
            rejected.append((followup, reason))
        else:
            kept.append(followup)
    return Followups(tuple(kept), tuple(rejected))


def _fault(
    followup: str,
    asked: Sequence[str],
    judged: Judged,
    schema: Schema,
    question: Question,
    preset: Preset,
    likeness: Mapping[tuple[str, str], float],
) -> str | None:
    if not any(map(str.isalpha, followup)):
        return "it asks nothing"
    if names_option(followup, question.text, question.options):
        return "it names an option"
    for other in asked:
        same = followup.casefold() == other.casefold()
        if same or likeness.get((followup, other), 0.0) > preset.repeats:
            return "it repeats a query"
    return None if _is_on_the_matter(followup, judged.gap, schema) else "it drifts"


def _is_on_the_matter(followup: str, gap: str, schema: Schema) -> bool:
    """Whether it holds an entity of the schema, or what the gap names; without entities, a word of the
    subject."""
    said = frozenset(terms_of(followup))
    if any(frozenset(terms_of(entity)) <= said for entity in schema.entities if terms_of(entity)):
        return True
    if not schema.entities and said & subject_terms(schema.init_query).keys():
        return True
    named = subject_terms(gap).keys()
    return bool(named) and len(said & named) >= min(_GAP, len(named))
