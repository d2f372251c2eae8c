"""What the form of a review begins with."""

from __future__ import annotations

from typing import NamedTuple

from bot.review.visits import Visit
from storage.history.review import Dossier, Judgement, Review
from storage.history.review_tables import SEVERITIES, VERDICTS


class Judging(NamedTuple):
    """`own` is what the reader wrote so far; `second`: somebody else found it unsafe, and is to be confirmed;
    `reviewers` are those to whom a lead may hand it over.
    """

    own: Judgement
    submitted: bool
    second: bool
    mine: bool
    free: bool
    reviewers: tuple[tuple[int, str], ...]
    verdicts: tuple[str, ...] = VERDICTS
    severities: tuple[str, ...] = SEVERITIES


async def judging(visit: Visit, dossier: Dossier) -> Judging | None:
    """None for somebody who may not review it."""
    if not visit.may("review", dossier.workspace):
        return None
    account = visit.account.id
    own = next((review for review in dossier.reviews if review.account == account), None)
    reviewers: tuple[tuple[int, str], ...] = ()
    if visit.may("assign", dossier.workspace):
        reviewers = await visit.room.reviews.reviewers(visit.as_("assign"), dossier.run_id)
    return Judging(
        _judgement(own),
        own is not None and not own.draft,
        dossier.state in ("submitted", "disputed") and _found_unsafe(dossier, account),
        dossier.assigned_to == account,
        dossier.assigned_to is None,
        reviewers,
    )


def _judgement(own: Review | None) -> Judgement:
    return Judgement(own.verdict, own.severity, own.corrected, own.note) if own else Judgement()


def _found_unsafe(dossier: Dossier, account: int) -> bool:
    return any(
        review.verdict == "unsafe" and not review.draft and review.account != account
        for review in dossier.reviews
    )
