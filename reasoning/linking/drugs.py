"""Names of drugs: two that are spelt alike are two drugs (case F22).

A word that names a drug links by equality only. A misspelt one links where no other drug is as near.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from reasoning.meanings import drug_classes, drug_names
from reasoning.retrieval.subject import zipf
from reasoning.routing.words import split_words

_SHORTEST = 6  # letters of a name that may be misspelt
_KINDS = frozenset({"treatment", "drug", "medication", "compound"})


@lru_cache(maxsize=20_000)
def is_drug_word(key: str) -> bool:
    """Whether a folded word is a drug or a brand that the lexicons list."""
    return key in drug_names()


@lru_cache(maxsize=20_000)
def sounds_like_drug(key: str) -> bool:
    """Whether a folded word is a listed drug, or ends as drugs do and is no common word."""
    return is_drug_word(key) or (key.endswith(tuple(drug_classes("en"))) and zipf(key) < 3)


def names_drug(name: str, kinds: Iterable[str] = ()) -> bool:
    """Whether a name holds a drug; `kinds` are those of its entity."""
    words = split_words(name)
    if any(sounds_like_drug(word.key) for word in words):
        return True
    return not _KINDS.isdisjoint(kinds) and any(zipf(word.key) < 2 for word in words)


def has_nearer_drug(written: str, meant: str) -> bool:
    """Whether a drug other than `meant` is spelt at least as near to what was written."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    edits = int(OSA.distance(written, meant))
    near = process.extract(written, _listed(), scorer=OSA.distance, score_cutoff=edits, limit=3)
    return any(name != meant for name, _, _ in near)


@cache
def _listed() -> tuple[str, ...]:
    return tuple(sorted(name for name in drug_names() if len(name) >= _SHORTEST))
