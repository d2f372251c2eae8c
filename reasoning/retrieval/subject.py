"""What a question is about, as far as words tell: rare words weigh more than common ones (our choice).

The weight is 6 minus the word's Zipf frequency in general English (0 for "what", 1.6 for "treatment",
6 for "osimertinib"), so that a name missing from all evidence shows, however small the corpus.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from math import inf

from reasoning.retrieval.intents import without_intent_words
from storage.corpus.terms import count_terms, terms_of
from storage.words import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_NO_WEIGHT_ABOVE = 6.0


@lru_cache(maxsize=50_000)
def zipf(word: str) -> float:
    """Zipf frequency in general English, 0 for a word it does not know."""
    from wordfreq import zipf_frequency  # a quarter of a second to import

    return float(zipf_frequency(word, "en"))


def word_weight(word: str) -> float:
    return max(0.0, _NO_WEIGHT_ABOVE - zipf(word))


def subject_terms(question: str) -> dict[str, float]:
    """Lexical term -> weight, for the words of a question that are not mere grammar."""
    weights: dict[str, float] = {}
    for word in _WORD.findall(without_intent_words(question)):
        if word in STOP_WORDS:
            continue
        for term in terms_of(word)[:1]:
            weights[term] = max(weights.get(term, 0.0), word_weight(word))
    return {term: weight for term, weight in weights.items() if weight > 0}


def covered_share(subject: Mapping[str, float], heading: str, body: str, enough: float = inf) -> float:
    """Share of the subject's weight that a text names, 0 to 1; a weight of `enough` counts as all of it.

    A term in the heading (title, keywords, MeSH) or twice in the body counts whole; one passing mention
    counts half: a page that names a disease once is not about it.
    """
    total = min(enough, sum(subject.values()))
    if not total:
        return 0.0
    titled, said = set(terms_of(heading)), count_terms(body)
    parts = (
        weight * (1.0 if term in titled or said[term] > 1 else 0.5 if said[term] else 0.0)
        for term, weight in subject.items()
    )
    return min(1.0, sum(parts) / total)


def missing_terms(subject: Mapping[str, float], text: str) -> list[str]:
    """Terms of the subject that a text does not name, the heaviest first."""
    said = set(terms_of(text))
    return sorted((term for term in subject if term not in said), key=lambda term: (-subject[term], term))
