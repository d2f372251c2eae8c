"""`carecite eval support --from-reviews`: what answers say now that reviewers have corrected.

Whether an answer says a sentence is decided by the product's own verification by rules, as if the sentence
were claimed on one of the answer's (numbers with units, negation, direction, population, certainty), and at
least half of what the sentence names is named there: our choice. So a wrong sentence in other words counts as
said again, and one with another number does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from reasoning.evaluation.metrics import share_interval
from reasoning.evaluation.support import evidence_from
from reasoning.evidence import Claim
from reasoning.retrieval.segmentation import split_sentences
from reasoning.types import Answer
from reasoning.verify import verify_claims
from reasoning.verify.topic import share
from reasoning.verify.words import keys_in, terms_in

Outcome = Literal["as_then", "corrected", "abstained", "otherwise", "failed"]
_NAMED = 0.5  # share of a sentence's terms
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class Regression:
    """One corrected answer asked again, without anybody's words.

    `as_then`: of the sentences that the correction does not say, `again` are said again (verdict unsupported
    or unsafe); `corrected`: all `of` sentences of the correction are said; `otherwise`: only `said` of them.
    `failed`: there was no answer.
    """

    run_id: str
    verdict: str
    outcome: Outcome
    again: int = 0
    said: int = 0
    of: int = 0


def compare(run_id: str, verdict: str, before: Answer, corrected: str, after: Answer) -> Regression:
    """The answer of then, what it should have been, and the answer of now."""
    language = before.language
    right = [corrected[span.start : span.end].strip() for span in split_sentences(corrected)]
    then = [sentence.text for sentence in before.answer.sentences]
    now = [sentence.text for sentence in after.answer.sentences]
    wrong = [text for text in then if text not in find_said(then, right, language)]
    again = len(find_said(wrong, now, language)) if verdict != "incomplete" else 0
    said = len(find_said(right, now, language))
    outcome: Outcome = "otherwise"
    if after.answer.abstained:
        outcome = "abstained"
    elif again:
        outcome = "as_then"
    elif said == len(right):
        outcome = "corrected"
    return Regression(run_id, verdict, outcome, again, said, len(right))


def find_said(sentences: Sequence[str], among: Sequence[str], language: str) -> list[str]:
    """Those of the sentences that one of the others says."""
    evidence = [evidence_from({"eid": f"{n}", "title": "", "text": text}) for n, text in enumerate(among)]
    named = {item.eid: keys_in(item.text, language) for item in evidence}
    found = []
    for sentence in sentences:
        terms = list(terms_in(sentence, language))
        near = [item for item in evidence if share(terms, named[item.eid], frozenset()) >= _NAMED]
        claims = [Claim(sentence, ((item.eid, item.text),)) for item in near]
        kept = (verify_claims([claim], evidence, language=language).claims for claim in claims)
        if sentence in among or any(kept):
            found.append(sentence)
    return found


def summarise(items: Sequence[Regression]) -> list[dict[str, Any]]:
    """A row a verdict, and one of all: the share of each outcome, with 95 % intervals."""
    verdicts = [verdict for verdict in ("unsafe", "unsupported", "incomplete") if items]
    rows = []
    for verdict in (*verdicts, "all"):
        some = [item for item in items if verdict in ("all", item.verdict)]
        if not some:
            continue
        counts = {name: sum(item.outcome == name for item in some) for name in OUTCOMES}
        rows.append(
            {
                "dataset": "reviews",
                "style": verdict,
                "arm": "product",
                "n": len(some),
                "metrics": {name: count / len(some) for name, count in counts.items()},
                "ci": {name: share_interval(count, len(some)) for name, count in counts.items()},
            }
        )
    return rows
