"""Orders of results. Relevance is BM25 over weighted fields with a little for recency: PubMed's own ranking
is learnt from clicks and cannot be had; this one is plain and always the same (our choice)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.emulators.eutils import fields
from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.evaluation import Evaluation

_K1, _B = 0.9, 0.4
_WEIGHTS = np.full(256, 0.3, np.float32)  # by bit of the text
_WEIGHTS[[fields.TITLE, fields.ABSTRACT, fields.KEYWORDS, fields.MESH]] = 2.5, 1.0, 1.5, 1.5
_RECENCY, _HALF_LIFE = 0.1, 5.0  # at most a tenth more, halved with every five years
SORTS = {
    "relevance",
    "pub_date",
    "pub+date",
    "author",
    "journalname",
    "journal",
    "first+author",
    "most+recent",
}

Numbers = NDArray[np.intp]


def order(corpus: Corpus, evaluation: Evaluation, sort: str) -> Numbers:
    """Numbers of the records found, best first. Ties go to the later date, then to the greater PMID."""
    found = np.flatnonzero(evaluation.mask)
    if not len(found):
        return found
    latest = (-corpus.pmids[found], -corpus.entered[found])
    sort = sort.lower().replace(" ", "+")
    if sort == "relevance":
        keys: tuple[NDArray[Any], ...] = (*latest, -_scores(corpus, evaluation)[found])
    elif sort in ("pub_date", "pub+date"):
        keys = (latest[0], -corpus.published[found])
    elif sort in ("author", "first+author"):
        keys = (*latest, np.array([_first_author(corpus, int(at)) for at in found]))
    elif sort in ("journal", "journalname"):
        keys = (*latest, np.array([corpus.records[at].journal.lower() for at in found]))
    else:
        keys = latest
    return found[np.lexsort(keys)]


def _first_author(corpus: Corpus, at: int) -> str:
    authors = corpus.records[at].authors
    return f"{authors[0].last} {authors[0].initials}".lower() if authors else "\U0010ffff"


def _scores(corpus: Corpus, evaluation: Evaluation) -> NDArray[np.float64]:
    lengths = corpus.text.lengths
    norm = _K1 * (1 - _B + _B * lengths / max(float(lengths.mean()), 1.0))
    total = np.zeros(len(corpus), np.float64)
    for weight, postings in evaluation.leaves:
        if not len(postings.places):
            continue
        counts = np.bincount(postings.records, weights=_WEIGHTS[postings.texts], minlength=len(corpus))
        holding = int(np.count_nonzero(counts))
        rarity = np.log1p((len(corpus) - holding + 0.5) / (holding + 0.5))
        total += weight * rarity * counts * (_K1 + 1) / (counts + norm)
    years = corpus.published // 10_000
    known = years > 0
    if known.any():
        age = np.clip(years[known].max() - years, 0, None)
        total *= 1 + _RECENCY * np.where(known, 0.5 ** (age / _HALF_LIFE), 0.0)
    return total
