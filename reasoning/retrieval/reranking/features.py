"""What words tell of a passage, beyond what similarity and BM25 already know. Pure; each feature 0 to 1."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from itertools import pairwise
from math import log
from typing import NamedTuple, TypeVar

from reasoning.retrieval.segmentation import split_sentences
from reasoning.retrieval.subject import subject_terms
from storage.corpus.lexical import K1, B
from storage.corpus.reading import StoredPassage
from storage.corpus.terms import count_terms, terms_of

T = TypeVar("T")

_NEAR = 6  # terms: two words of the question this close in a passage are said together (our choice)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# How studies state what they found. General usage of the field, of no question set.
_FINDING = re.compile(
    r"\bp\s*[<>=≤≥]|\bCI\b|\b(?:significant|differ|compared|versus|vs|reduc|increas|decreas|improv|higher|lower"
    r"|greater|similar|associat|odds ratio|hazard ratio|risk ratio)|%|±",
    re.IGNORECASE,
)
_FINDINGS_ENOUGH = 4
_TOLD_IN = re.compile(r"result|finding|conclusion|discussion|outcome|efficacy|safety|abstract|summary", re.I)
_ASIDE_IN = re.compile(r"method|design|participant|statistic|reference|acknowledg|funding|limitation", re.I)


class Features(NamedTuple):
    """Of one passage for one question."""

    similarity: float  # of the first encoder
    bm25: float  # share of the ceiling, with the passages at hand as the collection
    coverage: float  # share of the subject's weight that the passage names
    sentence: float  # the same for its best sentence
    together: float  # share of the question's neighbouring words that stand close to each other
    heading: float  # share of the subject's weight in title and section label
    numbers: float  # share of the question's numbers
    finding: float  # whether it states findings
    section: float  # 1 results and the like, 0 methods and the like, else 0.5


def describe(
    question: str, passages: Sequence[StoredPassage], similarities: Sequence[float]
) -> list[Features]:
    """Features of each passage, in the order given."""
    subject = subject_terms(question)
    pairs = _neighbours(question, subject)
    numbers = set(_NUMBER.findall(question))
    shares = _bm25_shares(question, [each.passage.text for each in passages])
    return [
        Features(
            similarity=similarity,
            bm25=share,
            coverage=_share(subject, set(terms_of(each.passage.text))),
            sentence=_best_sentence(subject, each.passage.text),
            together=_share(pairs, _close_pairs(pairs, each.passage.text)),
            heading=_share(subject, set(terms_of(f"{each.article.title} {each.passage.section or ''}"))),
            numbers=_share(dict.fromkeys(numbers, 1.0), set(_NUMBER.findall(each.passage.text))),
            finding=min(1.0, len(_FINDING.findall(each.passage.text)) / _FINDINGS_ENOUGH),
            section=_section(each.passage.section or ""),
        )
        for each, similarity, share in zip(passages, similarities, shares, strict=True)
    ]


def _share(weights: Mapping[T, float], found: Container[T]) -> float:
    total = sum(weights.values())
    return sum(weight for item, weight in weights.items() if item in found) / total if total else 0.0


def _best_sentence(subject: Mapping[str, float], text: str) -> float:
    return max(
        (_share(subject, set(terms_of(text[slice(*span)]))) for span in split_sentences(text)), default=0.0
    )


def _neighbours(question: str, subject: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """Pairs of subject words that follow each other in the question, with the weight of the lighter one."""
    terms = [term for term in terms_of(question) if term in subject]
    return {(one, other): min(subject[one], subject[other]) for one, other in pairwise(terms) if one != other}


def _close_pairs(pairs: Mapping[tuple[str, str], float], text: str) -> set[tuple[str, str]]:
    places: dict[str, list[int]] = {}
    wanted = {term for pair in pairs for term in pair}
    for place, term in enumerate(terms_of(text)):
        if term in wanted:
            places.setdefault(term, []).append(place)
    return {
        (one, other)
        for one, other in pairs
        if any(abs(a - b) <= _NEAR for a in places.get(one, ()) for b in places.get(other, ()))
    }


def _bm25_shares(question: str, texts: Sequence[str]) -> list[float]:
    asked, counted = count_terms(question), [count_terms(text) for text in texts]
    lengths = [sum(counts.values()) for counts in counted]
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    n = len(texts)
    weights = {}
    for term, times in asked.items():
        df = sum(term in counts for counts in counted)
        weights[term] = times * log(1 + (n - df + 0.5) / (df + 0.5))
    ceiling = (K1 + 1) * sum(weights.values())
    return [
        sum(
            weight * (K1 + 1) * counts[term] / (counts[term] + K1 * (1 - B + B * length / average))
            for term, weight in weights.items()
            if counts[term]
        )
        / ceiling
        if ceiling
        else 0.0
        for counts, length in zip(counted, lengths, strict=True)
    ]


def _section(label: str) -> float:
    if _TOLD_IN.search(label):
        return 1.0
    return 0.0 if _ASIDE_IN.search(label) else 0.5
