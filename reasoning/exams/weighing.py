"""How well passages bear out each option of a question; pure, for the rule and for what a model chose.

A sentence speaks for an option as far as it names what only that option says, near the subject of the stem,
and as far as it is like stem and option together:

fit      = likeness to what is asked + share of the subject that heading, sentence and neighbours name;
           of a story, likeness to all of it, and a part of its words is enough
named    = weight of the option's own terms in the sentence; half in its neighbours
lead     = likeness to "asked option" above the mean over all options
score    = fit * named + LEAD * lead         against the option where the sentence denies it
support  = the best sentence, and less of those of further articles

The weights were chosen on the half of the exam sets whose ids have an even SHA-1 sum.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reasoning.exams.stems import Exam
from reasoning.grounding.passages import GivenPassage
from reasoning.retrieval.subject import covered_share, subject_terms, word_weight
from reasoning.routing import Option
from reasoning.verify.statement import is_noun_cue, negations_in
from storage.corpus.terms import terms_of
from storage.words import STOP_WORDS

LEAD = 2.0
BESIDE = 0.4  # of a term that stands in a neighbour only
FURTHER = 0.3  # of the best sentence of each further article
MOST_ARTICLES = 3  # that count
BEARING = 0.5  # of the best score, from which a sentence bears an option out as well
WHOLE = 0.95  # named share
DENIED = 0.5  # named share from which a negation over it denies the option
_CLAUSES = re.compile(r"[,;:]|\b(?:but|while|whereas|although|though|because|if|which|that)\b")
_MOST = re.compile(
    r"\b(?:most|best|first|main|primary|principal|leading|preferred|chief|gold standard|drug of choice"
    r"|(?:common|great|high|low|larg|small|strong|earli|long|short)est)\b",
    re.IGNORECASE,
)
Likeness = Mapping[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence with its terms and those around it, of neighbours and headings; `fit` says how much it is
    about what is asked, `answers` how much of the question after a story it takes up itself."""

    ref: str
    text: str
    terms: frozenset[str]
    around: frozenset[str]
    label: str | None
    article: str
    fit: float
    answers: float


@dataclass(frozen=True, slots=True)
class Weighed:
    """`support` of an option, the sentences that give it, best first, and the named share of the best.
    `disputed`: one of them denies it, and another does not. `ranks`: the best says which is the most.
    `beside`: further sentences that name all of the option and deny nothing of it."""

    option: Option
    support: float
    refs: tuple[str, ...]
    named: float
    fit: float
    denied: bool = False
    disputed: bool = False
    ranks: bool = False
    answers: float = 1.0
    beside: tuple[str, ...] = ()


def statement(asked: str, option: Option) -> str:
    """Stem and option as one text, for the encoder."""
    return f"{asked} {option.text}"


def list_places(stem: str, exam: Exam, passages: Sequence[GivenPassage], likeness: Likeness) -> list[Place]:
    """Every sentence of the passages, in order."""
    subject, asked = subject_terms(stem), subject_terms(exam.asked)
    places = []
    for given in passages:
        article = given.evidence.source.article
        title = " ".join((given.title, *(term.name for term in article.mesh)))
        for at, sentence in enumerate(given.sentences):
            around = given.sentences[max(0, at - 1) : at] + given.sentences[at + 1 : at + 2]
            beside = " ".join(other.text for other in around)
            covered = covered_share(subject, title, f"{sentence.text} {beside}", exam.enough)
            like = max(0.0, likeness.get((exam.subject, sentence.text), 0.0))
            fit = (like + covered) / 2
            terms, near = frozenset(terms_of(sentence.text)), frozenset(terms_of(f"{title} {beside}"))
            answers = covered_share(asked, "", sentence.text) if exam.story and asked else 1.0
            place = Place(sentence.ref, sentence.text, terms, near, sentence.label, article.key, fit, answers)
            places.append(place)
    return places


def weigh_options(
    stem: str, asked: str, options: Sequence[Option], places: Sequence[Place], likeness: Likeness
) -> list[Weighed]:
    """Support of each option, in the order of the options."""
    own = own_terms(stem, options)
    lead = _leads(asked, options, places, likeness)
    return [_weigh(option, own[option.label], places, lead[option.label]) for option in options]


def own_terms(stem: str, options: Sequence[Option]) -> dict[str, dict[str, float]]:
    """Label -> term -> weight: what the stem says is no option's own, and shared terms count less."""
    asked = set(terms_of(stem))
    terms = {option.label: _weights(option.text) for option in options}
    found = {}
    for label, weights in terms.items():
        others = [set(other) for name, other in terms.items() if name != label]
        shared = {t: sum(t in other for other in others) / max(1, len(others)) for t in weights}
        mine = {t: w * (1 - shared[t]) for t, w in weights.items() if t not in asked and shared[t] < 1}
        found[label] = mine or weights
    return found


def _weights(text: str) -> dict[str, float]:
    """Terms with the weight of a rare word; a number is one too."""
    found: dict[str, float] = {}
    for word in text.lower().split():
        for term in terms_of(word):
            if term not in STOP_WORDS:
                found[term] = max(0.5, word_weight(word.strip(".,;()%")))
    return found


def _leads(
    asked: str, options: Sequence[Option], places: Sequence[Place], likeness: Likeness
) -> dict[str, list[float]]:
    """How much liker each sentence is to one option than to all on the mean."""
    rows = [[likeness.get((statement(asked, one), place.text), 0.0) for place in places] for one in options]
    means = [sum(column) / len(options) for column in zip(*rows, strict=True)]
    return {
        one.label: [value - mean for value, mean in zip(row, means, strict=True)]
        for one, row in zip(options, rows, strict=True)
    }


def _weigh(
    option: Option, own: Mapping[str, float], places: Sequence[Place], lead: Sequence[float]
) -> Weighed:
    scored = []
    for place, ahead in zip(places, lead, strict=True):
        named = named_share(own, place)
        scored.append((place.fit * named + LEAD * max(0.0, ahead) * place.fit, named, place))
    scored.sort(key=lambda found: -found[0])
    if not scored:
        return Weighed(option, 0.0, (), 0.0, 0.0)
    best: dict[str, tuple[float, float, Place]] = {}  # article -> its best sentence
    for found in scored:
        best.setdefault(found[2].article, found)
    ranked = list(best.values())[:MOST_ARTICLES]
    top, named, place = ranked[0]
    support = top + FURTHER * sum(score for score, _, _ in ranked[1:])
    bearing = [place for score, _, place in ranked if score >= BEARING * top]
    denied = [denies(place.text, own) for place in bearing]
    beside = [
        other.ref
        for score, share, other in scored
        if score >= BEARING * top and share >= WHOLE and other not in bearing and not denies(other.text, own)
    ]
    return Weighed(
        option,
        support,
        tuple(place.ref for place in bearing),
        named,
        place.fit,
        denied[0],
        len(set(denied)) > 1,
        ranks(place.text),
        place.answers,
        tuple(beside),
    )


def ranks(text: str) -> bool:
    """Whether it asks, or says, which is the most, the best or the first."""
    return bool(_MOST.search(text))


def named_share(own: Mapping[str, float], place: Place) -> float:
    """Share of the option's own weight that a sentence names, 0 to 1."""
    total = sum(own.values())
    if not total:
        return 0.0
    got = sum(w * (1.0 if t in place.terms else BESIDE if t in place.around else 0.0) for t, w in own.items())
    return got / total


def denies(sentence: str, own: Mapping[str, float]) -> bool:
    """Whether a sentence says "not" of what the option says: in its clause, or of a noun right before it."""
    total = sum(own.values())
    denials = 0
    for negation in negations_in(sentence, "en"):
        noun = negation.compound or is_noun_cue(negation.cue)
        reach = negation.scope if noun else negation.clause
        subject = "" if noun else _CLAUSES.split(sentence[: negation.start])[-1]
        said = set(terms_of(" ".join([subject, *(sentence[term.start : term.end] for term in reach)])))
        denials += total > 0 and sum(w for t, w in own.items() if t in said) >= DENIED * total
    return denials % 2 == 1
