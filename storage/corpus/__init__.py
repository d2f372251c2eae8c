"""The corpus database: articles, passages, vectors and the lexical index."""

from storage.corpus.boolean import Matches
from storage.corpus.corpus import Corpus
from storage.corpus.filters import EVERYTHING, Filters
from storage.corpus.hits import Hit
from storage.corpus.lexical import WeighedTerms
from storage.corpus.reading import StoredPassage, WithdrawnArticle
from storage.corpus.records import clean_article
from storage.corpus.writing import CutArticle, Stored

__all__ = [
    "EVERYTHING",
    "Corpus",
    "CutArticle",
    "Filters",
    "Hit",
    "Matches",
    "Stored",
    "StoredPassage",
    "WeighedTerms",
    "WithdrawnArticle",
    "clean_article",
]
