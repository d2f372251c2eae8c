"""Supported, or not said: every sentence against the evidence it cites."""

from reasoning.verify.contradictions import Contradiction, find_contradictions
from reasoning.verify.verification import Supported, judge, resolve_all, verify, verify_claims
from reasoning.verify.written import Written, clean_citations

__all__ = [
    "Contradiction",
    "Supported",
    "Written",
    "clean_citations",
    "find_contradictions",
    "judge",
    "resolve_all",
    "verify",
    "verify_claims",
]
