"""Whether what was found is still about what was asked (case F04); pure.

A hit holds the subject where its record names one of the subject's concepts, by its name, a synonym, a
brand, its gene or its heading: all words of such a name in one sentence, title or heading, whatever their
endings and their order. The class of a drug is not the drug.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reasoning.methods.cometa.clauses import is_searchable, named_clause
from reasoning.retrieval.segmentation.sentences import split_sentences
from reasoning.rewriting import Concept, Rewriting
from storage.corpus.terms import terms_of
from storage.documents import Article
from storage.query import Query, Term, any_of


def subject_of(rewriting: Rewriting) -> tuple[Concept, ...]:
    """The concepts that an article must have, else all; empty where the question has none."""
    concepts = rewriting.concepts
    return tuple(concept for concept in concepts if concept.must) or concepts


def holds_subject(article: Article, subject: Sequence[Concept]) -> bool:
    """Whether the record names the subject: its title, abstract, headings or keywords."""
    names = [_terms(name) for concept in subject for name in _names(concept)]
    units = [set(terms_of(unit)) for unit in _units(article)]
    return any(name and name <= unit for unit in units for name in names)


def subject_query(subject: Sequence[Concept]) -> Query | None:
    """Whatever names any of it; the widest query whose hits may hold it."""
    words = (Term(name) for concept in subject for name in _names(concept) if is_searchable(name))
    return any_of(*map(named_clause, subject), *words)


def _terms(name: str) -> set[str]:
    """Of its parts: a name with hyphens is written without them too."""
    return set(terms_of(name.replace("-", " ").replace("/", " ")))


def _names(concept: Concept) -> Sequence[str]:
    return (*concept.names, *concept.mesh_candidates)


def _units(article: Article) -> Iterator[str]:
    """Pieces of text in which a name stands as one."""
    yield article.title
    yield from (heading.name for heading in article.mesh)
    yield from article.keywords
    for section in article.sections:
        yield from (section.text[start:end] for start, end in split_sentences(section.text))
