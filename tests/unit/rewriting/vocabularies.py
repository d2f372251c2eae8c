"""A small vocabulary for the rewriting tests: the words of a few self-written sentences, many times over."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from storage.corpus.vocabulary import similar_words
from storage.words import split_words

SENTENCES = """
Osimertinib prolongs survival of patients with lung cancer and an EGFR mutation.
Diuretics are a cause of nocturia in the elderly.
Naproxen with warfarin raises the risk of bleeding.
Prednisone and prednisolone are corticosteroids.
Methotrexate is a treatment of psoriasis, and of rheumatoid arthritis.
Myocardial infarction and stroke are the main causes of death.
Voiding is a word of the bladder.
Chylothorax is a complication of esophagectomy.
"""


def _count() -> dict[str, int]:
    lines = [set(split_words(line)) for line in SENTENCES.splitlines()]
    return {word: 1000 * sum(word in line for line in lines) for word in split_words(SENTENCES)}


@dataclass(frozen=True)
class SmallCorpus:
    """`Words` over the sentences, as if each stood for a thousand articles."""

    counts: dict[str, int] = field(default_factory=_count)

    async def known_terms(self, words: Collection[str]) -> dict[str, int]:
        return {word: self.counts.get(" ".join(split_words(word)), 0) for word in words}

    async def similar_terms(self, word: str, limit: int = 5) -> list[str]:
        return similar_words(word, self.counts, limit)
