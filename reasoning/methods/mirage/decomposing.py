"""The question decomposer: self-contained parts, each about entities that the graph has (methods.md 2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pydantic import Field

from reasoning.llm import Closed, Step
from reasoning.methods.mirage.claims import fold_term
from reasoning.methods.mirage.lexicon import ask_about


class SubQuestion(Closed):
    text: str = Field(description="a question that is understood without the others")
    entities: list[str] = Field(description="the one or two medical concepts it is about, as listed")


class Decomposition(Closed):
    entities: list[str] = Field(description="the distinct medical concepts of the question")
    decompose: bool = Field(description="true where several distinct concepts occur")
    subquestions: list[SubQuestion]


@dataclass(frozen=True, slots=True)
class DecomposeInputs:
    """`entities` are (name, kind) of what was linked, in the order of the question."""

    question: str
    language: str
    entities: tuple[tuple[str, str], ...]
    most: int


@dataclass(frozen=True, slots=True)
class Part:
    """One sub-question with the names of its entities; `id` is its place, from q1."""

    id: str
    text: str
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RejectedPart:
    text: str
    reason: str


def pair_entities(inputs: DecomposeInputs) -> Decomposition:
    """The rule: bridges between pairs, those first that bring in most that is new, then of unlike kinds, then
    as the question has them; where room is left, an anchor for each entity."""
    names = [name for name, _ in inputs.entities]
    kinds = dict(inputs.entities)
    open_pairs, covered, chosen = list(combinations(names, 2)), set[str](), list[tuple[str, ...]]()
    while open_pairs and len(chosen) < inputs.most:
        best = max(
            open_pairs,
            key=lambda pair: (len(set(pair) - covered), kinds[pair[0]] != kinds[pair[1]]),
        )
        open_pairs.remove(best)
        covered |= set(best)
        chosen.append(best)
    chosen += [(name,) for name in names][: inputs.most - len(chosen)]
    parts = [SubQuestion(text=ask_about(pair, inputs.language), entities=list(pair)) for pair in chosen]
    return Decomposition(entities=names, decompose=len(names) > 1, subquestions=parts)


def find_nonsense(inputs: DecomposeInputs, reply: Decomposition) -> str | None:
    """Why a decomposition cannot be used, in words that help a second try."""
    parts = [part for part in reply.subquestions if part.text.strip()]
    if not parts:
        return "write at least one subquestion"
    if len(parts) > inputs.most:
        return f"write at most {inputs.most} subquestions"
    if any(len(part.entities) > 2 for part in parts):
        return "each subquestion is about one or two concepts"
    known = {fold_term(name) for name, _ in inputs.entities}
    if not any(fold_term(name) in known for part in parts for name in part.entities):
        return "use the listed concepts in entities"
    return None


DECOMPOSE = Step("decompose", "decompose.v1", Decomposition, pair_entities, find_nonsense)


def sift_parts(
    parts: Iterable[SubQuestion],
    names: Mapping[str, str],
    likeness: Mapping[tuple[str, str], float],
    repeats: float,
) -> tuple[list[Part], list[RejectedPart]]:
    """The parts that stand, and the others with the reason.

    `names` leads from each folded name that may be asked about to the entity's own: those of the question,
    and those one hop from them. `likeness` is the cosine of two parts' texts.
    """
    kept: list[Part] = []
    rejected: list[RejectedPart] = []
    for part in parts:
        reason = _fault(part, kept, names, likeness, repeats)
        if reason:
            rejected.append(RejectedPart(part.text, reason))
        else:
            entities = tuple(dict.fromkeys(names[fold_term(name)] for name in part.entities))
            kept.append(Part(f"q{len(kept) + 1}", part.text.strip(), entities))
    return kept, rejected


def _fault(
    part: SubQuestion,
    kept: Sequence[Part],
    names: Mapping[str, str],
    likeness: Mapping[tuple[str, str], float],
    repeats: float,
) -> str | None:
    if not part.entities:
        return "it names no entity"
    foreign = [name for name in part.entities if fold_term(name) not in names]
    if len(foreign) == len(part.entities):
        return "nothing in it links to the graph"
    if foreign:
        return f"it brings in what is neither in the question nor next to it: {foreign[0]}"
    for other in kept:
        if likeness.get((part.text, other.text), float(part.text == other.text)) > repeats:
            return f"it repeats {other.id}"
    return None
