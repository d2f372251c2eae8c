"""Whether passages say yes, no or maybe to a question that can be answered so; pure.

Each sentence votes as far as it is about what is asked, a conclusion more than others:

no      it denies what the question names, sees no difference, or has the opposite direction
maybe   it doubts: hedges, calls for further studies, or reports both ways
yes     it says the same direction; a plain sentence on the matter counts for yes in part

To somebody a verdict is told only where the two findings nearest to the question both say it: on the half of
the exam sets whose ids have an even SHA-1 sum, nine of ten such verdicts were right, but only seven of ten of
those with the most votes.

The weights were chosen on the half of the exam sets whose ids have an even SHA-1 sum.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reasoning.exams.weighing import Place
from reasoning.verify.certainty import is_hedged
from reasoning.verify.direction import clashes
from reasoning.verify.statement import negations_in, poles_in, says_no_difference
from reasoning.verify.words import keys_in

SHARP = 4  # power of a sentence's fit: those nearest to the question decide
CONCLUDES = 4.0
PLAIN, HEDGED = 0.5, 0.4
NAMED = 0.2  # share of the question's keys that a negation's clause names
MAYBE = 0.35  # weight of doubt against the better of yes and no
SURE, NEAR = 0.65, 0.6  # fit of findings that settle a question, and of one that bears a verdict out
SETTLING = 2  # findings nearest to the question that must agree

_CONCLUSION = re.compile(
    r"\bconclu|\bin summary\b|\bthese (?:results|findings|data)\b|\bour (?:results|findings|data|study)\b"
    r"|\bthis study\b|\bwe (?:found|show|demonstrate)",
    re.IGNORECASE,
)
_ASKED = (
    "determine|assess|evaluate|examine|investigate|explore|compare|test|study|describe|analy[sz]e|identify|define"
    "|establish|review|report|find|measure|clarify|estimate|verify|present"
)
_DONE = "performed|conducted|undertaken|designed|carried out|investigated|examined|studied|assessed|evaluated"
_AIM = re.compile(  # what a study set out to find is no finding
    rf"^\W*to (?:\w+ly )?(?:{_ASKED})\b|\b(?:aims?|purposes?|objectives?|goals?) (?:of|was|were|is)\b"
    r"|\bwe (?:aimed|sought|set out|hypothesi[sz]ed)\b|\bwhether\b|[?？]\s*$|\bit is important to\b"
    r"|\b(?:to|we) (?:determine|assess|evaluate|examine|investigate|explore|test)d?\b"
    rf"|\b(?:was|were) (?:\w+ )?(?:{_DONE})\b"
    r"|\bnot been (?:\w+ )?(?:investigated|studied|reported|evaluated|examined)\b",
    re.IGNORECASE,
)
_NO_FINDINGS = re.compile(
    r"^(?:aim|objective|purpose|background|introduction|method|material|design|setting|patient)", re.I
)
_DOUBTS = re.compile(
    r"\b(?:further|more|additional|larger|future) (?:\w+ )?"
    r"(?:studies|research|trials|investigation|evidence|data)\b"
    r"|\bdepend(?:s|ing)? on\b|\b(?:some|selected) (?:patients|cases)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:unclear|unknown|uncertain|controversial|inconclusive|conflicting|insufficient|mixed|inconsistent)\b"
    r"|\bremains? to be\b",
    re.IGNORECASE,
)
_SAMENESS = re.compile(
    r"\bas (?:\w+ )?as\b|\bsame\b|\bequal|\bequivalent|\bsimilar|\bcomparable\b|\bsafe\b|\bindependent",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence that finds something; `verdict` is None where it has no direction of its own, "maybe" where
    it says that the question is open."""

    place: Place
    verdict: str | None
    doubt: float  # 0 none, HEDGED, 1 for some only, or until more is known


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Weight of each verdict; the one that the nearest finding bears out, the one that the nearest ones
    settle by saying the same, and the sentences for both."""

    weights: dict[str, float]
    borne_out: str | None
    settled: str | None
    refs: tuple[str, ...]


def weigh_verdicts(asked: str, places: Sequence[Place]) -> Verdicts:
    """What the findings among the places say to the question; what was only asked or done says nothing."""
    found = [_read(asked, place) for place in places if not is_aim(place)]
    weights = {"yes": 0.0, "no": 0.0, "maybe": 0.0}
    for one in found:
        about = one.place.fit**SHARP * (CONCLUDES if concludes(one.place) else 1.0)
        weights[one.verdict or "yes"] += about * (1.0 if one.verdict else PLAIN)
        weights["maybe"] += about * one.doubt
    nearest = sorted(found, key=lambda one: -one.place.fit)[:SETTLING]
    borne = _verdict_of(nearest[:1], NEAR)
    settled = _verdict_of(nearest, SURE) if len(nearest) == SETTLING else None
    refs = tuple(one.place.ref for one in nearest if one.verdict == borne or settled)
    return Verdicts(weights, borne, settled if settled != "maybe" else None, refs)


def _verdict_of(findings: Sequence[Finding], fit: float) -> str | None:
    """The one verdict of all these findings, which are near enough."""
    if not findings or any(one.place.fit < fit for one in findings):
        return None
    said = {"maybe" if one.doubt == 1.0 else one.verdict for one in findings}
    return said.pop() if len(said) == 1 else None


def _read(asked: str, place: Place) -> Finding:
    if _OPEN.search(place.text):
        return Finding(place, "maybe", 0.0)
    doubt = 1.0 if _DOUBTS.search(place.text) else HEDGED if is_hedged(place.text, "en") else 0.0
    if denies_question(asked, place.text):
        return Finding(place, "no", doubt)
    return Finding(place, "yes" if _goes_along(asked, place.text) else None, doubt)


def concludes(place: Place) -> bool:
    """Whether a sentence says what its article found."""
    return (place.label or "").upper().startswith("CONCLU") or bool(_CONCLUSION.search(place.text))


def is_aim(place: Place) -> bool:
    """Whether a sentence says what was asked or done, and finds nothing."""
    return bool(_NO_FINDINGS.match(place.label or "")) or bool(_AIM.search(place.text))


def denies_question(asked: str, sentence: str) -> bool:
    """Whether a sentence answers no: a negation on the matter, no difference, or the opposite direction."""
    same = bool(_SAMENESS.search(asked))
    if says_no_difference(sentence, "en"):
        return not same
    mine = poles_in(asked, "en")
    if any(clashes(pole, poles_in(sentence, "en"), aligned=True) for pole in mine):
        return True
    keys = keys_in(asked, "en")
    denied = 0
    for negation in negations_in(sentence, "en"):
        terms = negation.clause or negation.scope
        named = sum(term.covered_by(keys) for term in terms)
        denied += not negation.compound and named >= max(1, NAMED * len(terms))
    return denied % 2 == 1 and not negations_in(asked, "en")


def _goes_along(asked: str, sentence: str) -> bool:
    """Whether the sentence has a direction of the question and none that is turned round."""
    mine, theirs = poles_in(asked, "en"), poles_in(sentence, "en")
    return any(
        one.axis == other.axis and one.sign == other.sign and one.negated == other.negated
        for one in mine
        for other in theirs
        if one.near & other.near
    )
