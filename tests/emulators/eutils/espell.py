"""ESpell: each word that the corpus does not know is replaced by the nearest that it does."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rapidfuzz.distance import OSA

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.replies import Reply, tag, xml
from tests.emulators.eutils.words import STOP, fold

_PROLOG = (
    '<?xml version="1.0"?>\n<!DOCTYPE eSpellResult PUBLIC "-//NLM//DTD eSpellResult, 23 November 2004//EN" '
    '"https://www.ncbi.nlm.nih.gov/entrez/query/DTD/eSpell.dtd">\n'
)
_WORD = re.compile(r"[^\W\d_]{4,}")
_RARE, _FAR_COMMONER = 2, 100  # a word in so few records is a slip where a neighbour is so much commoner


def correct(corpus: Corpus, word: str) -> str | None:
    """The nearest word of the corpus, the commonest of equals; None where the word is right or unknown."""
    plain = fold(word)
    counts = corpus.text.frequencies
    own = counts[plain]
    if plain in STOP or own > _RARE:
        return None
    limit = 1 if own or len(plain) < 6 else 2
    best: tuple[int, int, str] | None = None
    for other in corpus.text.vocabulary(plain[0]):  # the first letter is seldom wrong
        count = counts[other]
        if abs(len(other) - len(plain)) > limit or count <= own * _FAR_COMMONER:
            continue
        distance = OSA.distance(plain, other, score_cutoff=limit)
        if 0 < distance <= limit and not other.isdecimal():
            best = min(best, (distance, -count, other)) if best else (distance, -count, other)
    return best[2] if best else None


def answer(corpus: Corpus, parameters: Mapping[str, str]) -> Reply:
    term = parameters.get("term", "")
    spelled, corrected, at, changed = [], [], 0, False
    for match in _WORD.finditer(term):
        better = correct(corpus, match.group(0))
        if better:
            changed = True
            spelled.append(tag("Original", term[at : match.start()]) + tag("Replaced", better))
            corrected += [term[at : match.start()], better]
            at = match.end()
    if changed and term[at:]:
        spelled.append(tag("Original", term[at:]))
    corrected_query = "".join([*corrected, term[at:]]) if changed else ""
    database = tag("Database", parameters.get("db", "pubmed"))
    return xml(
        f"{_PROLOG}<eSpellResult>\n\t{database}\n\t{tag('Query', term)}\n"
        f"\t{tag('CorrectedQuery', corrected_query)}\n\t<SpelledQuery>{''.join(spelled)}</SpelledQuery>\n"
        "\t<ERROR/>\n</eSpellResult>\n"
    )
