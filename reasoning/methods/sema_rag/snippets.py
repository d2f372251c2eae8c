"""Passages as a model reads them: whole, or the sentences of each that are nearest to the query."""

from __future__ import annotations

from dataclasses import replace

from reasoning.grounding.passages import GivenPassage
from reasoning.retrieval.subject import subject_terms
from storage.corpus.terms import terms_of


def show_passages(
    passages: tuple[GivenPassage, ...], query: str, most: int | None
) -> tuple[GivenPassage, ...]:
    """The passages with at most so many sentences each, in their order; numbers of sentences stay."""
    if most is None:
        return passages
    subject = subject_terms(query)

    def weight(text: str) -> float:
        return sum(subject.get(term, 0.0) for term in set(terms_of(text)))

    shown = []
    for given in passages:
        nearest = sorted(given.sentences, key=lambda sentence: -weight(sentence.text))[:most]
        kept = tuple(sentence for sentence in given.sentences if sentence in nearest)
        shown.append(replace(given, sentences=kept))
    return tuple(shown)
