"""Retracted articles that would have counted as evidence, so that the answer can say they were left out.

They have no passages, so neither stream finds them; what matches is told by the words of their records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from reasoning.retrieval.covering import LEAST_COVERAGE, heading_of
from reasoning.retrieval.subject import covered_share
from storage.corpus import WithdrawnArticle

_WHOLE = 1 - 1e-9
_TITLES = 3


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`checked` is the oldest check of any; `asked_about` are titles that name the whole subject."""

    keys: frozenset[str] = frozenset()
    checked: date | None = None
    asked_about: tuple[str, ...] = ()


def match_withdrawn(subject: Mapping[str, float], found: Sequence[WithdrawnArticle]) -> LeftOut:
    """Those that name enough of the subject, counted. A single word in a title names no study."""
    matching = [item for item in found if _share(subject, item) >= LEAST_COVERAGE]
    titles = [
        item.article.title for item in matching if covered_share(subject, item.article.title, "") > _WHOLE
    ]
    return LeftOut(
        keys=frozenset(item.article.key for item in matching),
        checked=min((item.checked for item in matching), default=None),
        asked_about=tuple(titles[:_TITLES]) if len(subject) > 1 else (),
    )


def _share(subject: Mapping[str, float], item: WithdrawnArticle) -> float:
    return covered_share(subject, heading_of(item.article), item.beginning)
