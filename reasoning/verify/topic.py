"""Whether the quotes speak of what the sentence speaks of: a true sentence with a wrong source goes."""

from __future__ import annotations

import re

from reasoning.verify.ground import Ground, sentences_of
from reasoning.verify.quantities import quantities_in
from reasoning.verify.words import LANGUAGES, Term, keys_in, terms_in, words_within

# Chosen on the even half of the support set and on examples of the house's own (tests/unit/verify). Fit is
# covered weight plus likeness, 0 to 2; without an encoder the covered weight stands for both.
# Endings of international nonproprietary names.
_DRUG = re.compile(
    r"[a-z]{3,}(?:mab|nib|pril|sartan|statin|olol|azole|cillin|mycin|gliptin|flozin|glutide|xaban|gatran|parin"
    r"|platin|taxel|setron|triptan|dipine|oxetine|ciclib|parib|lukast|dronate|thiazide|semide|tidine|cycline)s?"
)
FITS_WELL = 0.6  # of the weight: a name more is then a detail
FEW_NAMES = 3  # of a translated sentence: fewer say too little
LEAST_FIT = 0.45
RIVAL_AHEAD = 0.17  # how much better another sentence of the evidence may fit
RIVAL_AHEAD_BY_WORDS = 0.40


def object_to_topic(ground: Ground) -> str | None:
    if ground.language not in LANGUAGES or ground.source_language not in LANGUAGES:
        return None
    terms = _comparable(ground)
    if len(terms) < (FEW_NAMES if ground.translated else 1):
        return None
    said = keys_in(ground.said, ground.source_language)
    around = said | keys_in(ground.headings, ground.source_language)
    if not ground.translated and (reason := _names_foreign(ground, terms)):
        return reason
    covered = share(terms, said, around)
    known = around | keys_in(ground.passages, ground.source_language)
    if covered < FITS_WELL and (reason := _names_another(ground, terms, known)):
        return reason
    likeness = None if ground.translated else _likeness(ground)
    by_words = likeness is None
    fit = covered + (covered if likeness is None else likeness)
    if _shares_figures(ground):
        return None
    if fit < LEAST_FIT:
        return "is not what the quote speaks of"
    ahead = RIVAL_AHEAD_BY_WORDS if by_words else RIVAL_AHEAD
    if _best_rival(ground, terms, by_words) > fit + ahead:
        return "rests on another sentence than the one it cites"
    return None


def _shares_figures(ground: Ground) -> bool:
    """Exact figures that the figures check found in the quote point to it better than words."""
    figures = [
        q
        for q in quantities_in(ground.text, ground.language)
        if not q.spelled and not q.weak and (q.step < 1 or q.kind == "ratio" or q.low >= 100)
    ]
    return len(figures) > 1 or any(q.step < 1 for q in figures)


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


def _names_foreign(ground: Ground, terms: list[Term]) -> str | None:
    """A drug or a joint that quote, title and passage do not name."""
    known = keys_in("\n".join((ground.said, ground.headings, ground.passages)), ground.source_language)
    for term in terms:
        word = ground.text[term.start : term.end]
        if (term.category == "sites" or _DRUG.fullmatch(word.lower())) and not term.covered_by(known):
            return f"names {word}, which the source does not"
    return None


def _names_another(ground: Ground, terms: list[Term], known: frozenset[str]) -> str | None:
    """A condition or treatment that neither quote nor passage names, as a whole or by its words."""
    for term in terms:
        if term.category not in ("conditions", "treatments") or term.covered_by(known):
            continue
        words = words_within(ground.text, ground.language, term)
        if len(words) > 1 and all(word.covered_by(known) for word in words):
            continue
        name = next(key[1:] for key in sorted(term.keys) if key[0] == "@").replace("_", " ")
        return f"names {name}, which the source does not"
    return None


def _likeness(ground: Ground) -> float | None:
    found = [
        ground.likeness[ground.text, sentence]
        for cited in ground.cited
        for sentence in cited.sentences
        if (ground.text, sentence) in ground.likeness
    ]
    return max(found) if found else None


def _best_rival(ground: Ground, terms: list[Term], by_words: bool) -> float:
    """The fit of the best single sentence that is not cited, in all the evidence."""
    cited = {sentence for one in ground.cited for sentence in one.sentences}
    best = 0.0
    for item in ground.rivals:
        language = item.source.article.language
        heading = keys_in(item.source.article.title, language)
        for start, end in sentences_of(item.text):
            sentence = item.text[start:end].strip()
            if sentence in cited:
                continue
            keys = keys_in(sentence, language)
            covered = share(terms, keys, keys | heading)
            best = max(
                best, covered + (covered if by_words else ground.likeness.get((ground.text, sentence), 0.0))
            )
    return best
