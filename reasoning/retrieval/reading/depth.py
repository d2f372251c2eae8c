"""Kinds of articles, and which of them are read in full: reviews and guidelines (methods.md 1.5)."""

from __future__ import annotations

from collections.abc import Iterable

from storage.documents import DocClass, PublicationType

REVIEW_TYPES = {
    "Review": "D016454",
    "Systematic Review": "D000078182",
    "Meta-Analysis": "D017418",
    "Practice Guideline": "D017065",
    "Guideline": "D016431",
}
ARTICLE_TYPES = {
    "research-article": PublicationType("Journal Article", "D016428"),
    "brief-report": PublicationType("Journal Article", "D016428"),
    "review-article": PublicationType("Review", "D016454"),
    "case-report": PublicationType("Case Reports", "D002363"),
    "letter": PublicationType("Letter", "D016422"),
    "editorial": PublicationType("Editorial", "D016421"),
    "article-commentary": PublicationType("Comment", "D016420"),
    "correction": PublicationType("Published Erratum", "D016425"),
    "retraction": PublicationType("Retraction of Publication", "D016440"),
    "retracted-article": PublicationType("Retracted Publication", "D016441"),
} | {name.lower().replace(" ", "-"): PublicationType(name, ui) for name, ui in REVIEW_TYPES.items()}
_UIS = frozenset(REVIEW_TYPES.values())


def article_type(kind: str) -> PublicationType:
    """The publication type that PubMed has for an `article-type` of JATS, else that type in plain words."""
    kind = kind.strip().lower()
    return ARTICLE_TYPES.get(kind) or PublicationType(kind.replace("-", " ").capitalize())


def is_review(types: Iterable[PublicationType]) -> bool:
    return any(kind.ui in _UIS or kind.name in REVIEW_TYPES for kind in types)


def full_text_class(types: Iterable[PublicationType]) -> DocClass:
    """D2 for the full text of a review or guideline, D3 for that of any other article."""
    return DocClass.D2 if is_review(types) else DocClass.D3
