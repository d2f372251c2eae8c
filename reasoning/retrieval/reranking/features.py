"""What words tell of a passage, beyond what similarity and BM25 already know. Pure; each feature 0 to 1."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from config.resources import read_toml
from reasoning.retrieval.bm25 import bm25_shares
from reasoning.retrieval.segmentation import split_sentences
from reasoning.retrieval.subject import subject_terms
from storage.corpus.reading import StoredPassage
from storage.corpus.terms import terms_of

T = TypeVar("T")

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_FINDINGS_ENOUGH = 4  # words or signs of a finding; more tell no more (our choice)


class Features(NamedTuple):
    """Of one passage for one question."""

    similarity: float  # of the first encoder
    bm25: float  # share of the ceiling, with the passages at hand as the collection
    sentence: float  # share of the subject's weight that its best sentence names
    numbers: float  # share of the question's numbers
    finding: float  # whether it states findings; 0 where the question does not ask what something does


def describe(
    question: str, passages: Sequence[StoredPassage], similarities: Sequence[float]
) -> list[Features]:
    """Features of each passage, in the order given."""
    subject, texts = subject_terms(question), [each.passage.text for each in passages]
    numbers = dict.fromkeys(_NUMBER.findall(question), 1.0)
    effect = asks_for_effect(question)
    return [
        Features(
            similarity=similarity,
            bm25=share,
            sentence=_best_sentence(subject, text),
            numbers=_share(numbers, set(_NUMBER.findall(text))),
            finding=_finding(text) if effect else 0.0,
        )
        for text, similarity, share in zip(texts, similarities, bm25_shares(question, texts), strict=True)
    ]


def asks_for_effect(question: str) -> bool:
    """Whether it asks what something does, better than what, or at what risk (lexicon `findings.toml`)."""
    return _words("asks").search(question.lower()) is not None


def _finding(text: str) -> float:
    lower = text.lower()
    signs = sum(lower.count(sign) for sign in read_toml("lexicons/findings.toml")["signs"])
    return min(1.0, (signs + len(_words("states").findall(lower))) / _FINDINGS_ENOUGH)


@cache
def _words(side: str) -> re.Pattern[str]:
    words = read_toml("lexicons/findings.toml")[side]
    return re.compile(r"\b(?:" + "|".join(map(re.escape, words)) + ")")


def _share(weights: Mapping[T, float], found: Container[T]) -> float:
    total = sum(weights.values())
    return sum(weight for item, weight in weights.items() if item in found) / total if total else 0.0


def _best_sentence(subject: Mapping[str, float], text: str) -> float:
    return max(
        (_share(subject, set(terms_of(text[slice(*span)]))) for span in split_sentences(text)), default=0.0
    )
