"""Stages 2 and 3: what is spelt nearly alike, then what means nearly the same, and no near miss.

F22: below the floor or the margin nothing is linked. What was nearly chosen is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from config.resources import read_toml
from reasoning.linking.drugs import has_nearer_drug, is_drug_word, names_drug, sounds_like_drug
from reasoning.linking.opposites import differ
from reasoning.linking.phrases import Phrase, is_content, is_misspelt
from reasoning.linking.synonyms import concept_of, sense_of
from reasoning.linking.types import By, Link, RunnerUp
from reasoning.retrieval.subject import zipf
from reasoning.routing.lexicon import read_lexicon, read_names
from reasoning.routing.words import Word, fold, split_words
from storage.encoders import MINILM
from storage.graph import Entity, NameMatch

SPELT_FLOOR, SPELT_MARGIN = 0.8, 0.04  # share of letters that stay (OSA)
# Cosine of MiniLM, chosen on lay names of `lexicons/clinical.en.tsv` held out of the tables: the least floor
# at which 96 % of what links is right on the half with an even SHA-1 sum (the other half: 96 %).
MEANT_BY, MEANT_FLOOR, MEANT_MARGIN = MINILM.name, 0.76, 0.06
RUNNERS_UP = 3
_LONG, _LONGEST = 5, 10  # letters from which one and two edits are forgiven
_TERM = 3.2  # Zipf frequency below which a word is a term of its own
_PREFIXES = ("hyper", "hypo")
_COMPOUND = re.compile(r"(?<=\w\w\w)(?:ache|beat)$")  # headache, heartbeat


def link_by(by: By, phrase: Phrase, matches: Sequence[NameMatch], languages: Iterable[str] = ()) -> Link:
    """The best of the matches if it may be one, comes over the floor, and leads by the margin."""
    floor, margin, fits = (
        (SPELT_FLOOR, SPELT_MARGIN, is_misspelling)
        if by == "lexical"
        else (MEANT_FLOOR, MEANT_MARGIN, may_mean)
    )
    if by == "lexical":
        matches = sorted((_by_letters(phrase, match) for match in matches), key=lambda match: -match.score)
    link = Link(phrase.said, phrase.start, phrase.end, None, 0.0, 0.0, by, _runners_up(matches, ()))
    if not matches:
        return link
    best = matches[0]
    sense = sense_of(best.entity.name)
    rivals = [match for match in matches if sense_of(match.entity.name) != sense]
    lead = best.score - (rivals[0].score if rivals else 0.0)
    lead = max(0.0, min(1.0, lead))
    if best.score < floor or lead < margin or not fits(phrase.said, best):
        return Link(
            phrase.said, phrase.start, phrase.end, None, max(0.0, best.score), lead, by, link.runners_up
        )
    same = [match.entity for match in matches if sense_of(match.entity.name) == sense]
    twins = tuple(
        {entity.graph: entity for entity in reversed(same) if entity.graph != best.entity.graph}.values()
    )
    chosen = (best.entity, *twins)
    return Link(
        phrase.said,
        phrase.start,
        phrase.end,
        best.entity,
        best.score,
        lead,
        by,
        _runners_up(matches, chosen),
        twins,
    )


def is_misspelling(written: str, match: NameMatch) -> bool:
    """Whether each word is the name's, but for one or two letters of a word that nobody knows."""
    if differ(written, match.name):
        return False
    words, meant = _content(written), _content(match.name)
    if len(words) != len(meant):
        return False
    drug = names_drug(match.name, match.entity.kinds)
    return all(_is_slip(word, name, drug) for word, name in zip(words, meant, strict=True))


def _is_slip(word: Word, name: Word, drug: bool) -> bool:
    from rapidfuzz.distance import OSA

    if word.key == name.key:
        return True
    one, two = word.key, name.key
    if not is_misspelt(word) or is_drug_word(one) or one[0] != two[0]:
        return False
    drug = drug or sounds_like_drug(one) or sounds_like_drug(two)
    edits = int(OSA.distance(one, two))
    allowed = 0 if len(one) < _LONG else 1 if drug or len(one) < _LONGEST else 2
    if edits > allowed or (drug and (zipf(word.raw.casefold()) > 0 or has_nearer_drug(one, two))):
        return False
    return not any(OSA.distance(one, other) <= edits + 1 for other in _opposites(two))


def _opposites(key: str) -> list[str]:
    """The word with hypo- where it has hyper-, and the other way round."""
    first, second = _PREFIXES
    if key.startswith(first):
        return [second + key[len(first) :]]
    return [first + key[len(second) :]] if key.startswith(second) else []


def may_mean(said: str, match: NameMatch) -> bool:
    """Whether nothing forbids that a phrase describes the entity of this name."""
    name = match.name
    if differ(said, name) or names_drug(name, match.entity.kinds):
        return False
    if _parts(said) != _parts(name):
        return False
    if {word.key for word in _content(name)} < {word.key for word in _content(said)}:
        return False  # something wider: a mini-stroke is no stroke
    mine, other = concept_of(said), concept_of(name)
    if mine and other and mine.name != other.name:
        return False
    keys = {word.key for word in split_words(name)}
    terms = [word for word in _content(said) if zipf(word.raw.casefold()) < _TERM]
    return all(word.key in keys for word in terms)


def _by_letters(phrase: Phrase, match: NameMatch) -> NameMatch:
    from rapidfuzz.distance import OSA

    one = " ".join(word.key for word in split_words(phrase.said))
    two = " ".join(word.key for word in split_words(match.name))
    return NameMatch(match.entity, match.name, float(OSA.normalized_similarity(one, two)))


def _runners_up(matches: Sequence[NameMatch], chosen: Sequence[Entity]) -> tuple[RunnerUp, ...]:
    rest = [match for match in matches if match.entity not in chosen]
    return tuple(RunnerUp(match.entity, match.name, max(0.0, match.score)) for match in rest[:RUNNERS_UP])


def _content(name: str) -> list[Word]:
    return [word for word in split_words(name) if is_content(word)]


def _parts(name: str) -> frozenset[str]:
    """The parts of the body that a name speaks of, each by one word for it."""
    keys = [word.key for word in split_words(name)]
    found = set()
    for at, key in enumerate(keys):
        for words in (f"{key} {keys[at + 1]}" if at + 1 < len(keys) else key, key, _COMPOUND.sub("", key)):
            if part := _body().get(words):
                found.add(part)
                break
    return frozenset(found)


@cache
def _body() -> dict[str, str]:
    """Folded word for a part of the body -> the part: the router's list, by the synonyms of plain words."""
    body: dict[str, str] = {}
    for part, words in read_toml("lexicons/plain_words.toml")["body"].items():
        for word in words["en"].split("|"):
            body.setdefault(" ".join(fold(each) for each in word.split()), part)
    for names in read_names(read_lexicon("entities", "en")["parts"]):
        for name in names:
            key = " ".join(fold(each) for each in name.split())
            body.setdefault(key, body.get(key, key))
    return body
