"""Which articles are read in full: reviews and guidelines, by publication type (methods.md 1.5)."""

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
_UIS = frozenset(REVIEW_TYPES.values())


def is_review(types: Iterable[PublicationType]) -> bool:
    return any(kind.ui in _UIS or kind.name in REVIEW_TYPES for kind in types)


def full_text_class(types: Iterable[PublicationType]) -> DocClass:
    """D2 for the full text of a review or guideline, D3 for that of any other article."""
    return DocClass.D2 if is_review(types) else DocClass.D3
