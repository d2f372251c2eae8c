"""Spelling against the lexicons and the corpus (methods.md 1.2, "fix errors").

Only a word that neither knows is changed, and only where one clear candidate is near: look-alike drug names
(prednisone, prednisolone) are never swapped for one another, nor is a rare name for a common one.
"""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.meanings import is_known_word, known_names
from reasoning.retrieval.subject import zipf
from reasoning.rewriting.vocabulary import Vocabulary
from reasoning.routing.words import Word, split_words

_SHORTEST, _LONG = 5, 8  # letters; from _LONG on two edits are forgiven
_COMMON = 1.5  # Zipf frequency from which general English knows a word


def unknown_words(words: Sequence[Word], vocabulary: Vocabulary) -> list[Word]:
    """Latin words that neither the lexicons nor the corpus nor general English know."""
    return [
        word
        for word in words
        if len(word.raw) >= _SHORTEST
        and word.raw.isascii()
        and word.raw.isalpha()
        and not word.raw.isupper()
        and not is_known_word(word.key)
        and not vocabulary.count(word.raw)
        and zipf(word.raw.lower()) < _COMMON
    ]


def correct_spelling(text: str, vocabulary: Vocabulary) -> str:
    """The text with clear misspellings put right."""
    for word in reversed(unknown_words(split_words(text), vocabulary)):
        meant = _meant(word.raw.lower(), vocabulary)
        if meant is not None:
            text = text[: word.start] + meant + text[word.end :]
    return text


def _meant(word: str, vocabulary: Vocabulary) -> str | None:
    """The one nearest candidate; of several, the one that the lexicons know. None where two are as likely."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    edits = 2 if len(word) >= _LONG else 1
    listed = process.extract(word, known_names(word[0]), scorer=OSA.distance, score_cutoff=edits, limit=3)
    near = {str(name): int(distance) for name, distance, _ in listed}
    for name in vocabulary.similar.get(word, ()):
        distance = OSA.distance(word, name)
        if distance <= edits and zipf(name) < 6:
            near.setdefault(name, int(distance))
    if not near:
        return None
    least = min(near.values())
    best = [name for name, distance in near.items() if distance == least]
    best = [name for name in best if is_known_word(split_words(name)[0].key)] or best
    rivals = [name for name in near if name not in best and not _same_word(name, best[0])]
    if len({_stem(name) for name in best}) > 1 or (rivals and least > 1):
        return None
    return best[0]


def _stem(name: str) -> str:
    return name.rstrip("s")


def _same_word(one: str, two: str) -> bool:
    return _stem(one) == _stem(two)
