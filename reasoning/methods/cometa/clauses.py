"""A concept as a part of a query: by heading, as phrases, or as words anywhere (methods.md 1.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from reasoning.meanings import meaning_of
from reasoning.rewriting import Concept, Vocabulary
from storage.query import SHORTEST_PREFIX, Field, Query, Term, all_of, any_of
from storage.words import STOP_WORDS, split_words

_EAST_ASIAN = re.compile("[\u2e80-\uffef]")  # whatever of it is no word is still nothing to send
_SYNONYMS = 2  # of a strict clause
_PREFIX_FROM = 6  # letters of a word from which its other endings count too
_ALIKE = 3  # words spelled almost like one that no article has
_BEGINNING = 6  # letters of a word, and two thirds of it, by which it is still known


def is_searchable(name: str) -> bool:
    """Whether a name has a word to search for, and none that PubMed cannot read."""
    words = split_words(name)
    readable = all(word.isascii() for word in words) and not _EAST_ASIAN.search(name)
    return readable and any(word not in STOP_WORDS for word in words)


def strict_clause(concept: Concept) -> Query | None:
    """By heading or as a phrase, with the nearest names."""
    names = [*concept.names[:1], *_generic(concept), *concept.synonyms[:_SYNONYMS]]
    return any_of(*_headings(concept), *(clause for name in names for clause in _phrases(name, concept)))


def named_clause(concept: Concept) -> Query | None:
    """By heading or any of its names as phrases."""
    return any_of(
        *_headings(concept), *(clause for name in concept.names for clause in _phrases(name, concept))
    )


def _anywhere(concept: Concept) -> Query | None:
    """Its names without a field, so that PubMed maps them by itself."""
    return any_of(*(Term(name) for name in concept.names if is_searchable(name)))


def nearest_clause(concept: Concept, vocabulary: Vocabulary) -> Query | None:
    """Its names, and whatever is nearest where no article has them.

    Their words one by one, what begins like them or is spelled almost so (but never another drug), and the
    class of a drug.
    """
    meaning = meaning_of(concept.name)
    missing = not vocabulary.count(concept.name)
    words = _content(concept.name)
    others = [word for name in concept.synonyms if missing for word in _content(name)]
    named = concept.gene or concept.drug_generic
    single = [] if named else [word for word in words if len(word) > 3 and word.isalpha()]
    beginnings = (word[: max(_BEGINNING, len(word) * 2 // 3)] for word in single)
    alike = [name for word in single for name in _alike(word, vocabulary)]
    return any_of(
        _anywhere(concept),
        *(Term(word) for word in (*(words if len(words) > 1 else ()), *others)),
        *(Term(word, Field.TITLE_ABSTRACT, prefix=True) for word in beginnings),
        *map(Term, alike),
        Term(meaning.wider) if meaning and meaning.wider else None,
    )


def _content(name: str) -> list[str]:
    words = split_words(name) if is_searchable(name) else []
    return [word for word in words if word not in STOP_WORDS and len(word) > 2]


def _alike(word: str, vocabulary: Vocabulary) -> list[str]:
    """Words of the corpus spelled almost like one that it lacks; a drug is never taken for another."""
    near = [(name, meaning_of(name)) for name in vocabulary.similar.get(word, ())]
    return [name for name, meaning in near if meaning is None or meaning.kind != "drug"][:_ALIKE]


def two_of(concepts: Sequence[Concept]) -> Query | None:
    """Any two, one of them a must where there is one."""
    if len(concepts) < 2:
        return any_of(*map(_anywhere, concepts))
    free = not any(concept.must for concept in concepts)
    pairs = (pair for pair in combinations(concepts, 2) if free or any(each.must for each in pair))
    return any_of(*(all_of(_anywhere(one), _anywhere(two)) for one, two in pairs))


def _generic(concept: Concept) -> list[str]:
    return [name for name in (concept.drug_generic, concept.gene) if name]


def _headings(concept: Concept) -> Iterator[Query]:
    return (Term(heading, Field.MESH) for heading in concept.mesh_candidates if is_searchable(heading))


def _phrases(name: str, concept: Concept) -> Iterator[Query]:
    """A phrase as it stands and with its words in any order; a word with its other endings, but for names."""
    words = split_words(name)
    if not is_searchable(name):
        return
    if len(words) > 1:
        yield Term(name, Field.TITLE_ABSTRACT, near=0)
        yield Term(name, Field.TITLE_ABSTRACT)
    elif concept.gene or concept.drug_generic or len(name) < _PREFIX_FROM or not name.isalpha():
        yield Term(name, Field.TITLE_ABSTRACT)
    else:
        stem = _stem(name)
        yield Term(stem, Field.TITLE_ABSTRACT, prefix=len(stem) >= SHORTEST_PREFIX)


def _stem(word: str) -> str:
    """Without what its plural changes: biops for biopsy, metastas for metastasis."""
    lower = word.lower()
    for ending in ("ies", "sis", "ses", "es", "y", "s"):
        if (
            lower.endswith(ending)
            and not lower.endswith(("ss", "us"))
            and len(word) - len(ending) >= SHORTEST_PREFIX
        ):
            return word[: -len(ending)] + ("s" if ending in ("sis", "ses") else "")
    return word
