"""The query tree as PubMed writes it (methods.md 5.3, case F05).

print_query   a tree -> text, always balanced
parse_query   text -> a tree, or QuerySyntaxError
repair        what a model drafted -> a tree, or None
lint          what is wrong with a text before it is sent
"""

from reasoning.retrieval.pubmed.drafts import repair
from reasoning.retrieval.pubmed.errors import QuerySyntaxError
from reasoning.retrieval.pubmed.linting import Problem, lint
from reasoning.retrieval.pubmed.parsing import parse_query
from reasoning.retrieval.pubmed.printing import print_query

__all__ = ["Problem", "QuerySyntaxError", "lint", "parse_query", "print_query", "repair"]
