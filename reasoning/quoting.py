"""Which sentence of a source may be said by itself, and when it may stand in for one that a model wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reasoning.evidence import Claim
from reasoning.retrieval.segmentation import opens_with_anaphor
from reasoning.safety.injection import is_foreign_link
from storage.corpus.terms import terms_of

SHORTEST, LONGEST = 30, 420  # characters
SAME_MATTER = 0.4  # share of the written sentence's terms that its quote has too (our choice)


def stands_alone(sentence: str) -> bool:
    """Whether a sentence is understood without those around it, as far as its form tells."""
    return (
        SHORTEST <= len(sentence) <= LONGEST
        and sentence[-1] in ".!。！"
        and "\n" not in sentence
        and " | " not in sentence
        and not opens_with_anaphor(sentence)
        and not is_foreign_link(sentence, ())
    )


def quote_instead(written: Sequence[Claim], kept: Sequence[Claim], quotable: Sequence[Claim]) -> list[Claim]:
    """The kept sentences, and in place of each other one its nearest quote, word for word.

    `quotable` are those whose quotes hold although their words do not. A quote that a kept sentence rests on
    is not said again, and one on another matter is not said at all.
    """
    told = {span for claim in kept for span in claim.support}
    by_text = {claim.text: claim for claim in kept}
    holding = {claim.text: claim for claim in quotable}
    said: list[Claim] = []
    for claim in written:
        if claim.text in by_text:
            said.append(by_text[claim.text])
        elif claim.text in holding and (span := _nearest(holding[claim.text])) and span not in told:
            told.add(span)
            said.append(replace(claim, text=span[1], support=(span,)))
    return said


def _nearest(claim: Claim) -> tuple[str, str] | None:
    """The quote that shares most with the sentence, if it may be said by itself."""
    terms = set(terms_of(claim.text))
    shares = [
        (len(terms & set(terms_of(quote))) / max(1, len(terms)), -at, (eid, quote))
        for at, (eid, quote) in enumerate(claim.support)
        if stands_alone(quote)
    ]
    best = max(shares, default=None)
    return best[2] if best and best[0] >= SAME_MATTER else None
