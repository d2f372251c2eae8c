"""The review: what clinicians see of the history, what they think of it, and who looked at what.

    sign in   sessions.sign_in | sign_in_oidc ─> token   find(token) ─> Session   permit(account, …) ─> Actor
    read      listing.find   reading.read | reveal   figures.read   exports.stream
    judge     reviews.assign | keep_draft | submit | corrections   saved.save | list | drop
    manage    accounts.…   holds.place | lift | keep_for | list | kept   erasing.erase
    audit     audit.refuse | read | verify

Every function takes the `Actor`: their reach is in its SQL, and what is beyond it is not there. What they see
or change is in the audit, in the same transaction. Open it with `open_review(chat)`.
"""

from __future__ import annotations

from dataclasses import dataclass

from storage.history.chat import Chat
from storage.history.review.access import ITSELF, OPERATOR, ROLES, Account, Actor, Grant, permit
from storage.history.review.accounts import Accounts
from storage.history.review.audit import Audit, Entry, Event, Verification
from storage.history.review.erasing import Erasing, Extent
from storage.history.review.exports import Exported, Exports
from storage.history.review.figures import Day, Figures, Overview
from storage.history.review.holds import Hold, Holds, Kept
from storage.history.review.listing import MARKS, Case, Filters, Listing, Page
from storage.history.review.reading import Cited, Dossier, Exchange, Reading, Thought
from storage.history.review.reviews import Correction, Judgement, Review, Reviews
from storage.history.review.saved import Saved, SavedFilters
from storage.history.review.sessions import Session, Sessions

__all__ = [
    "ITSELF",
    "MARKS",
    "OPERATOR",
    "ROLES",
    "Account",
    "Actor",
    "Case",
    "Cited",
    "Correction",
    "Day",
    "Dossier",
    "Entry",
    "Event",
    "Exchange",
    "Exported",
    "Extent",
    "Filters",
    "Grant",
    "Hold",
    "Judgement",
    "Kept",
    "Overview",
    "Page",
    "Review",
    "ReviewRoom",
    "Saved",
    "Session",
    "Thought",
    "Verification",
    "open_review",
    "permit",
]


@dataclass(frozen=True, slots=True, repr=False)
class ReviewRoom:
    """The doors to the review."""

    accounts: Accounts
    sessions: Sessions
    audit: Audit
    listing: Listing
    reading: Reading
    reviews: Reviews
    saved: SavedFilters
    holds: Holds
    figures: Figures
    exports: Exports
    erasing: Erasing


def open_review(chat: Chat) -> ReviewRoom:
    """On the store that a chat is opened on, with its keys."""
    ground = chat.ground
    return ReviewRoom(
        Accounts(ground),
        Sessions(ground),
        Audit(ground),
        Listing(ground),
        Reading(ground),
        Reviews(ground),
        SavedFilters(ground),
        Holds(ground),
        Figures(ground),
        Exports(ground),
        Erasing(ground),
    )
