"""Figures of two groups against the word that compares them: "fewer with A" where A has the higher figure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reasoning.verify.certainty import supporting_lines
from reasoning.verify.derived import without_asides
from reasoning.verify.figures import agree
from reasoning.verify.ground import Ground
from reasoning.verify.number_words import prepare
from reasoning.verify.quantities import Quantity, quantities_in
from reasoning.verify.statement import Pole, negations_in, poles_in
from reasoning.verify.words import Term, keys_in, terms_in

_SPLIT = re.compile(
    r",|;|\band\b|\bversus\b|\bvs\b\.?|\bcompared (?:with|to)\b|\bagainst\b|\bwhile\b|\bthan\b"
)
_THAN = re.compile(r"\b(?:than|compared with|compared to|versus|vs\.?|as with|as in|as those)\b")
_MORE = re.compile(r"\b(?:more|higher|longer|greater|larger|likelier|twice as|times as|doubled?|commoner)\b")
_LESS = re.compile(r"\b(?:less|fewer|lower|shorter|smaller|rarer|half as|halved|sooner|cheaper)\b")
_GOOD = re.compile(
    r"-free|\bfree\b|surviv|\balive\b|recover|respon|remission|no longer|disappear|cleared|\blived?\b"
    r"|got rid|absor"
    r"|protect|quit|success"
)
_MIDDLE = re.compile(r"median|mean|average|lasted|took")
_TELLING = 0.8  # weight of a term that says what was counted
_REACH = 70  # characters around a figure in which its group is named


@dataclass(frozen=True, slots=True)
class Arm:
    """One group of a trial with its figure, and what only it is called."""

    terms: tuple[Term, ...]
    figure: Quantity

    @property
    def value(self) -> float:
        return self.figure.ends[0]

    def is_named_in(self, text: str, language: str) -> bool:
        keys = keys_in(text, language)
        return any(term.covered_by(keys) for term in self.terms)


def objects_to_arms(ground: Ground) -> bool:
    """Whether a sentence says "more with A" where the source gives A the lower figure, or the reverse, or
    gives A the figure of B.

    Only for two figures of one kind that the source puts beside two named groups without a word that compares
    them, and a sentence that names one of the groups first or alone.
    """
    if negations_in(ground.text, ground.language):
        return False
    for line in supporting_lines(ground):
        pair = _arms(line, ground.source_language)
        if pair is None or pair[0].value == pair[1].value or not _share_an_outcome(ground, line, pair):
            continue
        named = _named_first(ground, pair)
        if named is None:
            continue
        other = pair[1] if named is pair[0] else pair[0]
        if _has_the_others_figure(ground, named, other):
            return True
        sign = _sign(ground.text) if not _compares(line, ground.source_language) else 0
        if sign and bool(_GOOD.search(ground.text.lower())) == bool(_GOOD.search(line.lower())):
            return (named.value - other.value) * sign < 0
    return False


def _share_an_outcome(ground: Ground, line: str, pair: tuple[Arm, Arm]) -> bool:
    """Whether the sentence and the line name something besides the groups."""
    arms = _keys((*pair[0].terms, *pair[1].terms))
    said = keys_in(line, ground.source_language) - arms
    return any(
        term.covered_by(said) and term.weight >= _TELLING and not term.keys & arms
        for term in terms_in(ground.text, ground.language)
    )


def _sign(text: str) -> int:
    more, less = bool(_MORE.search(text.lower())), bool(_LESS.search(text.lower()))
    return 0 if more == less else 1 if more else -1


def _compares(line: str, language: str) -> bool:
    """A source that says the direction in words is compared by its words."""
    bare = without_asides(line)
    return bool(_MORE.search(bare.lower()) or _LESS.search(bare.lower())) or any(
        pole.axis == "change" for pole in poles_in(bare, language)
    )


def _arms(line: str, language: str) -> tuple[Arm, Arm] | None:
    bare = without_asides(line)
    text = prepare(bare)
    if len(text) != len(line):
        return None
    figures = _pair_of_figures(bare, language)
    if figures is None:
        return None
    first, second = figures
    split = list(_SPLIT.finditer(text, first.end, second.start))
    if not split:
        return None
    middle = split[0].start()
    mine = _terms_between(bare, first.end, min(middle, first.end + _REACH), language)
    other = _terms_between(bare, second.end, _clause_end(text, second.end), language)
    if (not mine or not other) and "v" not in split[0][0]:  # "A differed by 2, B by 7"
        mine = _terms_between(bare, max(0, first.start - _REACH), first.start, language)
        other = _terms_between(bare, middle, second.start, language)
    shared = _keys(mine) & _keys(other)
    mine = tuple(t for t in mine if not t.keys & shared and t.weight > 0.5)
    other = tuple(t for t in other if not t.keys & shared and t.weight > 0.5)
    return (Arm(mine, first), Arm(other, second)) if mine and other else None


def _pair_of_figures(line: str, language: str) -> tuple[Quantity, Quantity] | None:
    """The only two figures of one kind; shares before others, never times of follow-up."""
    figures = [q for q in quantities_in(line, language) if q.low == q.high and not q.part]
    kinds: dict[str | None, list[Quantity]] = {}
    for q in figures:
        kinds.setdefault(q.kind, []).append(q)
    for kind in sorted(kinds, key=lambda kind: (kind != "ratio", kind is None)):
        members = kinds[kind]
        timed = kind == "time" and not _MIDDLE.search(line.lower())
        counted = kind is not None or all(q.step >= 1 for q in members)
        if len(members) == 2 and counted and not timed and not (kind or "").startswith("label:"):
            return members[0], members[1]
    return None


def _clause_end(text: str, at: int) -> int:
    stop = re.search(r"[;.]\s|[;.]$|, ", text[at : at + _REACH])
    return at + (stop.start() if stop else _REACH)


def _terms_between(line: str, start: int, end: int, language: str) -> tuple[Term, ...]:
    return tuple(terms_in(line[start:end], language))


def _keys(terms: tuple[Term, ...]) -> frozenset[str]:
    return frozenset().union(*(t.keys for t in terms)) if terms else frozenset()


def _named_first(ground: Ground, pair: tuple[Arm, Arm]) -> Arm | None:
    """The group that a sentence speaks of: named before "than", or the only one named."""
    than = _THAN.search(ground.text.lower())
    head = ground.text[: than.start()] if than else ground.text
    hits = [arm for arm in pair if arm.is_named_in(head, ground.language)]
    return hits[0] if len(hits) == 1 else None


def _has_the_others_figure(ground: Ground, named: Arm, other: Arm) -> bool:
    """ "8.1 with A" where A had 4.9 and B 8.1; a sentence that gives both figures is left alone."""
    if _THAN.search(ground.text.lower()) or other.is_named_in(ground.text, ground.language):
        return False
    mine = quantities_in(ground.text, ground.language)
    if len(mine) != 1:
        return False
    return any(agree(q, other.figure) for q in mine) and not any(agree(q, named.figure) for q in mine)


def speaks_of_the_other_arm(ground: Ground, pole: Pole) -> bool:
    """ "More with B" where the source says "fewer with A than with B": behind "than" it is turned."""
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
