"""What is told of the kept claims: statements in the wording of their relations (methods.md 2.5, 2.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reasoning.methods.mirage.claims import GraphClaim, rank
from reasoning.methods.mirage.conflicts import Kind, Resolution
from reasoning.methods.mirage.lexicon import asked_types, say_uncertain
from reasoning.methods.mirage.presets import Preset
from reasoning.methods.mirage.synthesis import Synthesis
from reasoning.safety.injection import is_foreign_link, is_instruction, plain_name
from storage.facts import relations
from storage.graph import Entity, FactPath, GraphFact, Reading

MOST_PATHS = 3  # statements on chains of facts; our choice


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of the graph: `text` is worded by its facts alone; `joins` tells whether it ties entities
    of the question together."""

    text: str
    facts: tuple[GraphFact, ...]
    claims: tuple[GraphClaim, ...] = ()
    joins: bool = False
    uncertain: bool = False


def is_tellable(fact: GraphFact) -> bool:
    """Whether a fact may be shown to a patient."""
    return may_be_shown(fact.head.name, fact.relation, fact.tail.name)


def may_be_shown(head: str, relation: str, tail: str) -> bool:
    """Whether the relation has a wording, and the names are only names."""
    return relation in relations() and _is_name(head) and _is_name(tail)


@lru_cache(maxsize=16_384)
def _is_name(name: str) -> bool:
    return not is_foreign_link(name, ()) and not is_instruction(name) and plain_name(name) == name


def build_statements(
    synthesis: Synthesis, question: str, language: str, preset: Preset
) -> tuple[Statement, ...]:
    """The statements, the most telling first, at most `preset.statements`.

    First what touches two or more of the question's entities, then the paths between them, then what was
    asked for in so many words (treatments, tests, ...) of one of them. A fact is told once.
    """
    resolution, asked = synthesis.resolution, asked_types(question)
    told: set[int] = set()
    chosen: list[Statement] = []

    def take(statements: Iterable[Statement], most: int) -> None:
        for statement in statements:
            if len(chosen) >= most:
                return
            if not {fact.id for fact in statement.facts} <= told:
                told.update(fact.id for fact in statement.facts)
                chosen.append(statement)

    ties = _ties(resolution)
    disputed = {id(one) for pair in ties for one in pair[:2]}
    claims = rank(
        (claim for claim in resolution.kept if id(claim) not in disputed),
        lambda claim: 2 * (len(claim.backing.touched) > 1) + (claim.type in asked),
    )
    joining = [claim for claim in claims if len(claim.backing.touched) > 1]
    others = [claim for claim in claims if claim.type in asked and _names_one(claim, synthesis)]
    grouping = _Grouping(synthesis, preset.tails)
    take(_uncertain(ties, synthesis.facts, language), preset.statements)
    paths = list(_paths(synthesis, language, preset.told_hops))
    room = min(MOST_PATHS, len(paths), preset.statements // 2)
    take(grouping.group(joining, language, joins=True), preset.statements - room)
    take(paths, min(preset.statements, len(chosen) + MOST_PATHS))
    take(grouping.group(others, language, joins=False), preset.statements)
    return tuple(chosen)


@dataclass(frozen=True, slots=True)
class _Grouping:
    """Facts that one sentence can say: one head, one relation, several tails."""

    synthesis: Synthesis
    tails: int

    def group(self, claims: Sequence[GraphClaim], language: str, *, joins: bool) -> Iterator[Statement]:
        groups: dict[tuple[int, str], list[tuple[Reading, GraphFact, GraphClaim]]] = {}
        for claim in claims:
            facts = [self.synthesis.facts[each] for each in claim.facts]
            if not all(map(is_tellable, facts)):
                continue
            for fact in facts:
                reading = self._read(fact)
                members = groups.setdefault((reading.head.id, reading.relation), [])
                if all(fact.id != other.id for _, other, _ in members):
                    members.append((reading, fact, claim))
        for members in groups.values():
            kept = members[: self.tails]
            first = kept[0][0]
            text = relations()[first.relation].say(first.head.name, [one.tail.name for one, _, _ in kept])
            facts_said = tuple(fact for _, fact, _ in kept)
            yield Statement(
                as_sentence(text, language), facts_said, tuple(claim for _, _, claim in kept), joins
            )

    def _read(self, fact: GraphFact) -> Reading:
        """From the end that touches most of the question's entities, from one of those where none does."""
        touched = self.synthesis.touched
        head, tail = (touched.get(end.id, frozenset()) for end in (fact.head, fact.tail))
        asked_head, asked_tail = fact.head.id in head, fact.tail.id in tail
        if asked_head and asked_tail:
            return fact.read_from(fact.head.id)
        if asked_head:
            return fact.read_from(fact.tail.id if len(tail) > 1 else fact.head.id)
        return fact.read_from(fact.head.id if len(head) > 1 else fact.tail.id)


def _names_one(claim: GraphClaim, synthesis: Synthesis) -> bool:
    """Whether one of its facts begins or ends at an entity of the question."""
    ends = {end.id for each in claim.facts for end in _ends(synthesis.facts[each])}
    return any(end in synthesis.touched.get(end, ()) for end in ends)


def _ends(fact: GraphFact) -> tuple[Entity, Entity]:
    return fact.head, fact.tail


def _paths(synthesis: Synthesis, language: str, most: int) -> Iterator[Statement]:
    """The best path of each pair whose facts may be told and were not rejected."""
    lost = {each for loser in synthesis.resolution.rejected for each in loser.claim.facts}
    lost -= {each for claim in synthesis.resolution.kept for each in claim.facts}
    pairs: set[frozenset[int]] = set()
    for path in sorted(synthesis.paths, key=lambda path: path.hops):  # stable: their rank within a pair stays
        pair = frozenset((path.entities[0].id, path.entities[-1].id))
        if path.hops > most or pair in pairs or not _may_be_told(path, lost):
            continue
        pairs.add(pair)
        joint = "；" if language == "zh" else "; "
        yield Statement(
            as_sentence(joint.join(one.say() for one in path.readings()), language), path.facts, joins=True
        )


def _may_be_told(path: FactPath, lost: Collection[int]) -> bool:
    return all(is_tellable(fact) and fact.id not in lost for fact in path.facts)


def _ties(resolution: Resolution) -> list[tuple[GraphClaim, GraphClaim, Kind]]:
    """The ties that are told. Of diagnoses that exclude each other, only the best two."""
    exclusive = [tie for tie in resolution.uncertain if tie[2] == "exclusive"]
    return [tie for tie in resolution.uncertain if tie[2] != "exclusive"] + exclusive[:1]


def _uncertain(
    ties: Sequence[tuple[GraphClaim, GraphClaim, Kind]], facts: Mapping[int, GraphFact], language: str
) -> Iterator[Statement]:
    """Both sides of each tie, as one sentence that says so."""
    for one, other, kind in ties:
        sides = [[facts[each] for each in claim.facts] for claim in (one, other)]
        if all(is_tellable(fact) for side in sides for fact in side):
            first, second = (side[0].read_from(side[0].head.id).say() for side in sides)
            text = as_sentence(say_uncertain(kind, first, second, language), language)
            both = tuple(fact for side in sides for fact in side)
            yield Statement(text, both, (one, other), joins=_touch_two((one, other)), uncertain=True)


def _touch_two(claims: Sequence[GraphClaim]) -> bool:
    return any(len(claim.backing.touched) > 1 for claim in claims)


def as_sentence(text: str, language: str) -> str:
    """With a capital and a full stop."""
    return text[:1].upper() + text[1:] + ("。" if language == "zh" else ".")
