"""Which mentions carry the subject of a question: two to five concepts (methods.md 1.2).

Rare words carry more than common ones, drugs, genes and diseases more than symptoms, outcomes and groups.
Words that no lexicon has count where the literature uses them far more than general English does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from config.resources import read_toml
from reasoning.methods.cometa.rewriting.lexicon import Meaning, Mention
from reasoning.methods.cometa.rewriting.vocabulary import Vocabulary, zipf
from reasoning.routing.words import Word
from storage.words import STOP_WORDS

MOST, MOST_MUST = 8, 5  # concepts in all, and those that an article must have; our choice
_STORY = 28  # words from which a question is a story
_WEIGHTS = {
    "gene": 1.2, "variant": 1.2, "drug": 1.2, "disease": 1.1, "procedure": 1.0, "test": 1.0, "word": 0.8,
    "symptom": 0.8, "exposure": 0.8, "anatomy": 0.5, "outcome": 0.4, "population": 0.35, "weak": 0.3,
}  # fmt: skip
_MUST_WEIGHT = 0.5  # kinds below it are never a must beside others
_TELLING, _TELLING_STORY = 0.4, 1.0  # keyness from which a word is of the subject
_UNKNOWN, _UNKNOWN_STORY = 2.5, 1.0  # Zipf frequency up to which a word that the articles lack is a name
_WIDE = (
    "cancer", "tumor", "neoplasms", "neoplasm metastasis", "advanced cancer", "antineoplastic agents",
    "surgery", "pain", "infection", "bleeding",
)  # fmt: skip
_NARROW = ("cancer", "carcinoma", "oma", "leukemia", "tumor", "metast", "neoplas", "sarcoma")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A meaning with its weight; `must` where an article without it cannot answer."""

    meaning: Meaning
    weight: float
    must: bool
    start: int


def choose(mentions: Sequence[Mention], vocabulary: Vocabulary, length: int) -> list[Chosen]:
    """The heaviest concepts in the order of the text; `length` in words tells a story from a question."""
    weighed: dict[str, tuple[float, Mention]] = {}
    for mention in without_wider(mentions):
        weight = weigh(mention.meaning, vocabulary)
        key = mention.meaning.name.casefold()
        if weight > 0 and key not in weighed:
            weighed[key] = weight, mention
    ranked = sorted(weighed.values(), key=lambda pair: (-pair[0], pair[1].start))[:MOST]
    strong = [pair for pair in ranked if _WEIGHTS.get(pair[1].meaning.kind, 0) >= _MUST_WEIGHT] or ranked
    story = length >= _STORY
    strong.sort(key=lambda pair: _is_doubtful(pair[1].meaning, vocabulary, story))
    musts = {id(mention) for _, mention in strong[: 3 if story else MOST_MUST]}
    chosen = [Chosen(m.meaning, weight, id(m) in musts, m.start) for weight, m in ranked]
    return sorted(chosen, key=lambda item: item.start)


def _is_doubtful(meaning: Meaning, vocabulary: Vocabulary, story: bool) -> bool:
    """Words that may be misspelt, or of the story: they are a must only where better concepts are too few."""
    unknown = vocabulary.is_large and not vocabulary.count(meaning.name)
    return meaning.kind == "word" and (story or unknown)


def weigh(meaning: Meaning, vocabulary: Vocabulary) -> float:
    """Rarity by kind; what everything is about weighs little."""
    factor = _WEIGHTS.get(meaning.kind, 0.0)
    if meaning.name in _WIDE:
        factor *= 0.6
    return factor * (0.5 + vocabulary.rarity(meaning.name))


def without_wider(mentions: Sequence[Mention]) -> list[Mention]:
    """Without "cancer" beside a certain cancer, and without names within others."""
    names = [mention.meaning.name.casefold() for mention in mentions]
    certain = any(name not in _WIDE and any(part in name for part in _NARROW) for name in names)
    wide = ("cancer", "tumor", "neoplasms")
    return [
        mention
        for mention, name in zip(mentions, names, strict=True)
        if not (certain and name in wide)
        and not any(name != other and f" {name} " in f" {other} " for other in names)
    ]


def telling_words(words: Sequence[Word], taken: Iterable[int], vocabulary: Vocabulary) -> list[Mention]:
    """Words of the subject that no lexicon has; neighbours with a hyphen stay together."""
    known = set(taken)
    story = len(words) >= _STORY
    found = []
    for place, word in enumerate(words):
        if place in known or not word.key.isascii() or len(word.key) < 3 or not word.key[0].isalpha():
            continue
        raw = word.raw.lower()
        if raw in STOP_WORDS or raw in _filler() or word.key in _filler():
            continue
        if _tells(raw, word, vocabulary, story):
            meaning = Meaning(word.raw if word.capitals else raw, "word")
            found.append(Mention(meaning, word.raw, word.start, word.end, frozenset({place})))
    return found


def _tells(raw: str, word: Word, vocabulary: Vocabulary, story: bool) -> bool:
    count = vocabulary.count(raw)
    if not count:
        return zipf(raw) <= (_UNKNOWN_STORY if story else _UNKNOWN) and len(raw) > 3
    if word.capitals and zipf(raw) < 4:
        return True
    if not vocabulary.is_large:
        return zipf(raw) < 3.5
    return vocabulary.keyness(raw) >= (_TELLING_STORY if story else _TELLING)


@cache
def _filler() -> frozenset[str]:
    shared = read_toml("lexicons/stop_words.toml")["filler"].split()
    return frozenset((*shared, *read_toml("lexicons/rewriting.toml")["story"].split()))
