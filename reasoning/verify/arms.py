"""Figures of two groups against the word that compares them: "fewer with A" where A has the higher figure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reasoning.verify.ground import Ground
from reasoning.verify.number_words import prepare
from reasoning.verify.quantities import Quantity, quantities_in
from reasoning.verify.statement import Pole, poles_in
from reasoning.verify.words import Term, keys_in, terms_in

_COMPARATIVE = re.compile(r"more|less|fewer|higher|lower|greater|smaller|rarer|likelier")
_ARM = re.compile(
    r"\s*(?:patients|people|women|men|children|participants|cases|events)?\s*"
    r"(?:of\s+(?:the\s+)?)?"
    r"(?:with|on|in|for|of|given|after|from|taking|receiving|treated with|assigned to)\s"
)
_CONFIDENCE = re.compile(r"\s*(?:ci\b|confidence)")
_THAN = re.compile(r"\b(?:than|compared with|compared to|versus|vs\.?)\b")
_COUNTED = frozenset({"change", "frequency"})
_REACH = 60  # characters behind a figure in which its group is named


@dataclass(frozen=True, slots=True)
class Arm:
    """One group of a trial with its figure in the base of its kind."""

    terms: tuple[Term, ...]
    value: float


def objects_to_arms(ground: Ground) -> bool:
    """Whether a sentence says "more with A" where the source gives A the lower figure, or the reverse.

    Only for two figures of one kind that the source puts beside two named groups, and a sentence that names
    just one of them as the one that has more or less of it.
    """
    poles = [p for p in comparatives_in(ground.text, ground.language) if not p.negated]
    if len({p.sign for p in poles}) != 1:
        return False
    said = [line for line in ground.said.split("\n") if not comparatives_in(line, ground.source_language)]
    for line in said:
        pair = _arms(line, ground.source_language)
        if pair is None or pair[0].value == pair[1].value:
            continue
        named = _named_first(ground, poles[0], pair)
        if named is not None:
            other = pair[1] if named is pair[0] else pair[0]
            return (named.value - other.value) * poles[0].sign < 0
    return False


def comparatives_in(line: str, language: str) -> list[Pole]:
    """Words such as fewer and higher; a source that has them is compared by its words."""
    return [p for p in poles_in(line, language) if p.axis in _COUNTED and _COMPARATIVE.match(p.word)]


def _arms(line: str, language: str) -> tuple[Arm, Arm] | None:
    figures = [
        q
        for q in quantities_in(line, language)
        if q.low == q.high and (q.kind or _is_count(q, line)) and not _CONFIDENCE.match(prepare(line), q.end)
    ]
    if len(figures) != 2 or figures[0].kind != figures[1].kind:
        return None
    text = prepare(line)
    if len(text) != len(line):
        return None
    arms = [
        _arm(line, text, q, following, language)
        for q, following in zip(figures, [figures[1].start, len(line)], strict=True)
    ]
    first, second = arms
    if first is None or second is None:
        return None
    shared = frozenset().union(*(t.keys for t in first.terms)) & frozenset().union(
        *(t.keys for t in second.terms)
    )
    mine = tuple(t for t in first.terms if not t.keys & shared)
    other = tuple(t for t in second.terms if not t.keys & shared)
    return (Arm(mine, first.value), Arm(other, second.value)) if mine and other else None


def _is_count(q: Quantity, line: str) -> bool:
    """A bare number of people that a group's name follows: "7 given aspirin"."""
    behind = re.compile(r"\s*(?:patients|people|women|men|children|participants|cases|events)?")
    match = behind.match(prepare(line), q.end)
    return q.step >= 1 and _ARM.match(prepare(line), match.end() if match else q.end) is not None


def _arm(line: str, text: str, q: Quantity, end: int, language: str) -> Arm | None:
    match = _ARM.match(text, q.end)
    if match is None:
        return None
    until = min(end, match.end() + _REACH)
    stop = re.search(r"[(;,.]| and ", text[match.end() : until])
    until = match.end() + stop.start() if stop else until
    found = tuple(terms_in(line[match.end() : until], language))
    return Arm(found, q.ends[0]) if found else None


def _named_first(ground: Ground, pole: Pole, pair: tuple[Arm, Arm]) -> Arm | None:
    """The group that a sentence says has more or less: behind "with", or before "than"."""
    lowered = ground.text.lower()
    than = lowered.find(" than ", pole.start)
    head = ground.text[: than if than >= 0 else len(ground.text)]
    keys = [frozenset().union(*(t.keys | set(t.parts) for t in terms_in(head, ground.language)), frozenset())]
    hits = [arm for arm in pair if any(term.covered_by(keys[0]) for term in arm.terms)]
    return hits[0] if len(hits) == 1 else None


def speaks_of_the_other_arm(ground: Ground, pole: Pole) -> bool:
    """ "More with B" where the source says "fewer with A than with B": what stands behind "than" is turned."""
    keys = keys_in(ground.text, ground.language)
    if _THAN.search(ground.text.lower()):
        return False
    for line in ground.said.split("\n"):
        match = _THAN.search(line.lower())
        if match is None:
            continue
        before = keys_in(line[: match.start()], ground.source_language)
        behind = keys_in(re.split(r"[(;,]", line[match.end() :])[0], ground.source_language)
        if keys & (behind - before) and not keys & _beside(line[: match.start()], behind, ground):
            signs = {p.sign for p in poles_in(line, ground.source_language) if p.axis == pole.axis}
            return signs == {-pole.sign}
    return False


def _beside(line: str, behind: frozenset[str], ground: Ground) -> frozenset[str]:
    """What names the first group: the terms behind the last "with", "in" or "on" before "than"."""
    parts = re.split(r"\b(?:with|in|on|for|among|under|at)\b", line)
    named = keys_in(parts[-1], ground.source_language) if len(parts) > 1 else frozenset()
    return named - behind
