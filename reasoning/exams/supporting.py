"""The options of a question as far as passages bear them out, and whether that settles it; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reasoning.exams.stems import Exam, read_exam
from reasoning.exams.verdicts import MAYBE, Verdicts, weigh_verdicts
from reasoning.exams.weighing import Likeness, Weighed, list_places, ranks, weigh_options
from reasoning.grounding.passages import GivenPassage
from reasoning.routing import Option
from reasoning.verify.population import groups_in

# What settles a question (told to somebody), chosen on the even half of the exam sets for precision.
NAMED, FIT, AHEAD = 0.75, 0.5, 2.0  # of the option named, on the matter, against the next option
_THIS_ONE = re.compile(
    r"\b(?:this|the) (?:\w+ )?(?:man|woman|boy|girl|child|infant)(?:['’]s)?\b", re.IGNORECASE
)
ANSWERS = 0.25  # of the words of a question after a story, in the sentence itself; likewise
EACH = 0.6  # of the best member: the support from which an option counts as borne out in a joined one


@dataclass(frozen=True)
class Ranked:
    """`order` has the labels, best first, `refs` the sentences that speak for each. `borne_out` are labels
    that sentences on the matter do name, `settled` the one that is ahead of all others as well; `beside` has
    further sentences of the same articles."""

    order: tuple[str, ...]
    support: Mapping[str, float]
    refs: Mapping[str, tuple[str, ...]]
    borne_out: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def rank_options(
    stem: str,
    options: tuple[Option, ...],
    passages: Sequence[GivenPassage],
    likeness: Likeness,
    exam: Exam | None = None,
) -> Ranked:
    """Without a sentence to weigh, the option likest to the stem: a guess that settles nothing.

    Ties go to the option that stands first.
    """
    exam = exam or read_exam(stem, options)
    places = list_places(stem, exam, passages, likeness)
    if not places:
        alike = {option.label: likeness.get((stem, option.text), 0.0) for option in options}
        return Ranked(_order(alike, options, lowest=exam.negated), alike, dict.fromkeys(alike, ()))
    if exam.verdicts:
        return _rank_verdicts(exam, options, weigh_verdicts(exam.asked, places))
    weighed = {one.option.label: one for one in weigh_options(stem, exam.asked, options, places, likeness)}
    ranked = _rank_excepted(exam, options, weighed) if exam.negated else _rank(exam, options, weighed)
    tells = all(_tells(exam.asked, ranked.refs[label], passages) for label in ranked.settled)
    return ranked if tells else replace(ranked, settled=frozenset())


def _tells(asked: str, refs: Sequence[str], passages: Sequence[GivenPassage]) -> bool:
    """Whether the best sentence is of the people that are asked about, and says which is the most where that
    is asked; and what belongs to what in "A or B, respectively" no rule here can say."""
    of = groups_in(_THIS_ONE.sub(" ", asked), "en")
    for given in passages:
        for sentence in given.sentences:
            if sentence.ref == refs[0]:
                said = groups_in(f"{given.title} {given.evidence.text}", "en", implied=True)
                told = ranks(sentence.text) or not ranks(asked)
                return told and "respectively" not in sentence.text.lower() and of <= said
    return True


def _order(
    support: Mapping[str, float], options: Sequence[Option], *, lowest: bool = False
) -> tuple[str, ...]:
    labels = [option.label for option in options]
    return tuple(sorted(labels, key=lambda label: support[label] if lowest else -support[label]))


def _rank_verdicts(exam: Exam, options: Sequence[Option], read: Verdicts) -> Ranked:
    """By the votes of all findings; a verdict that is settled stands first."""
    weights = dict(read.weights)
    weights["maybe"] *= MAYBE
    if read.settled:
        weights[read.settled] += sum(weights.values())
    support = {label: weights[verdict] for label, verdict in exam.verdicts.items()}
    told = {verdict: label for label, verdict in exam.verdicts.items()}
    borne = frozenset(told[verdict] for verdict in (read.borne_out, read.settled) if verdict in told)
    settled = frozenset([told[read.settled]] if read.settled else ())
    refs = {label: read.refs if label in borne else () for label in support}
    return Ranked(_order(support, options), support, refs, borne, settled)


def _rank(exam: Exam, options: Sequence[Option], weighed: Mapping[str, Weighed]) -> Ranked:
    """What is borne out best; a joined option where all of its members are, "none" where nothing is."""
    support = {label: -one.support if one.denied else one.support for label, one in weighed.items()}
    refs = {label: one.refs for label, one in weighed.items()}
    plain = [option.label for option in exam.plain(options)]
    top = max((support[label] for label in plain), default=0.0)
    for label, members in exam.joined.items():
        each = [support[member] for member in members if member in plain]
        holds = bool(each) and min(each) >= EACH * top and min(each) > 0
        support[label] = top + min(each) if holds else 0.0
        refs[label] = tuple(dict.fromkeys(ref for member in members for ref in refs.get(member, ())[:1]))
    if exam.none:
        named = any(weighed[label].named >= NAMED for label in plain)
        support[exam.none], refs[exam.none] = (0.0 if named else top + 1.0), ()
    order = _order(support, options)
    borne = frozenset(
        label
        for label in order
        if label != exam.none and all(_is_named(weighed[one]) for one in exam.joined.get(label, (label,)))
    )
    best, members = order[0], exam.joined.get(order[0], ())
    rival = max((support[label] for label in order[1:] if label not in members), default=0.0)
    leads = exam.story and support[best] > rival and _is_most(exam, best, weighed)
    ahead = leads or support[best] >= AHEAD * rival
    beside = {label: one.beside for label, one in weighed.items() if label not in exam.joined}
    settled = frozenset([best] if ahead and best in borne else ())
    return Ranked(order, support, refs, borne, settled, beside)


def _is_most(exam: Exam, best: str, weighed: Mapping[str, Weighed]) -> bool:
    """Whether the question asks for the most, and the best option alone is said to be it: pages that answer
    name its rivals, too."""
    others = [one for label, one in weighed.items() if label != best and one.fit >= FIT]
    rivals = [one for one in others if one.named >= NAMED and one.ranks]
    return ranks(exam.asked) and weighed[best].ranks and not rivals


def _is_named(one: Weighed) -> bool:
    near = one.fit >= FIT and one.answers >= ANSWERS
    return near and one.named >= NAMED and not one.denied and not one.disputed and bool(one.refs)


def _rank_excepted(exam: Exam, options: Sequence[Option], weighed: Mapping[str, Weighed]) -> Ranked:
    """What is borne out least, or denied: settled where a sentence denies it, or bears out all the others."""
    support = {label: -one.support if one.denied else one.support for label, one in weighed.items()}
    for label in (*exam.joined, *([exam.none] if exam.none else ())):
        support[label] = max(support.values(), default=0.0) + 1.0  # seldom meant where one is excepted
    order = _order(support, options, lowest=True)
    odd = order[0]
    others = [weighed[option.label] for option in exam.plain(options) if option.label != odd]
    of_others = tuple(dict.fromkeys(ref for one in others for ref in one.refs[:1]))
    denied = weighed[odd].denied and not weighed[odd].disputed
    denied = denied and weighed[odd].named >= NAMED and weighed[odd].fit >= FIT
    refs = {label: one.refs for label, one in weighed.items()}
    refs[odd] = weighed[odd].refs if denied else of_others
    settled = frozenset([odd] if denied or all(_is_named(one) for one in others) else ())
    return Ranked(order, support, refs, settled, settled)
