"""The answer step's rule: the two to five verbatim sentences that answer best (our choice).

score = likeness to the question, of the sentence and of its heading
      + share of the question's subject that sentence, title and heading name
      + a bonus where heading or sentence speaks to what is asked (symptoms, treatment, ...)

One passage speaks for an article: the one whose best sentences score highest together. Near repeats are
skipped; sentences stand in the order of their source, the best article first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reasoning.grounding.passages import GivenPassage
from reasoning.quoting import stands_alone
from reasoning.retrieval.intents import intents_of, speaks_to
from reasoning.retrieval.subject import covered_share, subject_terms
from storage.corpus.terms import terms_of

MOST = 5
NEAR_BEST = 0.80  # a sentence needs this share of the best one's score
NEAR_FIRST = 0.90  # and the best of a further article this share of the first article's best
REPEATS = 0.6  # share of terms in common with a chosen sentence
HEADING_WEIGHT, SUBJECT_WEIGHT = 0.3, 0.35
HEADING_BONUS, SENTENCE_BONUS = 0.12, 0.08
RANK_COST = 0.02  # a place further down the ranking of passages, at most five


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
    def heading(self) -> str:
        return f"{self.title}: {self.label}" if self.label else self.title


def candidate_sentences(passages: Sequence[GivenPassage]) -> list[Candidate]:
    """Sentences that can stand alone, each once."""
    seen: set[str] = set()
    candidates: list[Candidate] = []
    for rank, given in enumerate(passages):
        article, title = given.evidence.source.article, given.title
        for place, sentence in enumerate(given.sentences):
            text, label = sentence.text, sentence.label
            if text not in seen and stands_alone(text):
                seen.add(text)
                candidates.append(Candidate(text, given.evidence.eid, article.key, title, label, rank, place))
    return candidates


def choose_quotes(
    question: str, candidates: Sequence[Candidate], likeness: Mapping[str, float]
) -> list[Candidate]:
    """The chosen ones in reading order; `likeness` is that of each sentence and heading to the question."""
    scores = _score(question, candidates, likeness)
    passages: dict[tuple[str, str], list[int]] = {}
    for at in sorted(range(len(candidates)), key=lambda at: (-scores[at], at)):
        passages.setdefault((candidates[at].article, candidates[at].eid), []).append(at)
    spoken: dict[str, list[int]] = {}  # article -> sentences of the passage that speaks for it
    for (article, _), members in passages.items():
        if article not in spoken or _weight(members, scores) > _weight(spoken[article], scores):
            spoken[article] = members
    ranked = sorted(spoken.values(), key=lambda members: -scores[members[0]])
    if not ranked:
        return []
    best = scores[ranked[0][0]]
    ranked = [members for members in ranked if scores[members[0]] >= NEAR_FIRST * best]
    pool = sorted((at for members in ranked for at in members), key=lambda at: (-scores[at], at))
    chosen: list[int] = []
    for at in pool:
        if len(chosen) < MOST and scores[at] >= NEAR_BEST * best and not _repeats(at, chosen, candidates):
            chosen.append(at)
    order = {candidates[members[0]].article: place for place, members in enumerate(ranked)}
    chosen.sort(key=lambda at: (order[candidates[at].article], candidates[at].place))
    return [candidates[at] for at in chosen]


def _score(question: str, candidates: Sequence[Candidate], likeness: Mapping[str, float]) -> list[float]:
    subject, intents = subject_terms(question), intents_of(question)
    scores = []
    for item in candidates:
        score = (1 - HEADING_WEIGHT) * likeness[item.text] + HEADING_WEIGHT * likeness[item.heading]
        score += SUBJECT_WEIGHT * covered_share(subject, item.heading, item.text)
        score += HEADING_BONUS * speaks_to(item.label or "", intents)
        score += SENTENCE_BONUS * speaks_to(item.text, intents)
        scores.append(score - RANK_COST * min(item.rank, 5))
    return scores


def _weight(members: Sequence[int], scores: Sequence[float]) -> float:
    return sum(scores[at] for at in members[:3])


def _repeats(at: int, chosen: Sequence[int], candidates: Sequence[Candidate]) -> bool:
    mine = set(terms_of(candidates[at].text))
    for old in chosen:
        other = set(terms_of(candidates[old].text))
        if len(mine & other) > REPEATS * min(len(mine), len(other)):
            return True
    return False
