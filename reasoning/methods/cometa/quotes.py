"""The answer step's rule: the two to five verbatim sentences that answer best (our choice).

score = likeness to the question + share of its subject named; near repeats are skipped; one passage speaks
for an article; sentences stand in the order of their source, the best article first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reasoning.evidence import Claim, Evidence
from reasoning.retrieval.segmentation import opens_with_anaphor, split_sentences
from reasoning.retrieval.subject import covered_share, subject_terms
from storage.corpus.terms import terms_of

MOST, LEAST = 5, 2
SHORTEST, LONGEST = 30, 420  # characters of a sentence that may stand alone
NEAR_BEST = 0.72  # a sentence needs this share of the best one's score
REPEATS = 0.6  # share of terms in common with a chosen sentence
SUBJECT_WEIGHT = 0.35
RANK_WEIGHT = 0.04  # a little for the ranking of its passage


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a passage; `place` is its order there, `rank` that of its passage from 0."""

    text: str
    eid: str
    article: str
    title: str
    label: str | None
    rank: int
    place: int

    @property
    def in_context(self) -> str:
        """What is compared with the question: a sentence means more under its title and heading."""
        return f"{self.title}. {self.label}: {self.text}" if self.label else f"{self.title}. {self.text}"


def candidate_sentences(evidence: Sequence[Evidence]) -> list[Candidate]:
    """Sentences that can stand alone, each once."""
    seen: set[str] = set()
    candidates: list[Candidate] = []
    for rank, item in enumerate(evidence):
        for place, (label, sentence) in enumerate(_labelled_sentences(item)):
            if sentence not in seen and _stands_alone(sentence):
                seen.add(sentence)
                article = item.source.article
                candidates.append(
                    Candidate(sentence, item.eid, article.key, article.title, label, rank, place)
                )
    return candidates


def _labelled_sentences(item: Evidence) -> list[tuple[str | None, str]]:
    """Sentences with the label they stand under; the label itself is never part of a sentence."""
    label = item.source.passage.section
    pairs: list[tuple[str | None, str]] = []
    for span in split_sentences(item.text):
        sentence = item.text[span.start : span.end].strip()
        for name in item.source.labels:
            opening = re.match(re.escape(name) + r"\s*[:：\n]\s*", sentence) if name else None
            if opening:
                label, sentence = name, sentence[opening.end() :]
                break
        pairs.append((label, sentence))
    return pairs


def _stands_alone(sentence: str) -> bool:
    return (
        SHORTEST <= len(sentence) <= LONGEST
        and sentence[-1] in ".!。！"
        and "\n" not in sentence
        and " | " not in sentence
        and not opens_with_anaphor(sentence)
    )


def choose_quotes(question: str, candidates: Sequence[Candidate], likeness: Sequence[float]) -> list[Claim]:
    """Claims in reading order; empty where nothing is near enough to the best sentence."""
    subject = subject_terms(question)
    scored = sorted(
        (
            (
                like
                + SUBJECT_WEIGHT * covered_share(subject, [item.in_context])[0]
                - RANK_WEIGHT * min(item.rank, 5),
                item,
            )
            for item, like in zip(candidates, likeness, strict=True)
        ),
        key=lambda pair: (-pair[0], pair[1].rank, pair[1].place),
    )
    chosen: list[Candidate] = []
    spoken: dict[str, str] = {}  # article -> the passage that speaks for it
    for score, item in scored:
        if len(chosen) == MOST or score < NEAR_BEST * scored[0][0]:
            break
        if spoken.setdefault(item.article, item.eid) == item.eid and not _repeats(item, chosen):
            chosen.append(item)
    first = {article: place for place, article in enumerate(spoken)}
    chosen.sort(key=lambda item: (first[item.article], item.place))
    return [Claim(item.text, ((item.eid, item.text),)) for item in chosen]


def _repeats(item: Candidate, chosen: Sequence[Candidate]) -> bool:
    mine = set(terms_of(item.text))
    return any(
        len(mine & (other := set(terms_of(old.text)))) > REPEATS * min(len(mine), len(other))
        for old in chosen
    )
