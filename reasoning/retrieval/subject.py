"""What a question is about, as far as words tell: rare words weigh more than common ones (our choice).

The weight is 6 minus the word's Zipf frequency in general English (0 for "what", 1.6 for "treatment",
6 for "osimertinib"), so that a name missing from all evidence shows, however small the corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from reasoning.retrieval.intents import without_intent_words
from storage.corpus.terms import STOP_WORDS, terms_of

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_NO_WEIGHT_ABOVE = 6.0


@lru_cache(maxsize=20_000)
def word_weight(word: str) -> float:
    from wordfreq import zipf_frequency  # a quarter of a second to import

    return max(0.0, _NO_WEIGHT_ABOVE - float(zipf_frequency(word, "en")))


def subject_terms(question: str) -> dict[str, float]:
    """Lexical term -> weight, for the words of a question that are not mere grammar."""
    weights: dict[str, float] = {}
    for word in _WORD.findall(without_intent_words(question)):
        if word in STOP_WORDS:
            continue
        for term in terms_of(word)[:1]:
            weights[term] = max(weights.get(term, 0.0), word_weight(word))
    return {term: weight for term, weight in weights.items() if weight > 0}


def covered_share(subject: dict[str, float], texts: Iterable[str]) -> tuple[float, list[str]]:
    """Share of the subject's weight that the texts name, and the terms they do not, the heaviest first."""
    said: set[str] = set()
    for text in texts:
        said.update(terms_of(text))
    total = sum(subject.values())
    missing = sorted((term for term in subject if term not in said), key=lambda term: (-subject[term], term))
    if not total:
        return 0.0, missing
    return 1.0 - sum(subject[term] for term in missing) / total, missing
