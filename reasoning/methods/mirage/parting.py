"""From the question to the parts that chains work on: decompose, then sift (methods.md 2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reasoning.evidence import Question
from reasoning.linking.types import Link
from reasoning.methods.mirage.claims import fold_term
from reasoning.methods.mirage.decomposing import (
    DECOMPOSE,
    DecomposeInputs,
    Decomposition,
    Part,
    RejectedPart,
    pair_entities,
    sift_parts,
)
from reasoning.methods.mirage.looking import Looking
from storage.graph import Outcome


@dataclass(frozen=True, slots=True)
class Parted:
    """Never empty: where no part of a model stands, the rule's are taken."""

    parts: tuple[Part, ...]
    rejected: tuple[RejectedPart, ...]


async def part_question(question: Question, links: Sequence[Link], looking: Looking) -> Parted:
    """The parts, and those that were rejected with reasons. Raises StorageError."""
    tools, preset = looking.tools, looking.preset
    named = tuple((link.entity.name, (link.entity.kinds or ("topic",))[0]) for link in links if link.entity)
    inputs = DecomposeInputs(question.text, question.language, named, preset.parts)
    with tools.trace.span("decompose", entities=[name for name, _ in named]) as span:
        result = await tools.llm.run(DECOMPOSE, inputs, tools.budget, tools.trace)
        names = {name: link.entity.name for name, link in looking.links.items() if link.entity}
        names |= await _near(result.value, names, looking)
        likeness = await _compare(result.value, looking)
        parts, rejected = sift_parts(result.value.subquestions, names, likeness, preset.repeats)
        if not parts:
            parts, _ = sift_parts(pair_entities(inputs).subquestions, names, {}, preset.repeats)
        span.note(
            by=result.by,
            reason=result.reason,
            parts=[[part.id, part.text, list(part.entities)] for part in parts],
            rejected=[[part.text, part.reason] for part in rejected],
        )
    return Parted(tuple(parts[: preset.parts]), tuple(rejected))


async def _near(reply: Decomposition, names: dict[str, str], looking: Looking) -> dict[str, str]:
    """Names that a model brought in and that stand one hop from the question's entities."""
    foreign = {name for part in reply.subquestions for name in part.entities if fold_term(name) not in names}
    near: dict[str, str] = {}
    for name in sorted(foreign):
        link = await looking.find(name)
        if link is None or link.entity is None:
            continue
        found = await looking.graph.bridge(looking.about, link.ids, hops=1, limit=1)
        if found.outcome in (Outcome.FOUND, Outcome.SAME):
            near[fold_term(name)] = link.entity.name
    return near


async def _compare(reply: Decomposition, looking: Looking) -> dict[tuple[str, str], float]:
    """Cosine of each pair of parts; nothing where the encoder failed: only equal texts repeat then."""
    texts = list(dict.fromkeys(part.text for part in reply.subquestions))
    vectors = await looking.tools.retrieval.encode(texts) if len(texts) > 1 else None
    if vectors is None:
        return {}
    cosines = vectors @ vectors.T
    return {
        (one, other): float(cosines[i, j]) for i, one in enumerate(texts) for j, other in enumerate(texts)
    }
