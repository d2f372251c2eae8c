"""What a person is told of a choice: the sentences that bear it out, and why not the others."""

from __future__ import annotations

from reasoning.evidence import Claim
from reasoning.exams.choosing import ChoiceInputs, ChoiceReply, claims_of_choice
from reasoning.exams.weighing import denies, own_terms
from reasoning.grounding.passages import spans_of
from reasoning.methods.sema_rag.concluding import Conclusion
from reasoning.methods.sema_rag.report import Report
from reasoning.quoting import stands_alone
from reasoning.routing import Option
from reasoning.types import Choice

MOST_AGAINST = 3  # sentences against other options


def tell_choice(conclusion: Conclusion, report: Report, told: ChoiceInputs, *, by_model: bool) -> list[Claim]:
    """Sentences word for word: for the choice, by what the findings rest on first; then, in a paragraph of
    their own, those that deny another option. None where the choice may not be told."""
    if not told.passages:
        return []
    refs = {span: ref for ref, span in spans_of(told.passages).items()}
    used = [one for one in report.findings if one.n in conclusion.findings]
    cites = [refs[span] for one in used for span in one.spans if span in refs]
    reply = ChoiceReply(
        reasoning=conclusion.reasoning,
        answer_choice=conclusion.answer_choice,
        cites=cites,
        insufficient=conclusion.insufficient,
    )
    claims = claims_of_choice(told, reply, by_model=by_model)
    if not claims:
        return []
    said = {claim.text for claim in claims}
    return claims + [claim for claim in _against_others(conclusion, report, told) if claim.text not in said]


def _against_others(conclusion: Conclusion, report: Report, told: ChoiceInputs) -> list[Claim]:
    """Sentences of refuting findings that really deny their option; in an exception they prove the rule."""
    exam = told.exam
    if exam.negated or exam.verdicts:
        return []
    own = own_terms(told.question, exam.plain(told.options))
    known = set(spans_of(told.passages).values())
    claims: dict[str, Claim] = {}
    for label in own:
        if label == conclusion.answer_choice:
            continue
        for finding in report.of(label, "refutes"):
            span = finding.spans[0]
            if span in known and denies(span[1], own[label]) and stands_alone(span[1]):
                claims[span[1]] = Claim(span[1], (span,), paragraph=2)
    return list(claims.values())[:MOST_AGAINST]


def unnamed_options(chosen: Option, report: Report, told: ChoiceInputs) -> tuple[Choice, ...]:
    """The other options that nothing found speaks for or against; those of an exception do hold."""
    exam = told.exam
    if exam.negated or exam.verdicts:
        return ()
    ranked = told.ranked
    members = exam.joined.get(chosen.label, ())
    return tuple(
        Choice(label=option.label, text=option.text)
        for option in exam.plain(told.options)
        if option.label != chosen.label
        and option.label not in members
        and option.label not in ranked.borne_out
        and not report.of(option.label, "supports")
        and not report.of(option.label, "refutes")
    )
