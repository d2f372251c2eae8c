"""Which mentions carry the subject of a question: two to five concepts (methods.md 1.2).

Rare words carry more than common ones, drugs, genes and diseases more than symptoms, outcomes and groups.
Words that no lexicon has count where the literature uses them far more than general English does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from config.resources import read_toml
from reasoning.meanings import Meaning, Mention
from reasoning.retrieval.subject import zipf
from reasoning.rewriting.vocabulary import Vocabulary
from reasoning.routing.words import Word
from storage.words import STOP_WORDS

MOST, MOST_MUST = 8, 5  # concepts in all, and those that an article must have; our choice
_STORY = 28  # words from which a question is a story
_WEIGHTS = {
    "gene": 1.2, "variant": 1.2, "drug": 1.2, "disease": 1.1, "procedure": 1.0, "test": 1.0, "word": 0.8,
    "symptom": 0.8, "exposure": 0.8, "anatomy": 0.5, "outcome": 0.4, "population": 0.35, "weak": 0.3,
}  # fmt: skip
_MUST_WEIGHT = 0.5  # kinds below it are never a must beside others
# Keyness from which a word is of the subject, and Zipf frequency up to which one that the articles lack is a
# name: in a story, in a question, and in one of which nothing else is known.
_STRICT, _PLAIN, _LENIENT = (1.0, 1.0), (0.4, 2.5), (-0.5, 4.0)
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


def telling_words(
    words: Sequence[Word], taken: Iterable[int], vocabulary: Vocabulary, *, lenient: bool = False
) -> list[Mention]:
    """Words of the subject that no lexicon has; neighbours with a hyphen stay together."""
    known = set(taken)
    limits = _STRICT if len(words) >= _STORY else _LENIENT if lenient else _PLAIN
    found = []
    for place, word in enumerate(words):
        if place in known or not word.key.isascii() or len(word.key) < 3 or not word.key[0].isalpha():
            continue
        raw = word.raw.lower()
        if raw in STOP_WORDS or raw in _filler() or word.key in _filler():
            continue
        if _tells(raw, word, vocabulary, *limits):
            meaning = Meaning(word.raw if word.capitals else raw, "word")
            found.append(Mention(meaning, word.raw, word.start, word.end, frozenset({place})))
    return found


def _tells(raw: str, word: Word, vocabulary: Vocabulary, keyness: float, unknown: float) -> bool:
    count = vocabulary.count(raw)
    if not count:
        return zipf(raw) <= unknown and len(raw) > 3
    if word.capitals and zipf(raw) < 4:
        return True
    if not vocabulary.is_large:
        return zipf(raw) < 3.5
    return vocabulary.keyness(raw) >= keyness


@cache
def _filler() -> frozenset[str]:
    shared = read_toml("lexicons/stop_words.toml")["filler"].split()
    return frozenset((*shared, *read_toml("lexicons/rewriting.toml")["story"].split()))
