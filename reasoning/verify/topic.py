"""Whether the quotes speak of what the sentence speaks of: a true sentence with a wrong source goes."""

from __future__ import annotations

from reasoning.verify.ground import Ground, sentences_of
from reasoning.verify.words import LANGUAGES, Term, keys_in, terms_in

# Chosen on examples of the house's own (tests/unit/verify) and the even half of the support set.
LEAST_COVERED = 0.40  # of the sentence's weight, by words alone
LEAST_MEANT = 0.55  # of words and likeness together, where an encoder was asked
RIVAL_AHEAD = 0.25  # how much better another sentence of the evidence may fit
FITS_WELL = 0.80


def object_to_topic(ground: Ground) -> str | None:
    if ground.language not in LANGUAGES or ground.source_language not in LANGUAGES:
        return None
    terms = _comparable(ground)
    if not terms:
        return None
    said = keys_in(ground.said, ground.source_language)
    around = said | keys_in(ground.headings, ground.source_language)
    reason = _names_another(terms, around | keys_in(ground.passages, ground.source_language))
    if reason:
        return reason
    covered = share(terms, said, around)
    likeness = _likeness(ground)
    if likeness is None:
        if covered < LEAST_COVERED:
            return "is not what the quote speaks of"
    elif covered + likeness < 2 * LEAST_MEANT and covered < FITS_WELL:
        return "is not what the quote speaks of"
    if covered < FITS_WELL and _best_rival(ground, terms) > covered + RIVAL_AHEAD:
        return "rests on another source than the one it cites"
    return None


def _comparable(ground: Ground) -> list[Term]:
    """The terms that can be looked for: across languages only things of the lexicon."""
    terms = terms_in(ground.text, ground.language)
    if not ground.translated:
        return list(terms)
    return [term for term in terms if any(key[0] == "@" for key in term.keys)]


def share(terms: list[Term], said: frozenset[str], around: frozenset[str]) -> float:
    """Share of the weight that the quotes name; what only the heading names counts half."""
    total = sum(term.weight for term in terms)
    found = sum(
        term.weight * (1.0 if term.covered_by(said) else 0.5 if term.covered_by(around) else 0.0)
        for term in terms
    )
    return found / total if total else 1.0


def _names_another(terms: list[Term], known: frozenset[str]) -> str | None:
    for term in terms:
        if term.category in ("conditions", "treatments") and not term.covered_by(known):
            return f"names {sorted(key[1:] for key in term.keys if key[0] == '@')[0]}, which the source does not"
    return None


def _likeness(ground: Ground) -> float | None:
    found = [
        ground.likeness[ground.text, sentence]
        for cited in ground.cited
        for sentence in cited.sentences
        if (ground.text, sentence) in ground.likeness
    ]
    return max(found) if found else None


def _best_rival(ground: Ground, terms: list[Term]) -> float:
    """How well the best single sentence elsewhere in the evidence covers the terms."""
    cited = {cited.item.eid for cited in ground.cited}
    best = 0.0
    for item in ground.rivals:
        if item.eid in cited:
            continue
        heading = keys_in(item.source.article.title, item.source.article.language)
        for start, end in sentences_of(item.text):
            keys = keys_in(item.text[start:end], item.source.article.language)
            best = max(best, share(terms, keys, keys | heading))
    return best
