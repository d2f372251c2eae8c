"""The symbolic stream, whole: headings verified, levels run, another spelling at the last."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from reasoning.literature import Literature
from reasoning.meanings import meaning_of
from reasoning.methods.cometa.adapting import Adapted, adapt
from reasoning.methods.cometa.presets import Preset
from reasoning.methods.cometa.strategy import RARE, Level, keywords, plan_levels
from reasoning.rewriting import Concept, Rewriting, Rewritten
from reasoning.trace import Trace
from storage.query import Term, any_of
from storage.words import split_words


async def search_symbolic(
    rewritten: Rewritten,
    doors: Sequence[Literature],
    preset: Preset,
    trace: Trace,
    unwanted: Collection[str] = (),
) -> Adapted:
    """Adapt-E for a question as it was rewritten; see `adapt`."""
    rewriting = await _verify(rewritten.value, doors, trace)
    levels = plan_levels(rewriting, rewritten.vocabulary, datetime.now(UTC).date())
    found = await adapt(levels, doors, preset, trace, unwanted)
    open_doors = [door for door in doors if door.door not in found.closed]
    if found.hits or rewritten.unrecognised or not open_doors:
        return found
    names = [concept.name for concept in rewriting.concepts]
    asked = names or keywords(rewriting.question_en, rewritten.vocabulary)
    level = await _respell(asked[:RARE], open_doors[0], trace)
    if level is None:
        return found
    return await adapt([level], open_doors, preset, trace, unwanted, found)


async def _verify(rewriting: Rewriting, doors: Sequence[Literature], trace: Trace) -> Rewriting:
    """Without MeSH headings that no door knows (methods.md 1.2). The nearest door is asked first, so that
    PubMed is asked only for those that no article here has."""
    unknown = {heading for concept in rewriting.concepts for heading in concept.mesh_candidates}
    for door in reversed(doors):
        unknown -= await door.verify_headings(sorted(unknown)) if unknown else frozenset()
    if not unknown:
        return rewriting
    with trace.span("headings") as span:
        span.note(unverified=sorted(unknown))

    def sift(concepts: Sequence[Concept]) -> list[Concept]:
        return [
            each.model_copy(update={"mesh_candidates": [h for h in each.mesh_candidates if h not in unknown]})
            for each in concepts
        ]

    pico = rewriting.pico.model_copy(update={role: sift(group) for role, group in rewriting.pico})
    return rewriting.model_copy(update={"pico": pico, "modifiers": sift(rewriting.modifiers)})


async def _respell(names: Sequence[str], door: Literature, trace: Trace) -> Level | None:
    """L4's last try (methods.md 1.3): words that the door would rather spell, anywhere; never a drug, since
    that of another one is spelled so too."""
    asked = " ".join(names)
    spelt = await door.suggest_spelling(asked) if asked else None
    new = [word for word in split_words(spelt or "") if word not in split_words(asked)]
    new = [word for word in new if (meaning := meaning_of(word)) is None or meaning.kind != "drug"]
    with trace.span("spelling") as span:
        span.note(suggested=bool(new))
    query = any_of(*map(Term, new))
    return Level("L4 respelt", query, f"{door.door} would rather spell: {' '.join(new)}") if query else None
