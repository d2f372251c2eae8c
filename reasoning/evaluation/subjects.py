"""Whether what was found is still about what was asked (case F04); pure.

A hit holds the subject where its record names one of the subject's concepts, by its name, a synonym, a
brand, its gene or its heading: all words of such a name in one sentence, title or heading, whatever their
endings and their order. The class of a drug is not the drug.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reasoning.methods.cometa.rewriting import Concept, Rewriting
from reasoning.retrieval.segmentation.sentences import split_sentences
from storage.corpus.terms import terms_of
from storage.documents import Article

Names = tuple[frozenset[str], ...]  # of each name, the terms that a text must have


def subject_names(rewriting: Rewriting) -> Names:
    """Of the concepts that an article must have, else of all; empty where the question has none."""
    concepts = rewriting.concepts
    must = [concept for concept in concepts if concept.must] or concepts
    names = (frozenset(terms_of(name)) for concept in must for name in _all_names(concept))
    return tuple(dict.fromkeys(terms for terms in names if terms))


def holds_subject(article: Article, names: Names) -> bool:
    """Whether the record names the subject: its title, abstract, headings or keywords."""
    return any(name <= terms for terms in map(frozenset, map(terms_of, _units(article))) for name in names)


def _all_names(concept: Concept) -> Sequence[str]:
    return (*concept.names, *concept.mesh_candidates)


def _units(article: Article) -> Iterator[str]:
    """Pieces of text in which a name stands as one."""
    yield article.title
    yield from (heading.name for heading in article.mesh)
    yield from article.keywords
    for section in article.sections:
        yield from (section.text[start:end] for start, end in split_sentences(section.text))
