"""Whether passages say yes, no or maybe to a question that can be answered so; pure.

Each sentence votes as far as it is about what is asked, a conclusion more than others:

no      it denies what the question names, sees no difference, or has the opposite direction
maybe   it doubts: hedges, calls for further studies, or reports both ways
yes     it says the same direction; a plain sentence on the matter counts for yes in part

The weights were chosen on the half of the exam sets whose ids have an even SHA-1 sum.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reasoning.methods.cometa.weighing import Place
from reasoning.verify.certainty import is_hedged
from reasoning.verify.direction import clashes
from reasoning.verify.statement import negations_in, poles_in, says_no_difference
from reasoning.verify.words import keys_in

SHARP = 3  # power of a sentence's fit: those nearest to the question decide
CONCLUDES = 2.0
PLAIN, HEDGED = 0.5, 0.4
NAMED = 0.2  # share of the question's keys that a negation's clause names
MAYBE = 0.35  # weight of doubt against the better of yes and no

_CONCLUSION = re.compile(
    r"\bconclu|\bin summary\b|\bthese (?:results|findings|data)\b|\bour (?:results|findings|data|study)\b"
    r"|\bthis study\b|\bwe (?:found|show|demonstrate)",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:further|more|additional|larger|future) (?:\w+ )?"
    r"(?:studies|research|trials|investigation|evidence|data)\b"
    r"|\b(?:unclear|uncertain|controversial|inconclusive|conflicting|insufficient|mixed|inconsistent)\b"
    r"|\bremains? to be\b|\bdepend(?:s|ing)? on\b|\b(?:some|selected) (?:patients|cases)\b",
    re.IGNORECASE,
)
_SAMENESS = re.compile(
    r"\bas (?:\w+ )?as\b|\bsame\b|\bequal|\bequivalent|\bsimilar|\bcomparable\b|\bsafe\b|\bindependent",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Vote:
    """Weight of a verdict and the sentences that gave it, the heaviest first."""

    weight: float
    refs: tuple[str, ...]


def weigh_verdicts(asked: str, places: Sequence[Place]) -> dict[str, Vote]:
    """The votes of all sentences for yes, no and maybe."""
    cast: dict[str, list[tuple[float, str]]] = {"yes": [], "no": [], "maybe": []}
    for place in places:
        about = place.fit**SHARP * (CONCLUDES if concludes(place) else 1.0)
        for verdict, share in read_verdict(asked, place.text).items():
            cast[verdict].append((about * share, place.ref))
    return {verdict: _count(votes) for verdict, votes in cast.items()}


def _count(votes: list[tuple[float, str]]) -> Vote:
    ranked = sorted((vote for vote in votes if vote[0] > 0), key=lambda vote: -vote[0])
    near = [ref for weight, ref in ranked if weight >= 0.5 * ranked[0][0]]
    return Vote(sum(weight for weight, _ in ranked), tuple(near[:3]))


def concludes(place: Place) -> bool:
    """Whether a sentence says what its article found."""
    return (place.label or "").upper().startswith("CONCLU") or bool(_CONCLUSION.search(place.text))


def read_verdict(asked: str, sentence: str) -> dict[str, float]:
    """Shares of one sentence's vote, 0 to 1 each."""
    doubt = 1.0 if _DOUBTS.search(sentence) else HEDGED if is_hedged(sentence, "en") else 0.0
    if denies_question(asked, sentence):
        return {"no": 1.0, "maybe": doubt}
    if _goes_along(asked, sentence):
        return {"yes": 1.0, "maybe": doubt}
    return {"yes": PLAIN, "maybe": doubt}


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
    return any(one.axis == other.axis and one.sign == other.sign for one in mine for other in theirs)
